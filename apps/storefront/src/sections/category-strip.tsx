import { useLanguage } from '../layout/page-context.ts'
import { Picture } from '../parts/picture.tsx'
import { SectionHead } from './section-head.tsx'
import type { SectionProps } from './section-props.ts'

export function CategoryStrip({ section, categories }: SectionProps) {
  const { t } = useLanguage()
  if (categories.length === 0) return null
  return (
    <section class="section" id={section.id ?? undefined}>
      <SectionHead section={section} />
      <ul class="tiles">
        {categories.map(({ slug, name, image, count }) => (
          <li>
            <a class="tile" href={`/shop/${encodeURIComponent(slug)}`}>
              <Picture picture={image} sizes="(min-width: 40rem) 25vw, 50vw" />
              <span class="tile-name">{name}</span>
              <span class="hint">{t('home.categoryCount', { count })}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
