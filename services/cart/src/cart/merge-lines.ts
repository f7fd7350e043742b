import { MAX_CART_LINES, MAX_LINE_QUANTITY, type PriceEntry } from '@storefront/contracts'
import type { StoredLine } from './stored-cart.ts'

/** Ids of lines that were merged into this one, which an open page may still use; the newest are kept. */
const MAX_FORMER_IDS = 20

/**
 * The lines of a customer's cart together with those of the guest cart that is merged into it. All of the customer's
 * lines stay; of the guest's, the newest that there is room for.
 */
export function mergeLines(
  own: readonly StoredLine[],
  guests: readonly StoredLine[],
  entries: ReadonlyMap<string, Pick<PriceEntry, 'inventory'>>,
): StoredLine[] {
  const others = new Map(guests.map((line) => [line.variantId, line]))
  const merged = own.map((line) => {
    const other = others.get(line.variantId)
    if (!other) return line
    others.delete(line.variantId)
    return {
      ...line,
      quantity: joinedQuantity(line.quantity, other.quantity, entries.get(line.variantId)?.inventory),
      formerIds: [...(line.formerIds ?? []), ...(other.formerIds ?? []), other.id].slice(-MAX_FORMER_IDS),
    }
  })
  const room = Math.max(0, MAX_CART_LINES - merged.length)
  return [...merged, ...(room === 0 ? [] : [...others.values()].slice(-room))]
}

/**
 * Quantities add up to the available stock. A chosen quantity is never reduced by a merge: the checkout reports what is
 * missing.
 */
function joinedQuantity(own: number, guests: number, inventory = MAX_LINE_QUANTITY): number {
  return Math.max(own, guests, Math.min(own + guests, inventory, MAX_LINE_QUANTITY))
}
