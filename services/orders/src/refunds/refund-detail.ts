import { namedUnits } from '../orders/named-units.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { StoredRefund } from './refund.ts'

/** The units of a refund for an entry of the timeline; nothing for a refund of an amount alone. */
export function unitsOf(order: StoredOrder, { lines }: Pick<StoredRefund, 'lines'>): Record<string, unknown> {
  return lines === null ? {} : { lines: namedUnits(order, lines) }
}
