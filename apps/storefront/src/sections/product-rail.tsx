import { ProductCard } from '../parts/product-card.tsx'
import { SectionHead } from './section-head.tsx'
import type { SectionProps } from './section-props.ts'

export function ProductRail({ section, products }: SectionProps) {
  if (products.length === 0) return null
  return (
    <section class="section" id={section.id ?? undefined}>
      <SectionHead section={section} />
      <ul class="rail" tabindex={0} aria-label={section.title ?? undefined}>
        {products.map((product) => (
          <li>
            <ProductCard product={product} />
          </li>
        ))}
      </ul>
    </section>
  )
}
