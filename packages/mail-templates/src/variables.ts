import type { MailKind } from './mail-kind.ts'
import { isAccountMail, isAlertMail } from './render-mail.ts'

interface VariableDescription {
  name: string
  description: string
}

const describe = (all: Record<string, string>): VariableDescription[] =>
  Object.entries(all).map(([name, description]) => ({ name, description }))

const SHOP = describe({
  'store.name': 'Name of the shop',
  'store.address': 'Address of the shop, in several lines; missing when the shop has none',
})

const ORDER = describe({
  'customer.name': 'Name in the delivery address',
  'order.number': 'Such as SF-10001',
  'order.url': 'Where the buyer can open the order; may be missing. The link gives access to the order',
  'order.status': 'placed, paid, fulfilled, delivered or cancelled',
  'order.placedAt': 'Day of the order in the time zone of the shop, as its locale writes it',
  'order.email': 'Address that the mail is sent to',
  'order.currency': 'Such as USD',
  'order.lines': 'List of the order lines, for {% for line in order.lines %}; in partlyShipped those of the parcel',
  'line.title': 'Name of the product',
  'line.options': 'Such as Color: Ecru, Size: M; may be empty',
  'line.quantity': 'Quantity',
  'line.unitPrice': 'Price of one unit',
  'line.total': 'Price of all units',
  'line.image.url': 'Address of a small picture that mail programs show; image may be missing',
  'line.image.alt': 'Description of the picture',
  'line.image.width': 'Width in pixels to show it with; also height',
  'order.subtotal': 'Sum of the lines',
  'order.discount': 'Missing when there is none',
  'order.discountCode': 'Missing when none was used',
  'order.shipping': 'Price of the delivery',
  'order.tax': 'Missing when there is none',
  'order.taxIncluded': 'true when prices include the tax: it is not added to the total; missing otherwise',
  'order.total': 'Total of the order',
  'order.refunded': 'Sum of all refunds; missing when there are none',
  'order.shippingAddress.lines': 'The address line by line',
  'order.shippingAddress.name': 'Also line1, line2, city, region, postalCode, country and phone',
  'order.shippingMethod': 'Id of the shipping method',
  'order.giftMessage': 'What the buyer wrote for the recipient, in one line; missing when there is nothing',
  'order.tracking.carrier': 'Carrier; tracking is missing when there is none',
  'order.tracking.code': 'Tracking number; missing when there is only a link',
  'order.tracking.url': 'Tracking link; missing unless it is a web address',
  'order.payment.status': 'pending, authorized, captured, failed, partially_refunded or refunded',
  'order.payment.provider': 'Payment provider',
  'order.payment.method': 'Such as card; may be missing',
  'order.raw.total':
    'The amount in minor units; also subtotal, discount, shipping, tax, refunded, and placedAt (ISO 8601)',
  'line.raw.total': 'The amount in minor units; also unitPrice',
})

const REFUND = describe({
  'refund.amount': 'Amount of this refund',
  'refund.reason': 'Reason; may be missing',
  'refund.raw.amount': 'The amount in minor units',
})

const ACCOUNT = describe({ 'customer.name': 'First name, if it is one; missing otherwise' })

const ALERT = describe({
  'alert.kind': 'back-in-stock or price-drop',
  'product.title': 'Name of the product',
  'product.options': 'Of the variant, such as Color: Ecru, Size: M; empty in a mail about the price',
  'product.price': 'Price of the variant or the product',
  'product.formerPrice': 'Price before it fell; missing in other mails',
  'product.url': 'Address of the page of the product',
  'product.image.url': 'Address of a small picture that mail programs show; image may be missing',
  'product.image.alt': 'Description of the picture',
  'product.image.width': 'Width in pixels to show it with; also height',
  'product.raw.price': 'The amount in minor units; also formerPrice',
})

/** The variables of templates of this kind. The link of a mail about an account is not among them. */
export function variablesOf(kind: MailKind): VariableDescription[] {
  if (isAccountMail(kind)) return [...SHOP, ...ACCOUNT]
  if (isAlertMail(kind)) return [...SHOP, ...ALERT]
  return [...SHOP, ...ORDER, ...(kind === 'refunded' ? REFUND : [])]
}
