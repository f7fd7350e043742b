// oxlint-disable-next-line import/no-unassigned-import -- it runs before this one, in the same turn
import './page.ts'
import { DRAFT } from './keys.ts'
import { openRazorpay } from './razorpay.ts'
import { deleteInTab } from './storage.ts'

const FORM = '#checkout-form'
/** Not of the shopper: the amount that was seen, and a code that was not applied. */
const LEFT_OUT = new Set(['seen', 'code', 'saved'])

// Runs on the page of the checkout, and on that of an order, where what was entered is deleted.
deleteOrderedDraft()
keepDraft()
openRazorpay()

function keepDraft(): void {
  restore()
  document.addEventListener('input', save)
  document.addEventListener('change', save)
  document.addEventListener('htmx:before:response', deleteSentDraft)
  document.addEventListener('htmx:after:swap', () => {
    deleteOrderedDraft()
    if (document.querySelector('#razorpay')) deleteAttempt()
    restore()
    showProblems()
  })
}

/** What became an order, which may be shown only after its payment is confirmed. */
function deleteOrderedDraft(): void {
  if (document.querySelector('[data-deletes-draft]')) deleteInTab(DRAFT)
}

function save(event: Event): void {
  const form = event.target instanceof Element ? event.target.closest(FORM) : null
  if (form instanceof HTMLFormElement) write(valuesOf(form))
}

function valuesOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = { customer: form.dataset['customer'] ?? '' }
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && !LEFT_OUT.has(name)) values[name] = value
  }
  return values
}

/** Fills in a new form. The shop then says what it costs with these values. */
function restore(): void {
  const form = document.querySelector<HTMLFormElement>(`${FORM}[data-keeps-draft="new"]`)
  if (!form) return
  form.dataset['keepsDraft'] = ''
  const draft = read()
  if (draft) {
    const { bag, customer } = valuesOf(form)
    const isSameBag = draft['bag'] === bag
    // Who has signed in meanwhile has the address of the account; the draft fills what it leaves open.
    const isSameShopper = draft['customer'] === customer
    let changesPrice = false
    for (const [name, value] of Object.entries(draft)) {
      if (name === 'bag' || (name === 'attempt' && !isSameBag)) continue
      // An attempt that may have placed the order stays the same one.
      if (!isSameShopper && name !== 'attempt' && !isOpen(form, name)) continue
      const isChanged = fill(form, name, value)
      if (isChanged && ['country', 'region', 'method'].includes(name)) changesPrice = true
    }
    const gift = form.querySelector<HTMLDetailsElement>('.checkout-gift')
    if (gift && draft['gift']) gift.open = true
    const country = form.elements.namedItem('country')
    if (changesPrice && country instanceof Element) country.dispatchEvent(new Event('change', { bubbles: true }))
  }
  write(valuesOf(form))
}

function isOpen(form: HTMLFormElement, name: string): boolean {
  const field = form.elements.namedItem(name)
  return (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value === ''
}

/** @returns whether the value was another one */
function fill(form: HTMLFormElement, name: string, value: string): boolean {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLSelectElement && ![...field.options].some((option) => option.value === value)) return false
  if (
    !(field instanceof HTMLInputElement) &&
    !(field instanceof HTMLTextAreaElement) &&
    !(field instanceof HTMLSelectElement) &&
    !(field instanceof RadioNodeList)
  ) {
    return false
  }
  // Typed before the scripts were there.
  if (!(field instanceof HTMLSelectElement || field instanceof RadioNodeList) && field.value !== field.defaultValue) {
    return false
  }
  const isChanged = field.value !== value
  if (isChanged) field.value = value
  return isChanged
}

/** An order is not placed again from its draft. */
function deleteSentDraft(event: CustomEventInit<{ ctx: { response?: { headers: Headers } } }>): void {
  const target = event.detail?.ctx.response?.headers.get('hx-redirect')
  if (target?.startsWith('/order/')) deleteInTab(DRAFT)
  else if (target) deleteAttempt()
}

/** A payment that begins is not repeated by the next attempt: it may end meanwhile, and its goods are sold. */
function deleteAttempt(): void {
  const draft = read()
  if (!draft) return
  delete draft['attempt']
  write(draft)
}

/** Moves to the sentence about what went wrong: the button is far below it on a phone. */
function showProblems(): void {
  document.querySelector<HTMLElement>('#problems, #checkout-away:not(:empty)')?.focus()
}

function read(): Record<string, string> | undefined {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(DRAFT) ?? 'null')
    if (typeof draft !== 'object' || draft === null) return undefined
    return Object.fromEntries(
      Object.entries(draft).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return undefined
  }
}

/** Private windows and full storage throw: the checkout goes on without a draft. */
function write(draft: Record<string, string>): void {
  try {
    sessionStorage.setItem(DRAFT, JSON.stringify(draft))
  } catch {
    // As above.
  }
}
