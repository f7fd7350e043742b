import { ask, DependencyUnavailable, transaction, type Clock, type Log, type Messaging } from '@storefront/chassis'
import { SettleClaims } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findDueUses, markUsed, releaseUses } from './uses.queries.ts'

const BATCH = 200

/**
 * Ends held uses whose deadline has passed: used when orders has an order on them, given back when it has recorded that there
 * never will be one. While orders cannot be asked, nothing is given back.
 */
export async function settleOverdueUses(context: {
  db: Database
  messaging: Messaging
  log: Log
  clock: Clock
}): Promise<void> {
  const { db, messaging, log, clock } = context
  for (;;) {
    const claims = await findDueUses(db, clock.now(), BATCH)
    if (claims.length === 0) return
    let verdicts: { claim: string; verdict: 'ordered' | 'abandoned' }[]
    try {
      verdicts = (await ask(messaging, SettleClaims, { claims })).verdicts
    } catch (error) {
      if (!(error instanceof DependencyUnavailable)) throw error
      log.warn({ held: claims.length }, 'uses of discount codes are due, but orders cannot be asked: they stay held')
      return
    }
    const claimsOf = (verdict: string) => verdicts.filter((each) => each.verdict === verdict).map((each) => each.claim)
    await transaction(db, async (tx) => {
      await releaseUses(tx, claimsOf('abandoned'), ['held'])
      await markUsed(tx, claimsOf('ordered'))
    })
    // What was not answered is asked about the next time, and not at once for ever.
    if (claims.length < BATCH || verdicts.length === 0) return
  }
}
