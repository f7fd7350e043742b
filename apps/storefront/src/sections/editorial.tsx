import { Picture } from '../parts/picture.tsx'
import { safeLink } from '../parts/safe-link.ts'
import { Paragraphs } from './section-head.tsx'
import type { SectionProps } from './section-props.ts'

export function Editorial({ section, isFirst }: SectionProps) {
  const { id, eyebrow, title, body, image, focal, action } = section
  return (
    <section class="section editorial" id={id ?? undefined}>
      {image?.url && (
        <Picture
          picture={{ ...image, url: image.url }}
          sizes="(min-width: 48rem) 50vw, 100vw"
          isFirst={isFirst}
          position={focal ?? undefined}
        />
      )}
      <div>
        {eyebrow && <p class="eyebrow">{eyebrow}</p>}
        {title && <h2>{title}</h2>}
        <Paragraphs body={body} />
        {action?.label && (
          <a class="button button-outline" href={safeLink(action.to)}>
            {action.label}
          </a>
        )}
      </div>
    </section>
  )
}
