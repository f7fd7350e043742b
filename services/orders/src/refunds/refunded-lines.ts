import {
  unitsToRefund,
  priceOfUnits,
  type FulfilledLine,
  type OrderStatus,
  type Refund,
  type RefundedLine,
} from '@storefront/contracts'
import { moreThanRefundable, orderLinesNotFound, type LineShort } from '../errors.ts'
import type { StoredOrder } from '../orders/order.ts'
import { orderOfUnits } from '../orders/paid-for-lines.ts'

export type WantedLine = Pick<RefundedLine, 'lineId' | 'quantity' | 'restock'>
type RefundOfLines = Pick<Refund, 'status' | 'lines'>

/**
 * The units of a new refund, with what the buyer paid for them.
 * @throws HttpError `line_not_found` for a line that the order does not have, `conflict` for more units than are left
 */
export function linesToRefund(
  order: Pick<StoredOrder, 'document' | 'refunds'>,
  wanted: readonly WantedLine[],
): RefundedLine[] {
  const { lines } = order.document
  const units = orderOfUnits(order)
  const left = unitsToRefund(units)
  const unknown = wanted.map(({ lineId }) => lineId).filter((lineId) => !left.has(lineId))
  if (unknown.length > 0) throw orderLinesNotFound(unknown)
  const short = wanted.flatMap(({ lineId, quantity }): LineShort[] => {
    const available = left.get(lineId) ?? 0
    const title = lines.find(({ id }) => id === lineId)?.title ?? ''
    return quantity > available ? [{ lineId, title, wanted: quantity, left: available }] : []
  })
  if (short.length > 0) throw moreThanRefundable(short)
  return priceOfUnits(units, wanted).map((line, index) => ({
    ...line,
    restock: wanted[index]?.restock === true,
    restocked: 0,
  }))
}

/** The units of each line that are refunded or about to be: they are no longer sent. */
export function refundedUnits({ refunds }: { refunds: readonly RefundOfLines[] }): ReadonlyMap<string, number> {
  return countUnits(refunds, ({ status }) => status !== 'failed')
}

/**
 * The units of each line that refunds have returned or kept off sale for good: when the order ends, only the others are
 * returned. Among these are units that a pending refund would return, because it may fail; that refund then returns
 * nothing.
 */
export function decidedUnits({ refunds }: { refunds: readonly RefundOfLines[] }): ReadonlyMap<string, number> {
  return countUnits(refunds, ({ status }, { restock }) => status === 'succeeded' || (status === 'pending' && !restock))
}

/** Units that were returned to the stock stay there when their refund is reversed. */
function countUnits(
  refunds: readonly RefundOfLines[],
  counts: (refund: RefundOfLines, line: RefundedLine) => boolean,
): Map<string, number> {
  const counted = new Map<string, number>()
  const restocked = new Map<string, number>()
  const add = (sums: Map<string, number>, lineId: string, units: number) =>
    sums.set(lineId, (sums.get(lineId) ?? 0) + units)
  for (const refund of refunds)
    for (const line of refund.lines ?? []) {
      add(counted, line.lineId, counts(refund, line) ? line.quantity : 0)
      add(restocked, line.lineId, line.restocked)
    }
  return new Map([...counted].map(([lineId, units]) => [lineId, Math.max(units, restocked.get(lineId) ?? 0)]))
}

export interface OrderOfReturns {
  status: OrderStatus
  restockedAt: Date | null
  document: { lines: readonly { id: string; quantity: number }[] }
  refunds: readonly (RefundOfLines & { id: string })[]
}

/**
 * The units that a successful refund of this order returns to the stock. None after the order was canceled or its
 * goods returned, which decided about all of them; and none for units that an earlier refund returned before it was
 * reversed.
 */
export function unitsToRestock({ status, restockedAt, document, refunds }: OrderOfReturns, id: string) {
  const lines = refunds.find((refund) => refund.id === id)?.lines ?? []
  if (status === 'cancelled' || restockedAt !== null) return []
  const all = refunds.flatMap((refund) => (refund.lines ?? []).map((line) => ({ ...line, status: refund.status })))
  return lines.flatMap(({ lineId, quantity, restock }): FulfilledLine[] => {
    if (!restock) return []
    const bought = document.lines.find((line) => line.id === lineId)?.quantity ?? 0
    const ofLine = all.filter((line) => line.lineId === lineId)
    const wanted = sum(ofLine.map((line) => (line.restock && line.status === 'succeeded' ? line.quantity : 0)))
    const restocked = sum(ofLine.map((line) => line.restocked))
    const units = Math.min(quantity, wanted - restocked, bought - restocked)
    return units > 0 ? [{ lineId, quantity: units }] : []
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
