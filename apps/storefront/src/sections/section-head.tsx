import { Icon } from '../parts/icon.tsx'
import { safeLink } from '../parts/safe-link.ts'
import type { HomeSection } from './read-sections.ts'

/** The title of a section, with a link to more. */
export function SectionHead({ section }: { section: HomeSection }) {
  const { title, eyebrow, ctaLabel, ctaTo } = section
  if (!title && !ctaLabel) return null
  return (
    <div class="section-head">
      <div>
        {eyebrow && <p class="eyebrow">{eyebrow}</p>}
        {title && <h2>{title}</h2>}
      </div>
      {ctaLabel && (
        <a class="more" href={safeLink(ctaTo)}>
          {ctaLabel} <Icon name="arrow" />
        </a>
      )}
    </div>
  )
}

/** The texts of a section, one paragraph each. */
export function Paragraphs({ body }: { body: HomeSection['body'] }) {
  if (!body) return null
  const texts = Array.isArray(body) ? body : [body]
  return (
    <>
      {texts.map((text) => (
        <p>{text}</p>
      ))}
    </>
  )
}
