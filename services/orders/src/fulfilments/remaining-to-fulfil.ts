import type { FulfilledLine, OrderStatus, Refund } from '@storefront/contracts'
import { moreThanRemaining, orderLinesNotFound, type LineShort } from '../errors.ts'
import { mayBecome } from '../orders/transitions.ts'
import { refundedUnits } from '../refunds/refunded-lines.ts'

/** The parts of an order that decide what is still to be sent. */
export interface SendableOrder {
  status: OrderStatus
  document: { lines: readonly { id: string; title: string; quantity: number }[] }
  fulfilments: readonly { lines: readonly FulfilledLine[] }[]
  refunds: readonly Pick<Refund, 'status' | 'lines'>[]
}

/**
 * The units of each line that are still to be sent.
 * @param gone units that will not be sent, because they were refunded
 */
export function remainingToFulfil(order: SendableOrder, gone = refundedUnits(order)): FulfilledLine[] {
  const { status, document, fulfilments } = order
  if (!mayBecome(status, 'fulfilled')) return []
  const sent = unitsByLine(fulfilments.flatMap(({ lines }) => lines))
  return document.lines.flatMap(({ id, quantity }) => {
    const left = quantity - (sent.get(id) ?? 0) - (gone.get(id) ?? 0)
    return left > 0 ? [{ lineId: id, quantity: left }] : []
  })
}

/** The units of each line that were sent or are still to be sent: those that were refunded before are neither. */
export function unitsToPack(order: SendableOrder): ReadonlyMap<string, number> {
  const { status, document, fulfilments } = order
  const sent = unitsByLine(fulfilments.flatMap(({ lines }) => lines))
  // It was canceled before anything was sent, or sent by an older version, which stored no parcels.
  const isWhole = fulfilments.length === 0 && !mayBecome(status, 'fulfilled')
  const gone = isWhole ? new Map<string, number>() : refundedUnits(order)
  return new Map(
    document.lines.map(({ id, quantity }) => [id, Math.max(sent.get(id) ?? 0, quantity - (gone.get(id) ?? 0))]),
  )
}

/** Whether a part of the order was sent, and more is to come. */
export function isPartlyFulfilled({ status, fulfilments }: Pick<SendableOrder, 'status' | 'fulfilments'>): boolean {
  return fulfilments.length > 0 && mayBecome(status, 'fulfilled')
}

/**
 * What is left after these units were sent as well.
 * @throws HttpError `line_not_found` for a line that the order does not have, `conflict` for more than is left
 */
export function remainingAfter(order: SendableOrder, sent: readonly FulfilledLine[]): FulfilledLine[] {
  const { lines } = order.document
  const left = remainingToFulfil(order)
  const leftByLine = unitsByLine(left)
  const unknown = sent.map(({ lineId }) => lineId).filter((lineId) => !lines.some(({ id }) => id === lineId))
  if (unknown.length > 0) throw orderLinesNotFound(unknown)
  const short = sent.flatMap(({ lineId, quantity }): LineShort[] => {
    const available = leftByLine.get(lineId) ?? 0
    const title = lines.find(({ id }) => id === lineId)?.title ?? ''
    return quantity > available ? [{ lineId, title, wanted: quantity, left: available }] : []
  })
  if (short.length > 0) throw moreThanRemaining(short)
  const sentByLine = unitsByLine(sent)
  return left.flatMap(({ lineId, quantity }) => {
    const remaining = quantity - (sentByLine.get(lineId) ?? 0)
    return remaining > 0 ? [{ lineId, quantity: remaining }] : []
  })
}

function unitsByLine(lines: readonly FulfilledLine[]): Map<string, number> {
  const units = new Map<string, number>()
  for (const { lineId, quantity } of lines) units.set(lineId, (units.get(lineId) ?? 0) + quantity)
  return units
}
