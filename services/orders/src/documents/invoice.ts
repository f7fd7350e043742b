import type { Money, Refund } from '@storefront/contracts'
import { merchantOrder, type StoredOrder } from '../orders/order.ts'
import { taxOf } from './tax-of-order.ts'
import type { PrintedDocument, Sum } from './printed-document.ts'
import type { ShopDetails } from './shop-details.ts'
import type { WordsOfOrder } from './words-of-order.ts'

export interface Invoice {
  number: number
  issuedAt: Date
  shop: ShopDetails
}

/** The refunds that are listed; earlier ones are added up, because an order may have thousands. */
const SHOWN_REFUNDS = 20

/** Padded with zeros, so that files are sorted by number, up to a million invoices. */
export function invoiceNumber(number: number): string {
  return `INV-${String(number).padStart(6, '0')}`
}

/** The invoice of an order, with its refunds until today. */
export function printedInvoiceOf(order: StoredOrder, invoice: Invoice, words: WordsOfOrder): PrintedDocument {
  const { lines, shippingAddress, email } = merchantOrder(order)
  const { shop, issuedAt } = invoice
  const number = invoiceNumber(invoice.number)
  return {
    title: 'Invoice',
    number,
    locale: words.locale,
    createdAt: issuedAt,
    shop: { name: shop.name, lines: [...shop.address, ...(shop.email === undefined ? [] : [shop.email])] },
    facts: [
      { label: 'Invoice', value: number },
      { label: 'Invoice date', value: words.day(issuedAt) },
      { label: 'Order', value: order.number },
      { label: 'Order date', value: words.day(order.placedAt) },
    ],
    recipient: { heading: 'Bill to', lines: [...words.address(shippingAddress), email] },
    columns: [
      { heading: 'Item', share: 0.54 },
      { heading: 'Quantity', share: 0.12, align: 'right' },
      { heading: 'Unit price', share: 0.17, align: 'right' },
      { heading: 'Amount', share: 0.17, align: 'right' },
    ],
    rows: lines.map((line) => [
      { text: line.title, below: [words.options(line), line.sku ?? ''].filter((text) => text !== '').join(' · ') },
      { text: String(line.quantity) },
      { text: words.money(line.unitPrice) },
      { text: words.money(line.lineTotal) },
    ]),
    sums: [...chargesOf(order, shop, words), ...refundsOf(order, words)],
  }
}

function chargesOf({ document }: StoredOrder, { shippingMethod }: ShopDetails, words: WordsOfOrder): Sum[] {
  const { subtotal, discount, discountCode, shipping, total } = document
  const code = discountCode === undefined ? '' : ` (${discountCode.code})`
  const tax = taxOf(document)
  const rate = tax.rate === undefined ? 'Tax' : `Tax ${words.percent(tax.rate)} on ${words.money(tax.net)}`
  const taxSum = { label: tax.isIncluded ? `Included: ${rate}` : rate, value: words.money(document.tax) }
  const sums = [
    { label: 'Subtotal', value: words.money(subtotal) },
    ...(discount.amount === 0 ? [] : [{ label: `Discount${code}`, value: negative(discount, words) }]),
    { label: shippingMethod === '' ? 'Shipping' : `Shipping: ${shippingMethod}`, value: words.money(shipping) },
  ]
  const totalSum = { label: 'Total', value: words.money(total), isStrong: true }
  // An included tax is not added to the total, so it stands below it.
  return tax.isIncluded ? [...sums, totalSum, taxSum] : [...sums, taxSum, totalSum]
}

function refundsOf({ refunds, document, capturedMinor, refundedMinor }: StoredOrder, words: WordsOfOrder): Sum[] {
  const made = refunds.filter(({ status }) => status === 'succeeded')
  const [first] = made
  if (!first) return []
  const { total } = document
  // The currency of the payment, which may differ from that of the order.
  const { currency } = first.amount
  const isOfOrder = currency === total.currency
  const earlier = made.slice(0, -SHOWN_REFUNDS)
  const earlierMinor = earlier.reduce((sum, { amount }) => sum + amount.amount, 0)
  const keptMinor = Math.max(0, capturedMinor - refundedMinor)
  // The part of an overpayment that was not refunded does not belong to the total.
  const remaining = { amount: isOfOrder ? Math.min(total.amount, keptMinor) : keptMinor, currency }
  return [
    ...(isOfOrder && capturedMinor === total.amount
      ? []
      : [{ label: 'Paid', value: words.money({ amount: capturedMinor, currency }) }]),
    ...(earlier.length === 0
      ? []
      : [{ label: `${earlier.length} earlier refunds`, value: negative({ amount: earlierMinor, currency }, words) }]),
    ...made.slice(-SHOWN_REFUNDS).map((refund) => refundOf(refund, words)),
    { label: 'Total after refunds', value: words.money(remaining), isStrong: true },
  ]
}

function refundOf({ amount, createdAt }: Refund, words: WordsOfOrder): Sum {
  return { label: `Refund of ${words.day(new Date(createdAt))}`, value: negative(amount, words) }
}

function negative(money: Money, words: WordsOfOrder): string {
  return `\u2212${words.money(money)}`
}
