import { BAG, COUNT, DRAFT, LEFT, SEEN, SESSION, WISHLIST } from './keys.ts'
import { deleteInTab, keep, read } from './storage.ts'

/** What htmx passes with its events, as far as it is used here. */
interface RequestContext {
  sourceElement: Element
  request: { headers: Record<string, string> }
  response?: { headers: Headers; status: number }
}

/** Sends the bag and the session of this browser with each request, and keeps what responses say about them. */
export function keepVisitor(): void {
  showCount()
  keepSeen()
  leaveWithCustomer()
  document.addEventListener('htmx:config:request', (event) => {
    Object.assign(contextOf(event).request.headers, visitorHeaders())
  })
  document.addEventListener('htmx:before:request', () => {
    for (const place of document.querySelectorAll('#notice, #checkout-away')) place.replaceChildren()
  })
  document.addEventListener('htmx:error', showLostRequest)
  document.addEventListener('htmx:finally:request', offerToLoadAgain)
  document.addEventListener('htmx:after:swap', keepSeen)
  document.addEventListener('htmx:before:response', (event) => {
    const headers = contextOf(event).response?.headers
    if (headers) keepState(headers)
  })
}

/** @returns the headers by which the storefront knows the bag and the session of this browser */
export function visitorHeaders(): Record<string, string> {
  const bag = read(BAG)
  const session = read(SESSION)
  const seen = read(SEEN)
  return {
    ...(bag !== null && { 'X-Bag-Id': bag }),
    ...(session !== null && { Authorization: `Bearer ${session}` }),
    ...(bag !== null && seen !== null && { 'X-Bag-Seen': seen }),
  }
}

/** Keeps what a response says about the bag and the session. */
export function keepState(headers: Headers): void {
  keep(BAG, headers.get('x-bag-id'))
  keep(SESSION, headers.get('x-session'))
  keep(COUNT, headers.get('x-bag-count'))
  // Empty once the wishlist is in the account.
  keep(WISHLIST, headers.get('x-wishlist'))
  if (headers.has('x-forgets-draft')) {
    deleteInTab(DRAFT)
    keep(LEFT, String(Date.now()))
  }
  showCount()
}

/** Once a customer has signed out in one tab, the others show and keep nothing of them either. */
function leaveWithCustomer(): void {
  const before = read(LEFT)
  const leave = (): void => {
    deleteInTab(DRAFT)
    location.reload()
  }
  addEventListener('storage', ({ key }) => {
    if (key === LEFT) leave()
  })
  // Pages in the history of a tab get no event.
  addEventListener('pageshow', () => {
    if (read(LEFT) !== before) leave()
  })
}

function keepSeen(): void {
  const lines = document.querySelectorAll<HTMLElement>('[data-line]')
  const seen = Array.from(lines, ({ dataset }) => `${dataset['line']}=${dataset['price']}`)
  if (seen.length > 0) keep(SEEN, [...new Set(seen)].join(','))
}

/** Shows what a shopper can do about a request without a response. Errors of scripts have no request. */
function showLostRequest({ detail }: CustomEventInit<{ ctx?: RequestContext }>): void {
  const notice = document.getElementById('notice')
  if (!detail?.ctx || !notice) return
  const source = detail.ctx.sourceElement
  const sentence = document.createElement('p')
  sentence.className = 'notice notice-problem'
  sentence.textContent = source.getAttribute('data-lost') ?? notice.dataset['lost'] ?? ''
  const place = document.getElementById('checkout-away') ?? notice
  // An open dialog would cover the sentence.
  source.closest('dialog')?.close()
  place.replaceChildren(sentence)
  // Only the place on the page of the checkout takes the focus: the button is far below it on a phone.
  place.focus()
}

/** The notice says why contents did not arrive: their place no longer says that they are on the way. */
function offerToLoadAgain(event: CustomEventInit<{ ctx: RequestContext }>): void {
  const { sourceElement, response } = contextOf(event)
  if (response && response.status < 400) return
  sourceElement.querySelector(':scope > .loading')?.remove()
  sourceElement.querySelector(':scope > .again')?.removeAttribute('hidden')
}

function contextOf(event: CustomEventInit<{ ctx: RequestContext }>): RequestContext {
  if (!event.detail) throw new Error('an event of htmx has no context')
  return event.detail.ctx
}

function showCount(): void {
  const badge = document.getElementById('bag-count')
  const count = read(COUNT)
  if (badge) badge.textContent = count === null || count === '0' ? '' : count
}
