import { LRUCache } from 'lru-cache'
import type { Database, Tx } from '../database.ts'
import { startOfLedger, type LedgerPlace } from './ledger.queries.ts'
import { findBalances, findMovedVariants, readLastMovement } from './oversold.queries.ts'

/** Movements get their numbers before they commit: late commits are searched for among this many before the last. */
const OVERLAP = 1000
/** Movements per statement, which takes half a second even when each of them is read from a disk. */
const PAGE = 5000
/** A scrape waits for a second. */
const BUDGET_MS = 300
/** Variants that wait to be read further. */
const MAX_OPEN = 5000
/** Variants whose sums are known; of others all movements are read again. */
const MAX_KNOWN = 10_000

/**
 * Compares the stock of variants that were moved with the sum of their movements. Sums are kept, so that a check reads
 * only what was moved since, and a variant with many movements is read in several checks. The check of the whole ledger
 * keeps none from round to round (check-ledger.ts).
 * @returns a check, which returns the difference in units
 */
export function watchLedger(): (db: Database | Tx) => Promise<number> {
  let after: number | undefined
  const known = new LRUCache<string, LedgerPlace>({ max: MAX_KNOWN })
  /** Variants that are wrong, with the difference: they are checked until they are right again, even without movements. */
  const faulty = new Map<string, number>()
  let open: readonly string[] = []

  return async (db) => {
    const last = await readLastMovement(db)
    const moved = await findMovedVariants(db, (after ?? last) - OVERLAP)
    after = last
    open = [...new Set([...open, ...moved, ...faulty.keys()])].slice(0, MAX_OPEN)
    const untilMs = performance.now() + BUDGET_MS
    do {
      const places = open.map((variantId) => known.get(variantId) ?? startOfLedger(variantId))
      const balances = await findBalances(db, places, PAGE)
      open = balances.filter(({ isWhole }) => !isWhole).map(({ variantId }) => variantId)
      for (const { isWhole, units, ...place } of balances) {
        known.set(place.variantId, place)
        if (!isWhole) continue
        faulty.delete(place.variantId)
        if (units === 0) continue
        faulty.set(place.variantId, units)
        // The fault may be in the sum: it is read from the start again.
        known.delete(place.variantId)
      }
    } while (open.length > 0 && performance.now() < untilMs)
    return [...faulty.values()].reduce((sum, units) => sum + units, 0)
  }
}
