import { sendRequest, type Messaging } from '@storefront/messaging'
import { DependencyUnavailable, type Clock, type Log } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import { SettleClaims } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findDueRedemptions, markRedeemed, releaseRedemptions } from './redemptions.queries.ts'

const BATCH = 200

/**
 * Ends held redemptions whose deadline has passed: redeemed when orders has an order on them, released when it has
 * recorded that there never will be one. While orders does not reply, nothing is released.
 * @returns whether more may be due
 */
export async function settleOverdueRedemptions(context: {
  db: Database
  messaging: Messaging
  log: Log
  clock: Clock
}): Promise<boolean> {
  const { db, messaging, log, clock } = context
  const claims = await findDueRedemptions(db, clock.now(), BATCH)
  if (claims.length === 0) return false
  let verdicts: { claim: string; verdict: 'ordered' | 'abandoned' }[]
  try {
    verdicts = (await sendRequest(messaging, SettleClaims, { claims })).verdicts
  } catch (error) {
    if (!(error instanceof DependencyUnavailable)) throw error
    log.warn({ held: claims.length }, 'overdue discount redemptions stay held until orders replies')
    return false
  }
  const claimsOf = (verdict: string) => verdicts.filter((each) => each.verdict === verdict).map((each) => each.claim)
  await transaction(db, async (tx) => {
    await releaseRedemptions(tx, claimsOf('abandoned'), ['held'])
    await markRedeemed(tx, claimsOf('ordered'))
  })
  // Claims without a verdict are requested again at the next run; another request now could loop without end.
  return claims.length === BATCH && verdicts.length > 0
}
