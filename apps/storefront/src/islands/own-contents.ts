import { keepState, visitorHeaders } from './visitor.ts'

const TIMEOUT_MS = 20_000

// This script stands after the place of the shopper's contents, and requests them before the other scripts are
// loaded. If they cannot be loaded, htmx requests them again, and shows the error.
const place = document.currentScript?.previousElementSibling
if (place instanceof HTMLElement) void fill(place)

async function fill(element: HTMLElement): Promise<void> {
  const isFilled = await request(element).catch(() => false)
  if (isFilled) {
    element.removeAttribute('hx-get')
    element.removeAttribute('hx-trigger')
  }
  element.dataset['ownContents'] = isFilled ? 'filled' : 'missing'
  element.dispatchEvent(new Event('own-contents', { bubbles: true }))
}

async function request(element: HTMLElement): Promise<boolean> {
  const headers = { 'HX-Request': 'true', ...visitorHeaders() }
  const response = await fetch(element.getAttribute('hx-get') ?? '', {
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const isElsewhere = response.headers.has('hx-redirect') || response.headers.has('hx-retarget')
  if (response.status !== 200 || isElsewhere) return false
  const html = await response.text()
  keepState(response.headers)
  element.innerHTML = html
  return true
}
