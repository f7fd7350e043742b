const RELOADED_AT = 'console-reloaded-at'
const AGAIN_AFTER_MS = 60_000

/**
 * A screen could not be loaded, most likely because the shop was updated while this page was open: its files have other
 * names now. When a new page does not help either, the screen says what is wrong.
 */
export function reloadOnce(): void {
  const before = Number(sessionStorage.getItem(RELOADED_AT))
  if (Date.now() - before < AGAIN_AFTER_MS) return
  sessionStorage.setItem(RELOADED_AT, String(Date.now()))
  location.reload()
}
