import escapeHtml from 'escape-html'
import { formatMoney, isTaxIncluded, type DraftOrderQuote, type Money } from '@storefront/contracts'
import type { StoredDraft } from '../drafts/draft.ts'
import type { Pages } from '../pages/add-pages.ts'
import { page, sendPage } from './send-page.ts'

export const PAYMENT_PAGES: Pages = {
  maxFormBytes: 8192,
  readForm: (body) => Object.fromEntries(new URLSearchParams(body)),
  notFound: 'We could not find this page',
  sendFault: (reply, title, sentence) => sendPage(reply, messagePage(title, sentence)),
}

/** What a payment page shows of an order that can be paid. */
export interface Payable {
  draft: StoredDraft
  quote: DraftOrderQuote
  storeName: string
  locale: string
  /** Why the last attempt did not lead to a payment. */
  notice?: string | undefined
}

type Show = (amount: Money) => string

/** The order with its total, and one button. */
export function payablePage({ draft, quote, storeName, locale, notice }: Payable): string {
  const show: Show = (amount) => escapeHtml(formatMoney(amount, locale))
  const name = storeName.trim() || 'The shop'
  const message = notice ?? changeOf(draft.quote.total, quote.total, (amount) => formatMoney(amount, locale))
  return page({
    title: `Your order from ${storeName.trim() || 'the shop'}`,
    content: `<p class="shop">${escapeHtml(name)}</p>
<h1>Your order</h1>
${message === undefined ? '' : `<p class="notice" role="alert">${escapeHtml(message)}</p>`}
<table>
<caption>Items and total</caption>
<tbody>
${quote.lines.map((line) => lineOf(line, show)).join('\n')}
</tbody>
<tfoot>
${sumsOf(quote, show)}
</tfoot>
</table>
<h2>Delivery address</h2>
<p>${addressOf(draft)
      .map((line) => escapeHtml(line))
      .join('<br>')}</p>
<form method="post"><input type="hidden" name="total" value="${escapeHtml(totalKey(quote.total))}">
<button>${quote.total.amount === 0 ? 'Place the order' : `Pay ${show(quote.total)}`}</button></form>`,
  })
}

/** The total that the buyer has seen, as the form sends it. */
export function totalKey({ amount, currency }: Money): string {
  return `${amount} ${currency}`
}

function changeOf(then: Money, now: Money, show: Show): string | undefined {
  if (totalKey(then) === totalKey(now)) return undefined
  return `The total has changed since this order was prepared: it was ${show(then)}, and is ${show(now)} now.`
}

function lineOf({ title, options, quantity, unitPrice, lineTotal }: DraftOrderQuote['lines'][number], show: Show) {
  const chosen = Object.entries(options).map(([name, value]) => `${name}: ${value}`)
  const details = [...chosen, `${quantity}\u00a0×\u00a0`].map((detail) => escapeHtml(detail)).join(', ')
  return `<tr><th scope="row">${escapeHtml(title)}<small>${details}${show(unitPrice)}</small></th><td>${show(lineTotal)}</td></tr>`
}

function sumsOf(quote: DraftOrderQuote, show: Show): string {
  const { subtotal, discount, discountCode, shipping, tax, total } = quote
  const code = discountCode ? ` (${discountCode.code})` : ''
  const isIncluded = isTaxIncluded(quote)
  const taxRows = tax.amount > 0 ? [[isIncluded ? 'Included tax' : 'Tax', show(tax)]] : []
  const rows = [
    ['Subtotal', show(subtotal)],
    ...(discount.amount > 0 ? [[`Discount${code}`, `−${show(discount)}`]] : []),
    ['Shipping', shipping.amount === 0 ? 'Free' : show(shipping)],
    ...(isIncluded ? [] : taxRows),
  ]
  const row = ([label = '', value = '']: string[]) =>
    `<tr><th scope="row">${escapeHtml(label)}</th><td>${value}</td></tr>`
  const totalRow = `<tr class="total"><th scope="row">Total</th><td>${show(total)}</td></tr>`
  // An included tax is not added to the total, so it stands below it.
  return [...rows.map(row), totalRow, ...(isIncluded ? taxRows.map(row) : [])].join('\n')
}

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' })

function addressOf({ shippingAddress }: StoredDraft): string[] {
  const { name, line1, line2, postalCode, city, region, country } = shippingAddress
  const place = [postalCode, city].join(' ').trim()
  return [name, line1, line2, place, region, COUNTRIES.of(country) ?? country].filter((part) => part !== '')
}

/** A page with a sentence and nothing to do. */
function messagePage(title: string, ...sentences: readonly string[]): string {
  return page({
    title,
    content: `<h1>${escapeHtml(title)}</h1>\n${sentences.map((words) => `<p role="status">${escapeHtml(words)}</p>`).join('\n')}`,
  })
}

export const orderedPage = ({ orderNumber }: StoredDraft) =>
  messagePage(
    'Thank you for your order',
    `Your order number is ${orderNumber ?? ''}.`,
    'We will send you a confirmation by email. You can close this page.',
  )

export const cancelledPage = () =>
  messagePage(
    'This order was canceled',
    'The shop has canceled this order, and nothing can be paid here. Please contact the shop.',
  )

export const expiredPage = () =>
  messagePage('This link has expired', 'Nothing was charged. Please contact the shop: they can send you a new link.')

export const unbuyablePage = (reason: string) =>
  messagePage('This order cannot be paid at the moment', reason, 'Nothing was charged. Please contact the shop.')
