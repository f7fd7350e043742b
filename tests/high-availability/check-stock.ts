import type { Evidence } from './evidence.ts'
import type { OrderRecord } from './order-record.ts'
import type { Violation } from './violation.ts'

/**
 * The stock went down by the units that were sold. Units of a lost order may have left the stock or not: the order is
 * the violation, and either is accepted.
 */
export function checkStock({ before, after, placed, lost }: Evidence): Violation[] {
  const sold = addUp(placed.map(unitsSold))
  const uncertain = addUp(lost.map(({ seen }) => (seen ? unitsSold(seen) : new Map())))
  const levels = new Map(after.stock.map((level) => [level.variantId, level]))
  return before.stock.flatMap(({ variantId, onHand: atStart }) => {
    const { onHand, reserved } = levels.get(variantId) ?? { onHand: 0, reserved: 0 }
    const most = atStart - (sold.get(variantId) ?? 0)
    const least = most - (uncertain.get(variantId) ?? 0)
    const shown = `stock ${atStart}, ${atStart - most} units sold, ${onHand} left, ${reserved} of them reserved`
    const report = (kind: 'units oversold' | 'units lost', units: number): Violation[] => [
      { kind, subject: variantId, message: `${units} units: ${shown}` },
    ]
    if (onHand > most) return report('units oversold', onHand - most)
    if (onHand < least) return report('units lost', least - onHand)
    // More units than there are: the balance alone does not show it.
    if (onHand < reserved || reserved < 0) return report('units oversold', Math.abs(onHand - reserved))
    return []
  })
}

/** Units by variant that an order took and did not return. */
export function unitsSold({ status, attention, lines, refunds }: OrderRecord): Map<string, number> {
  const units = new Map<string, number>()
  // An order without goods was placed for a late payment, and took none.
  const tookNone = status === 'cancelled' || attention === 'out_of_stock' || refunds.some(({ restocked }) => restocked)
  if (tookNone) return units
  const returned = refunds.flatMap((refund) => refund.lines)
  for (const { id, variantId, quantity } of lines) {
    const unitsBack = returned.filter(({ lineId }) => lineId === id).reduce((sum, { restocked }) => sum + restocked, 0)
    units.set(variantId, (units.get(variantId) ?? 0) + quantity - unitsBack)
  }
  return units
}

/** @returns the sums by key */
export function addUp(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [key, value] of all.flatMap((each) => [...each])) sums.set(key, (sums.get(key) ?? 0) + value)
  return sums
}
