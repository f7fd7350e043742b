import type { Order } from './orders-queries.ts'

export interface RefundChoice {
  /** Units to refund, by the id of the line. */
  units: Readonly<Record<string, number>>
  shipping: boolean
}

export const NOTHING: RefundChoice = { units: {}, shipping: false }

export function everythingOf({ lines, shipping }: Order): RefundChoice {
  return { units: Object.fromEntries(lines.map(({ id, quantity }) => [id, quantity])), shipping: shipping.amount > 0 }
}

/**
 * What the buyer paid for the chosen units and the shipping, in the smallest unit. A discount and tax are spread evenly:
 * the shop records them for the whole order only.
 */
export function amountOf(order: Order, choice: RefundChoice, shippingTaxed: boolean): number {
  const goods = order.subtotal.amount - order.discount.amount
  const shipping = order.shipping.amount
  // Zero when prices contain the tax.
  const addedTax = Math.max(0, order.total.amount - goods - shipping)
  const taxed = goods + shipping
  const shippingTax = shippingTaxed && taxed > 0 ? Math.round((addedTax * shipping) / taxed) : 0
  const chosen = order.lines.reduce((sum, { id, unitPrice }) => sum + unitPrice.amount * (choice.units[id] ?? 0), 0)
  const share = order.subtotal.amount === 0 ? 0 : chosen / order.subtotal.amount
  return Math.round((goods + addedTax - shippingTax) * share) + (choice.shipping ? shipping + shippingTax : 0)
}
