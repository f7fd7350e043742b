import { unitsToRefund, priceOfUnits, type OrderOfUnits, type Units } from '@storefront/contracts/refunded-units'
import type { Order } from './orders-queries.ts'

export interface RefundChoice {
  /** Units to refund, by the id of the line. */
  units: Readonly<Record<string, number>>
  shipping: boolean
}

export const NOTHING: RefundChoice = { units: {}, shipping: false }

export function everythingOf(order: Order): RefundChoice {
  return { units: Object.fromEntries(refundableUnits(order)), shipping: order.shipping.amount > 0 }
}

/** How many units of each line may still be refunded, by its id. The orders service counts them again. */
export function refundableUnits(order: Order): ReadonlyMap<string, number> {
  return unitsToRefund(withPrices(order))
}

/** The chosen units as a refund has them: of each line at most what is left. */
export function chosenUnits(order: Order, { units }: RefundChoice): Units[] {
  return [...refundableUnits(order)].flatMap(([lineId, left]) => {
    const quantity = Math.min(units[lineId] ?? 0, left)
    return quantity > 0 ? [{ lineId, quantity }] : []
  })
}

/** What the buyer paid for the chosen units and the shipping, in the smallest unit. */
export function amountOf(order: Order, choice: RefundChoice): number {
  const priced = withPrices(order)
  const units = priceOfUnits(priced, chosenUnits(order, choice))
  const shipping = choice.shipping ? order.total.amount - priced.paidForLines.amount : 0
  return units.reduce((sum, { amount }) => sum + amount.amount, shipping)
}

function withPrices({ lines, refunds, paidForLines, total, shipping }: Order): OrderOfUnits {
  return { lines, refunds, paidForLines: paidForLines ?? { ...total, amount: total.amount - shipping.amount } }
}
