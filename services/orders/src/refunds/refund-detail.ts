import { namedPieces } from '../orders/named-pieces.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { StoredRefund } from './refund.ts'

/** The pieces of a refund for an entry of the timeline; nothing for a refund of an amount alone. */
export function piecesOf(order: StoredOrder, { lines }: Pick<StoredRefund, 'lines'>): Record<string, unknown> {
  return lines === null ? {} : { lines: namedPieces(order, lines) }
}
