import { usePage } from '../layout/page-context.ts'
import { Icon } from '../parts/icon.tsx'
import { SectionHead } from './section-head.tsx'
import type { SectionProps } from './section-props.ts'

export function Promises({ section }: SectionProps) {
  const promises = usePage().frame.settings.promises ?? []
  if (promises.length === 0) return null
  return (
    <section class="section" id={section.id ?? undefined}>
      <SectionHead section={section} />
      <ul class="promises">
        {promises.map(({ icon, title, body }) => (
          <li>
            <Icon name={icon ?? 'check'} />
            <h3>{title}</h3>
            <p class="hint">{body}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
