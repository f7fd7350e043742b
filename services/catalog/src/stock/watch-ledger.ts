import { LRUCache } from 'lru-cache'
import type { Database, Tx } from '../database.ts'
import { startOfLedger, type LedgerPosition } from './ledger.queries.ts'
import { findBalances, findMovedVariants, readLastMovement } from './oversold.queries.ts'

/** The number of movements that are read again, because movements get their ids before they are committed. */
const OVERLAP = 1000
/** Movements per statement, which takes half a second if all of them are read from disk. */
const PAGE = 5000
/** Limited because a scrape waits for only a second. */
const BUDGET_MS = 300
/** The maximum number of variants that wait for a later check. */
const MAX_OPEN = 5000
/** The number of variants whose sums are kept; for others all movements are read again. */
const MAX_KNOWN = 10_000

/**
 * Compares the stock of moved variants with the sum of their movements. Sums are kept, so that a check reads only newer
 * movements, and a variant with many movements is read in several checks. check-ledger.ts checks the whole ledger
 * without kept sums.
 * @returns a function that checks, and returns the difference in units
 */
export function watchLedger(): (db: Database | Tx) => Promise<number> {
  let after: number | undefined
  const known = new LRUCache<string, LedgerPosition>({ max: MAX_KNOWN })
  /** Variants with a difference, which are checked until it is gone, even without new movements. */
  const faulty = new Map<string, number>()
  let open: readonly string[] = []

  return async (db) => {
    const last = await readLastMovement(db)
    const moved = await findMovedVariants(db, (after ?? last) - OVERLAP)
    after = last
    open = [...new Set([...open, ...moved, ...faulty.keys()])].slice(0, MAX_OPEN)
    const untilMs = performance.now() + BUDGET_MS
    do {
      const positions = open.map((variantId) => known.get(variantId) ?? startOfLedger(variantId))
      const balances = await findBalances(db, positions, PAGE)
      open = balances.filter(({ isWhole }) => !isWhole).map(({ variantId }) => variantId)
      for (const { isWhole, units, ...position } of balances) {
        known.set(position.variantId, position)
        if (!isWhole) continue
        faulty.delete(position.variantId)
        if (units === 0) continue
        faulty.set(position.variantId, units)
        // The fault may be in the kept sum, so the movements are read from the start.
        known.delete(position.variantId)
      }
    } while (open.length > 0 && performance.now() < untilMs)
    return [...faulty.values()].reduce((sum, units) => sum + units, 0)
  }
}
