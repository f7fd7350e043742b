import { Picture } from '../parts/picture.tsx'
import { safeLink } from '../parts/safe-link.ts'
import { Paragraphs } from './section-head.tsx'
import type { SectionProps } from './section-props.ts'

export function Hero({ section, isFirst }: SectionProps) {
  const { id, eyebrow, title, body, image, focal, actions } = section
  const Heading = isFirst ? 'h1' : 'h2'
  return (
    <section class="hero" id={id ?? undefined}>
      {image?.url && (
        <Picture
          picture={{ ...image, url: image.url }}
          sizes="100vw"
          isFirst={isFirst}
          class="hero-picture"
          position={focal ?? undefined}
        />
      )}
      <div class="hero-text">
        {eyebrow && <p class="eyebrow">{eyebrow}</p>}
        {title && <Heading>{title}</Heading>}
        <Paragraphs body={body} />
        <p class="buttons">
          {actions?.map(({ label, to, variant }) => (
            <a class={variant === 'outline' ? 'button button-outline' : 'button'} href={safeLink(to)}>
              {label}
            </a>
          ))}
        </p>
      </div>
    </section>
  )
}
