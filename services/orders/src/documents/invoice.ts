import type { Money, Refund } from '@storefront/contracts'
import { merchantOrder, type StoredOrder } from '../orders/order.ts'
import type { OrderFormatter } from './order-formatter.ts'
import { taxOf } from './tax-of-order.ts'
import type { PrintedDocument, Sum } from './printed-document.ts'
import type { ShopDetails } from './shop-details.ts'

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
export function printedInvoiceOf(order: StoredOrder, invoice: Invoice, format: OrderFormatter): PrintedDocument {
  const { lines, shippingAddress, email } = merchantOrder(order)
  const { shop, issuedAt } = invoice
  const number = invoiceNumber(invoice.number)
  return {
    title: 'Invoice',
    number,
    locale: format.locale,
    createdAt: issuedAt,
    shop: { name: shop.name, lines: [...shop.address, ...(shop.email === undefined ? [] : [shop.email])] },
    facts: [
      { label: 'Invoice', value: number },
      { label: 'Invoice date', value: format.day(issuedAt) },
      { label: 'Order', value: order.number },
      { label: 'Order date', value: format.day(order.placedAt) },
    ],
    recipient: { heading: 'Bill to', lines: [...format.address(shippingAddress), email] },
    columns: [
      { heading: 'Item', share: 0.54 },
      { heading: 'Quantity', share: 0.12, align: 'right' },
      { heading: 'Unit price', share: 0.17, align: 'right' },
      { heading: 'Amount', share: 0.17, align: 'right' },
    ],
    rows: lines.map((line) => [
      { text: line.title, below: [format.options(line), line.sku ?? ''].filter((text) => text !== '').join(' · ') },
      { text: String(line.quantity) },
      { text: format.money(line.unitPrice) },
      { text: format.money(line.lineTotal) },
    ]),
    sums: [...chargesOf(order, shop, format), ...refundsOf(order, format)],
  }
}

function chargesOf({ document }: StoredOrder, { shippingMethod }: ShopDetails, format: OrderFormatter): Sum[] {
  const { subtotal, discount, discountCode, shipping, total } = document
  const code = discountCode === undefined ? '' : ` (${discountCode.code})`
  const tax = taxOf(document)
  const rate = tax.rate === undefined ? 'Tax' : `Tax ${format.percent(tax.rate)} on ${format.money(tax.net)}`
  const taxSum = { label: tax.isIncluded ? `Included: ${rate}` : rate, value: format.money(document.tax) }
  const sums = [
    { label: 'Subtotal', value: format.money(subtotal) },
    ...(discount.amount === 0 ? [] : [{ label: `Discount${code}`, value: negative(discount, format) }]),
    { label: shippingMethod === '' ? 'Shipping' : `Shipping: ${shippingMethod}`, value: format.money(shipping) },
  ]
  const totalSum = { label: 'Total', value: format.money(total), isStrong: true }
  // An included tax is not added to the total, so it stands below it.
  return tax.isIncluded ? [...sums, totalSum, taxSum] : [...sums, taxSum, totalSum]
}

function refundsOf({ refunds, document, capturedMinor, refundedMinor }: StoredOrder, format: OrderFormatter): Sum[] {
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
      : [{ label: 'Paid', value: format.money({ amount: capturedMinor, currency }) }]),
    ...(earlier.length === 0
      ? []
      : [{ label: `${earlier.length} earlier refunds`, value: negative({ amount: earlierMinor, currency }, format) }]),
    ...made.slice(-SHOWN_REFUNDS).map((refund) => refundOf(refund, format)),
    { label: 'Total after refunds', value: format.money(remaining), isStrong: true },
  ]
}

function refundOf({ amount, createdAt }: Refund, format: OrderFormatter): Sum {
  return { label: `Refund of ${format.day(new Date(createdAt))}`, value: negative(amount, format) }
}

function negative(money: Money, format: OrderFormatter): string {
  return `\u2212${format.money(money)}`
}
