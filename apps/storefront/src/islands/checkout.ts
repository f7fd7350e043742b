// oxlint-disable-next-line import/no-unassigned-import -- it runs before this one, in the same turn
import './page.ts'
import { readDraft, writeDraft, type Draft } from './draft.ts'
import { DRAFT } from './keys.ts'
import { openRazorpay } from './razorpay.ts'
import { deleteInTab } from './storage.ts'

const FORM = '#checkout-form'
/** Fields that the draft does not keep: the amount that was seen, a code that was not applied, the chosen address. */
const LEFT_OUT = new Set(['seen', 'code', 'saved'])
/** Fields whose value comes from the response, whatever they had. */
const FROM_RESPONSE = new Set(['seen', 'saved'])
/** Fields that a chosen address fills in. */
const ADDRESS = new Set(['name', 'line1', 'line2', 'city', 'region', 'postalCode', 'country', 'phone'])

/** What htmx passes with its events, as far as it is used here. */
interface Exchange {
  request?: { action: string; form: HTMLFormElement | null; body: URLSearchParams | null }
  response?: { headers: Headers }
}
type ExchangeEvent = CustomEventInit<{ ctx: Exchange }>

/** What was typed after each request: its response does not have it. */
const typedMeanwhile = new WeakMap<Exchange, [name: string, value: string][]>()

// Runs on the page of the checkout, and on that of an order, where the draft is deleted.
deleteOrderedDraft()
keepDraft()
openRazorpay()

function keepDraft(): void {
  restore()
  document.addEventListener('input', save)
  document.addEventListener('change', save)
  document.addEventListener('keydown', applyCode)
  document.addEventListener('htmx:before:response', deleteSentDraft)
  document.addEventListener('htmx:before:swap', keepTyped)
  document.addEventListener('htmx:after:swap', (event: ExchangeEvent) => {
    deleteOrderedDraft()
    if (document.querySelector('#razorpay')) deleteAttempt()
    restore()
    showTyped(event)
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
  if (form instanceof HTMLFormElement) writeDraft(valuesOf(form))
}

/** What the shop has filled in, such as a saved address, is kept too: a reload would bring back the one before. */
function saveShown(): void {
  const form = document.querySelector<HTMLFormElement>(FORM)
  if (!form) return
  const values = valuesOf(form)
  // A draft whose order or payment has begun meanwhile is not brought back.
  if (readDraft()?.['attempt'] === values['attempt']) writeDraft(values)
}

function valuesOf(form: HTMLFormElement, leftOut = LEFT_OUT): Draft {
  const values: Draft = { customer: form.dataset['customer'] ?? '' }
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && !leftOut.has(name)) values[name] = value
  }
  return values
}

/** The Enter key would send the form at once: a response that is on its way would then show the code as not applied. */
function applyCode(event: KeyboardEvent): void {
  const { key, target } = event
  if (key !== 'Enter' || !(target instanceof HTMLInputElement) || target.id !== 'f-code' || target.value === '') return
  event.preventDefault()
  document.querySelector<HTMLElement>('#f-code ~ button')?.click()
}

/** A response shows the form as it was sent, while the shopper may have corrected it since. */
function keepTyped({ detail }: ExchangeEvent): void {
  const { action = '', form: sent, body } = detail?.ctx.request ?? {}
  const form = document.querySelector<HTMLFormElement>(FORM)
  if (!detail || !form || !body || !sent?.matches(FORM)) return
  const isAddressChosen = action.endsWith('/checkout/address')
  const typed = Object.entries(valuesOf(form, FROM_RESPONSE)).filter(
    ([name, value]) => body.has(name) && body.get(name) !== value && !(isAddressChosen && ADDRESS.has(name)),
  )
  typedMeanwhile.set(detail.ctx, typed)
}

function showTyped({ detail }: ExchangeEvent): void {
  const form = document.querySelector<HTMLFormElement>(FORM)
  const typed = detail && typedMeanwhile.get(detail.ctx)
  if (form && typed) fillIn(form, typed)
}

/** Fills in a new form from the draft. */
function restore(): void {
  const form = document.querySelector<HTMLFormElement>(`${FORM}[data-keeps-draft="new"]`)
  if (!form) return
  form.dataset['keepsDraft'] = ''
  const draft = readDraft()
  if (draft) {
    const { bag, customer } = valuesOf(form)
    const isSameBag = draft['bag'] === bag
    // A shopper who has signed in meanwhile gets the address of the account; the draft fills only what is left empty.
    const isSameShopper = draft['customer'] === customer
    // The session of the customer who typed it has ended, and another one has signed in.
    const isOfAnother = !isSameShopper && Boolean(draft['customer'] && customer)
    const kept = Object.entries(draft).filter(([name]) => {
      // An attempt that may have placed the order keeps its id, so that the order is not placed twice.
      if (name === 'attempt') return isSameBag
      return name !== 'bag' && (isSameShopper || (!isOfAnother && isEmpty(form, name)))
    })
    const gift = form.querySelector<HTMLDetailsElement>('.checkout-gift')
    if (gift && kept.some(([name, value]) => name === 'gift' && value !== '')) gift.open = true
    fillIn(form, kept)
  }
  writeDraft(valuesOf(form))
}

/** If the price depends on what is filled in, the shop computes it again. */
function fillIn(form: HTMLFormElement, values: readonly [name: string, value: string][]): void {
  const changed = values.filter(([name, value]) => fill(form, name, value)).map(([name]) => name)
  const country = form.elements.namedItem('country')
  const changesPrice = ['country', 'region', 'method'].some((name) => changed.includes(name))
  if (changesPrice && country instanceof Element) country.dispatchEvent(new Event('change', { bubbles: true }))
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
  // The shopper typed it before the scripts were loaded, or types it now.
  if (!(field instanceof HTMLSelectElement || field instanceof RadioNodeList) && field.value !== field.defaultValue) {
    return false
  }
  const isChanged = field.value !== value
  if (isChanged) field.value = value
  return isChanged
}

/** An order is not placed again from its draft. */
function deleteSentDraft({ detail }: ExchangeEvent): void {
  const target = detail?.ctx.response?.headers.get('hx-redirect')
  if (target?.startsWith('/order/')) deleteInTab(DRAFT)
  else if (target) deleteAttempt()
}

/** The next attempt does not repeat a payment that has begun: that one may have expired, and its goods been sold. */
function deleteAttempt(): void {
  const draft = readDraft()
  if (!draft) return
  delete draft['attempt']
  writeDraft(draft)
}

/** Moves to the sentence about what went wrong: the button is far below it on a phone. */
function showProblems(): void {
  document.querySelector<HTMLElement>('#problems, #checkout-away:not(:empty)')?.focus()
}
