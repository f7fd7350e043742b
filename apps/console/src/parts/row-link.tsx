import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

/** Where a row of a list leads. A plain link, because a link of the router runs at each change of the address. */
export function RowLink({ to, children }: { to: string; children: ReactNode }): ReactNode {
  const router = useRouter()
  const loadAhead = (): void => {
    // A failure is not shown now: the screen shows it when it is opened.
    router.preloadRoute({ to }).catch(() => {})
  }
  function open(event: MouseEvent): void {
    const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
    if (opensElsewhere) return
    event.preventDefault()
    void router.navigate({ to, state: { list: router.state.location.pathname } })
  }
  return (
    <a
      className="row-link"
      href={`${router.basepath}${to}`}
      onClick={open}
      onMouseEnter={loadAhead}
      onFocus={loadAhead}
      onTouchStart={loadAhead}
    >
      {children}
    </a>
  )
}
