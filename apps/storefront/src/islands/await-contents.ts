import htmx from 'htmx.org'
import { requestNow } from './request-now.ts'

/** The `hx-trigger` of places whose contents did not arrive. */
const AGAIN = 'request-again'

/** Has htmx process what own-contents.ts has put into the page, and request again what it could not load. */
export function awaitContents(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-own-contents="missing"]')) requestNow(place, AGAIN)
  document.addEventListener('own-contents', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    if (target.dataset['ownContents'] === 'missing') requestNow(target, AGAIN)
    else {
      htmx.process(target)
      // As after a swap of htmx, which other scripts wait for.
      target.dispatchEvent(new CustomEvent('htmx:after:swap', { bubbles: true, detail: { ctx: {} } }))
    }
  })
}
