// oxlint-disable-next-line import/no-unassigned-import -- it runs before this one, in the same turn
import './page.ts'
import { DRAFT } from './keys.ts'
import { openRazorpay } from './razorpay.ts'
import { deleteInTab } from './storage.ts'

const FORM = '#checkout-form'
/** Fields that the draft does not keep: the amount that was seen, a code that was not applied, the chosen address. */
const LEFT_OUT = new Set(['seen', 'code', 'saved'])

// Runs on the page of the checkout, and on that of an order, where the draft is deleted.
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
    saveShown()
    showProblems()
  })
}

/** Deletes the draft once the page shows its order, which may be some time after the payment. */
function deleteOrderedDraft(): void {
  if (document.querySelector('[data-forgets-draft]')) deleteInTab(DRAFT)
}

function save(event: Event): void {
  const form = event.target instanceof Element ? event.target.closest(FORM) : null
  if (form instanceof HTMLFormElement) write(valuesOf(form))
}

/** What the shop has filled in, such as a saved address, is kept too: a reload would bring back the one before. */
function saveShown(): void {
  const form = document.querySelector<HTMLFormElement>(FORM)
  if (!form) return
  const values = valuesOf(form)
  // A draft whose order or payment has begun meanwhile is not brought back.
  if (read()?.['attempt'] === values['attempt']) write(values)
}

function valuesOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = { customer: form.dataset['customer'] ?? '' }
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && !LEFT_OUT.has(name)) values[name] = value
  }
  return values
}

/** Fills in a new form from the draft. If the price depends on what was filled in, the shop computes it again. */
function restore(): void {
  const form = document.querySelector<HTMLFormElement>(`${FORM}[data-keeps-draft="new"]`)
  if (!form) return
  form.dataset['keepsDraft'] = ''
  const draft = read()
  if (draft) {
    const { bag, customer } = valuesOf(form)
    const isSameBag = draft['bag'] === bag
    // A shopper who has signed in meanwhile gets the address of the account; the draft fills only what is left empty.
    const isSameShopper = draft['customer'] === customer
    let changesPrice = false
    for (const [name, value] of Object.entries(draft)) {
      if (name === 'bag' || (name === 'attempt' && !isSameBag)) continue
      // An attempt that may have placed the order keeps its id, so that the order is not placed twice.
      if (!isSameShopper && name !== 'attempt' && !isEmpty(form, name)) continue
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

function isEmpty(form: HTMLFormElement, name: string): boolean {
  const field = form.elements.namedItem(name)
  return (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value === ''
}

/** @returns whether the value of the field has changed */
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
  // The shopper typed it before the scripts were loaded.
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

/** The next attempt does not repeat a payment that has begun: that one may have expired, and its goods been sold. */
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

/** Private windows and a full storage throw: the checkout then works without a draft. */
function write(draft: Record<string, string>): void {
  try {
    sessionStorage.setItem(DRAFT, JSON.stringify(draft))
  } catch {
    // As above.
  }
}
