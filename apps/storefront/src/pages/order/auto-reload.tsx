/** Seconds before each new check. The pauses grow, and after the last one the page stops checking. */
const PAUSES_S = [1, 2, 3, 5, 8, 13, 20, 30, 45, 60]

/** How often the page has checked. */
export function waitOf(query: URLSearchParams): number {
  const wait = Number(query.get('wait'))
  return Number.isSafeInteger(wait) && wait > 0 ? wait : 0
}

export const isOver = (wait: number): boolean => wait >= PAUSES_S.length

/** Reads the page again after a pause that grows. */
export function AutoReload({ address, wait }: { address: string; wait: number }) {
  const pause = PAUSES_S[wait]
  if (pause === undefined) return null
  const next = `${address}${address.includes('?') ? '&' : '?'}wait=${wait + 1}`
  return (
    <div
      id={`look-${wait}`}
      hx-get={next}
      hx-trigger={`load delay:${pause}s`}
      hx-target="#order-page"
      hx-swap="innerMorph"
    />
  )
}
