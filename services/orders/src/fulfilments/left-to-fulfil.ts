import type { FulfilledLine, OrderStatus, Refund } from '@storefront/contracts'
import { moreThanIsLeft, orderLinesNotFound, type LineShort } from '../errors.ts'
import { mayBecome } from '../orders/transitions.ts'
import { refundedPieces } from '../refunds/refunded-lines.ts'

/** The parts of an order that decide what is still to be sent. */
export interface SendableOrder {
  status: OrderStatus
  document: { lines: readonly { id: string; title: string; quantity: number }[] }
  fulfilments: readonly { lines: readonly FulfilledLine[] }[]
  refunds: readonly Pick<Refund, 'status' | 'lines'>[]
}

/**
 * The pieces of each line that are still to be sent.
 * @param gone pieces that are not sent any more: a refund takes pieces that were not sent before those that were
 */
export function leftToFulfil(order: SendableOrder, gone = refundedPieces(order)): FulfilledLine[] {
  const { status, document, fulfilments } = order
  if (!mayBecome(status, 'fulfilled')) return []
  const sent = piecesByLine(fulfilments.flatMap(({ lines }) => lines))
  return document.lines.flatMap(({ id, quantity }) => {
    const left = quantity - (sent.get(id) ?? 0) - (gone.get(id) ?? 0)
    return left > 0 ? [{ lineId: id, quantity: left }] : []
  })
}

/** Whether a part of the order was sent, and more is to come. */
export function isPartlyFulfilled({ status, fulfilments }: Pick<SendableOrder, 'status' | 'fulfilments'>): boolean {
  return fulfilments.length > 0 && mayBecome(status, 'fulfilled')
}

/**
 * What is left after these pieces were sent as well.
 * @throws HttpError `line_not_found` for a line that the order does not have, `conflict` for more than is left
 */
export function leftAfter(order: SendableOrder, sent: readonly FulfilledLine[]): FulfilledLine[] {
  const { lines } = order.document
  const left = leftToFulfil(order)
  const leftByLine = piecesByLine(left)
  const unknown = sent.map(({ lineId }) => lineId).filter((lineId) => !lines.some(({ id }) => id === lineId))
  if (unknown.length > 0) throw orderLinesNotFound(unknown)
  const short = sent.flatMap(({ lineId, quantity }): LineShort[] => {
    const available = leftByLine.get(lineId) ?? 0
    const title = lines.find(({ id }) => id === lineId)?.title ?? ''
    return quantity > available ? [{ lineId, title, wanted: quantity, left: available }] : []
  })
  if (short.length > 0) throw moreThanIsLeft(short)
  const sentByLine = piecesByLine(sent)
  return left.flatMap(({ lineId, quantity }) => {
    const remaining = quantity - (sentByLine.get(lineId) ?? 0)
    return remaining > 0 ? [{ lineId, quantity: remaining }] : []
  })
}

function piecesByLine(lines: readonly FulfilledLine[]): Map<string, number> {
  const pieces = new Map<string, number>()
  for (const { lineId, quantity } of lines) pieces.set(lineId, (pieces.get(lineId) ?? 0) + quantity)
  return pieces
}
