import type { MailKind } from './mail-kind.ts'
import { isAccountMail } from './render-mail.ts'

export interface VariableDescription {
  name: string
  description: string
}

const describe = (all: Record<string, string>): VariableDescription[] =>
  Object.entries(all).map(([name, description]) => ({ name, description }))

const SHOP = describe({
  'store.name': 'Name of the shop',
  'store.address': 'Address of the shop, in several lines; missing when it has not given one',
})

const ORDER = describe({
  'customer.name': 'Name in the address of delivery',
  'order.number': 'Such as SF-10001',
  'order.url': 'Where the buyer can open the order; may be missing. It lets its reader see the order',
  'order.status': 'placed, paid, fulfilled, delivered or cancelled',
  'order.placedAt': 'Day of the order (UTC) as the locale of the shop writes it',
  'order.email': 'Address that the mail goes to',
  'order.currency': 'Such as USD',
  'order.lines': 'List of what was ordered, for {% for line in order.lines %}',
  'line.title': 'Name of the product',
  'line.options': 'Such as Color: Ecru, Size: M; may be empty',
  'line.quantity': 'How many of it',
  'line.unitPrice': 'Price of one',
  'line.total': 'Price of all of them',
  'line.image.url': 'Address of a small picture that mail programs show; image may be missing',
  'line.image.alt': 'What the picture shows',
  'line.image.width': 'Pixels to show it with; also height',
  'order.subtotal': 'Sum of the lines',
  'order.discount': 'Missing when there is none',
  'order.discountCode': 'Missing when none was used',
  'order.shipping': 'Price of the delivery',
  'order.tax': 'Missing when there is none',
  'order.total': 'What the order costs',
  'order.refunded': 'What went back in all; missing when nothing did',
  'order.shippingAddress.lines': 'The address line by line',
  'order.shippingAddress.name': 'Also line1, line2, city, region, postalCode, country and phone',
  'order.shippingMethod': 'Id of the shipping method',
  'order.tracking.carrier': 'Who brings it; tracking is missing when there is none',
  'order.tracking.code': 'Number of the parcel; missing when there is only a link',
  'order.tracking.url': 'Where it can be followed; missing unless it is a web address',
  'order.payment.status': 'pending, authorized, captured, failed, partially_refunded or refunded',
  'order.payment.provider': 'Who took the money',
  'order.payment.method': 'Such as card; may be missing',
  'order.raw.total':
    'The amount in minor units; also subtotal, discount, shipping, tax, refunded, and placedAt (ISO 8601)',
  'line.raw.total': 'The amount in minor units; also unitPrice',
})

const REFUND = describe({
  'refund.amount': 'What went back this time',
  'refund.reason': 'Why; may be missing',
  'refund.raw.amount': 'The amount in minor units',
})

const ACCOUNT = describe({ 'customer.name': 'First name, if it is one; missing otherwise' })

/** What a template of this kind may name. No link of a mail about an account is among it. */
export function variablesOf(kind: MailKind): VariableDescription[] {
  if (isAccountMail(kind)) return [...SHOP, ...ACCOUNT]
  return [...SHOP, ...ORDER, ...(kind === 'refunded' ? REFUND : [])]
}
