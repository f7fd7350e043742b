import { Picture } from '../parts/picture.tsx'
import { SectionHead } from './section-head.tsx'
import type { SectionProps } from './section-props.ts'

export function CollectionGrid({ section, collections }: SectionProps) {
  if (collections.length === 0) return null
  return (
    <section class="section" id={section.id ?? undefined}>
      <SectionHead section={section} />
      <ul class="tiles tiles-wide">
        {collections.map(({ slug, title, blurb, image }) => (
          <li>
            <a class="tile" href={`/collections/${encodeURIComponent(slug)}`}>
              <Picture picture={image} sizes="(min-width: 40rem) 33vw, 100vw" />
              <span class="tile-name">{title}</span>
              {blurb !== '' && <span class="hint">{blurb}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
