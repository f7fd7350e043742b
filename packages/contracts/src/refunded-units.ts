// In a separate file, because the console loads it without the schemas.
import type { Money } from './money.ts'
import { portionOf } from './portion-of.ts'

/** Units of a line of an order. */
export interface Units {
  lineId: string
  quantity: number
}

/** Units, with what the buyer paid for them. */
interface PricedUnits extends Units {
  amount: Money
}

/** The parts of an order that decide what its units cost the buyer, and which are refunded. */
export interface OrderOfUnits {
  lines: readonly { id: string; quantity: number; unitPrice: Money }[]
  /** What the buyer paid for all lines, after the discount and with their tax. */
  paidForLines: Money
  refunds: readonly { status: 'pending' | 'succeeded' | 'failed'; lines?: readonly PricedUnits[] | undefined }[]
}

/** How many units of each line may still be refunded, by its id. Pending refunds count, and failed ones do not. */
export function unitsToRefund(order: OrderOfUnits): Map<string, number> {
  const refunded = refundedOf(order)
  return new Map(order.lines.map(({ id, quantity }) => [id, Math.max(0, quantity - (refunded.get(id)?.quantity ?? 0))]))
}

/**
 * What the buyer paid for units: their price after their share of the discount and with their tax. An order has only
 * one discount and one tax, so both are spread over the lines by price. Each amount is the difference of two sums that
 * are rounded once, less what earlier refunds of the line had: all units together are exactly `paidForLines`, in
 * whatever parts and order they are refunded.
 * @param wanted units of different lines, of each at most what `unitsToRefund` says
 */
export function priceOfUnits(order: OrderOfUnits, wanted: readonly Units[]): PricedUnits[] {
  const refunded = refundedOf(order)
  const { amount: paid, currency } = order.paidForLines
  const starts = new Map<string, { start: number; unitPrice: number }>()
  let listTotal = 0
  for (const { id, quantity, unitPrice } of order.lines) {
    starts.set(id, { start: listTotal, unitPrice: unitPrice.amount })
    listTotal += unitPrice.amount * quantity
  }
  const paidUpTo = (price: number) => (listTotal === 0 ? 0 : portionOf(price, paid, listTotal))
  return wanted.map(({ lineId, quantity }) => {
    const line = starts.get(lineId)
    const before = refunded.get(lineId) ?? { quantity: 0, amount: 0 }
    if (!line) return { lineId, quantity, amount: { amount: 0, currency } }
    const end = line.start + line.unitPrice * (before.quantity + quantity)
    const amount = Math.max(0, paidUpTo(end) - paidUpTo(line.start) - before.amount)
    return { lineId, quantity, amount: { amount, currency } }
  })
}

/** What refunds that did not fail are for, by the id of the line. */
function refundedOf({ refunds }: OrderOfUnits): Map<string, { quantity: number; amount: number }> {
  const refunded = new Map<string, { quantity: number; amount: number }>()
  for (const { status, lines = [] } of refunds) {
    if (status === 'failed') continue
    for (const { lineId, quantity, amount } of lines) {
      const before = refunded.get(lineId) ?? { quantity: 0, amount: 0 }
      refunded.set(lineId, { quantity: before.quantity + quantity, amount: before.amount + amount.amount })
    }
  }
  return refunded
}
