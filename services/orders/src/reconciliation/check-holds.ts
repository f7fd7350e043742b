import { ask, type Messaging } from '@storefront/chassis'
import { CheckReservations, type Finding } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findClaims, findDecidedClaims, type DecidedClaim } from './books.queries.ts'

const BATCH = 500
/** So many batches are compared in one run; what is left comes with the next. */
const BATCHES = 40

/** Something about a hold that does not agree. */
export interface HoldFinding extends Finding {
  claim: string
}

interface Holds {
  /** From this moment, as text, because a Date would lose the microseconds. */
  from: string
  before: Date
  /** Holds that did not agree the last time: whatever does not heal stays on the report. */
  again: readonly string[]
}

/**
 * Compares the holds that were decided with catalog's: goods of orders must have left the stock, and goods of checkouts that
 * were given up must not have.
 * @returns what does not agree, and until when everything was compared
 * @throws DependencyUnavailable when catalog cannot be asked
 */
export async function checkHolds(
  { db, messaging }: { db: Database; messaging: Messaging },
  { from, before, again }: Holds,
): Promise<{ findings: HoldFinding[]; checkedUntil: string }> {
  const findings = new Map<string, HoldFinding>()
  const check = async (holds: readonly DecidedClaim[]): Promise<void> => {
    if (holds.length === 0) return
    const { reservations } = await ask(messaging, CheckReservations, { claims: holds.map(({ claim }) => claim) })
    const standing = new Map(reservations.map(({ claim, status }) => [claim, status]))
    for (const hold of holds) {
      const finding = findingOf(hold, standing.get(hold.claim))
      if (finding) findings.set(hold.claim, finding)
    }
  }
  for (let start = 0; start < again.length; start += BATCH) {
    await check(await findClaims(db, again.slice(start, start + BATCH)))
  }
  let last = { decidedAt: from, claim: '' }
  for (let batch = 0; batch < BATCHES; batch++) {
    const holds = await findDecidedClaims(db, { from: last, before, limit: BATCH })
    await check(holds)
    if (holds.length < BATCH) return { findings: [...findings.values()], checkedUntil: before.toISOString() }
    last = holds.at(-1) ?? last
  }
  return { findings: [...findings.values()], checkedUntil: last.decidedAt }
}

function findingOf(
  { claim, order }: DecidedClaim,
  status: 'held' | 'sold' | 'released' | undefined,
): HoldFinding | undefined {
  if (!order) {
    if (status !== 'sold') return undefined
    return {
      claim,
      kind: 'goods_without_order',
      subject: claim,
      message:
        'These goods were sold for a checkout that became no order. Set the stock of its variants right by hand.',
    }
  }
  if (status === 'sold') return undefined
  if (status === 'held') {
    return {
      claim,
      kind: 'order_not_sold_yet',
      subject: order.id,
      message: `The goods of order ${order.number} are still held and not sold. Look whether catalog hears order.placed.`,
    }
  }
  const what = status === 'released' ? 'were given back' : 'catalog does not know'
  return {
    claim,
    kind: 'order_without_goods',
    subject: order.id,
    message: `Order ${order.number} stands on goods that ${what}. Check its stock before it is sent.`,
  }
}
