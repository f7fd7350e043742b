import type { FulfilledLine } from '@storefront/contracts'
import type { StoredOrder } from './order.ts'

/** Units with the names of their products, so that the timeline says what they are without looking them up. */
export function namedUnits({ document }: Pick<StoredOrder, 'document'>, units: readonly FulfilledLine[]) {
  return units.map(({ lineId, quantity }) => {
    const title = document.lines.find(({ id }) => id === lineId)?.title ?? ''
    return { lineId, title, quantity }
  })
}
