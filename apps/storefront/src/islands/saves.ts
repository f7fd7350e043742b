import { SESSION, WISHLIST } from './keys.ts'
import { keep, read } from './storage.ts'
import { keepState, visitorHeaders } from './visitor.ts'

const MAX_SAVED = 48

/** Has the hearts on a page show what is saved, which a page that all shoppers share does not know. */
export function keepSaves(): void {
  fillLists()
  void showSaved()
  document.addEventListener('submit', saveAsGuest, { capture: true })
  document.addEventListener('htmx:after:swap', () => {
    fillLists()
    void showSaved()
  })
  document.addEventListener('htmx:after:request', ({ target, detail }: CustomEventInit & Event) => {
    if (!(target instanceof HTMLFormElement) || target.dataset['saves'] === undefined) return
    if (detail.ctx.response.status >= 400) return
    const isSaved = detail.ctx.request.body.get('saved') === '1'
    customerList?.[isSaved ? 'add' : 'delete'](target.dataset['saves'])
    showState(target.dataset['saves'], isSaved)
  })
}

/** What a customer has saved, once the shop has sent it. */
let customerList: Set<string> | undefined
let reading: Promise<void> | undefined

function saveAsGuest(event: Event): void {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || read(SESSION) !== null) return
  const slug = form.dataset['saves']
  if (slug === undefined) return
  // The list stays in this browser.
  event.preventDefault()
  event.stopImmediatePropagation()
  const isSaved = !isPressed(form)
  const others = guestList().filter((one) => one !== slug)
  keep(WISHLIST, JSON.stringify(isSaved ? [slug, ...others].slice(0, MAX_SAVED) : others))
  showState(slug, isSaved)
}

async function showSaved(): Promise<void> {
  const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-saves]')]
  if (forms.length === 0) return
  if (read(SESSION) !== null && !customerList) await (reading ??= readCustomerList())
  const saved = customerList ?? new Set(guestList())
  for (const { dataset } of forms) showState(dataset['saves'] ?? '', saved.has(dataset['saves'] ?? ''))
}

async function readCustomerList(): Promise<void> {
  try {
    const sent = visitorHeaders()
    const response = await fetch('/wishlist/items', { headers: { 'HX-Request': 'true', ...sent } })
    // Deletes a session that has ended, and the bag of its account, unless they were replaced during the request.
    const now = visitorHeaders()
    const isSame = now['X-Bag-Id'] === sent['X-Bag-Id'] && now['Authorization'] === sent['Authorization']
    if (isSame) keepState(response.headers)
    if (response.ok && read(SESSION) !== null) customerList = new Set((await response.text()).split(','))
  } catch {
    // The hearts stay empty while the shop does not respond.
  }
}

/** Slugs, newest first. */
function guestList(): string[] {
  try {
    const kept: unknown = JSON.parse(read(WISHLIST) ?? '[]')
    return Array.isArray(kept) ? kept.filter((slug) => typeof slug === 'string').slice(0, MAX_SAVED) : []
  } catch {
    return []
  }
}

function isPressed(form: HTMLFormElement): boolean {
  return form.querySelector('button')?.getAttribute('aria-pressed') === 'true'
}

/** Everywhere on the page: several rails may show one product. */
function showState(slug: string, isSaved: boolean): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-saves]')) {
    if (form.dataset['saves'] !== slug) continue
    form.querySelector('button')?.setAttribute('aria-pressed', String(isSaved))
    const field = form.querySelector<HTMLInputElement>('input[name=saved]')
    if (field) field.value = isSaved ? '0' : '1'
  }
}

/** Forms that send the list along. */
function fillLists(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('[data-saved-list]')) {
    field.value = guestList().join(',')
  }
}
