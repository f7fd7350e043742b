import type { ComponentChildren } from 'preact'

interface ButtonLinkProps {
  to: string
  isOutline?: boolean
  children: ComponentChildren
}

/** A link that looks like a button, on a line of its own. */
export function ButtonLink({ to, isOutline = false, children }: ButtonLinkProps) {
  return (
    <p>
      <a class={isOutline ? 'button button-outline' : 'button'} href={to}>
        {children}
      </a>
    </p>
  )
}
