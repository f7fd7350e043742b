import { shop } from './shop.ts'

/** Well within the 30 minutes after which an idle console is signed out. */
const RENEW_AFTER_MS = 5 * 60_000

/** Renews the session while a person uses the console. @returns a function that stops the renewal */
export function keepSession(): () => void {
  const ending = new AbortController()
  // The session may be much older than this page.
  let renewedMs = 0
  const renew = (): void => {
    if (Date.now() - renewedMs < RENEW_AFTER_MS) return
    renewedMs = Date.now()
    // A failure shows itself with the next request of the person.
    shop.post('/admin/console/session/renew').catch(() => {})
  }
  for (const event of ['pointerdown', 'keydown']) {
    addEventListener(event, renew, { passive: true, signal: ending.signal })
  }
  return () => ending.abort()
}
