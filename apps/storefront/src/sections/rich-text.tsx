import { safeLink } from '../parts/safe-link.ts'
import { Paragraphs } from './section-head.tsx'
import type { SectionProps } from './section-props.ts'

export function RichText({ section }: SectionProps) {
  const { id, eyebrow, title, body, action } = section
  return (
    <section class="section rich-text" id={id ?? undefined}>
      {eyebrow && <p class="eyebrow">{eyebrow}</p>}
      {title && <h2>{title}</h2>}
      <Paragraphs body={body} />
      {action?.label && (
        <a class="button button-outline" href={safeLink(action.to)}>
          {action.label}
        </a>
      )}
    </section>
  )
}
