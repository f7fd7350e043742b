import type { FulfilledLine } from '@storefront/contracts'
import type { StoredOrder } from './order.ts'

/** Pieces with the names of their products, so that the timeline says what they are without looking them up. */
export function namedPieces({ document }: Pick<StoredOrder, 'document'>, pieces: readonly FulfilledLine[]) {
  return pieces.map(({ lineId, quantity }) => {
    const title = document.lines.find(({ id }) => id === lineId)?.title ?? ''
    return { lineId, title, quantity }
  })
}
