import { ask, type Messaging } from '@storefront/chassis'
import { CheckReservations, type Finding } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findClaims, findDecidedClaims, type DecidedClaim } from './books.queries.ts'

const BATCH = 500
/** So many batches are compared in one run; what is left comes with the next. */
const BATCHES = 40
/** No batch begins after this long: somebody waits for the comparison. */
const BUDGET_MS = 4000
/** With so many that do not agree no more are looked for: each is remembered until it does. */
const MOST_REMEMBERED = 5000

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

export interface CheckedHolds {
  findings: HoldFinding[]
  /** Until when everything was compared. */
  checkedUntil: string
  /** What to compare again the next time, also because there was no time for it now. */
  disagreeing: string[]
}

/**
 * Compares the holds that were decided with catalog's: goods of orders must have left the stock, and goods of checkouts that
 * were given up must not have.
 * @throws DependencyUnavailable when catalog cannot be asked
 */
export async function checkHolds(
  { db, messaging }: { db: Database; messaging: Messaging },
  { from, before, again }: Holds,
): Promise<CheckedHolds> {
  const findings = new Map<string, HoldFinding>()
  const untilMs = performance.now() + BUDGET_MS
  const hasTime = () => performance.now() < untilMs
  const check = async (holds: readonly DecidedClaim[]): Promise<void> => {
    if (holds.length === 0) return
    const { reservations } = await ask(messaging, CheckReservations, { claims: holds.map(({ claim }) => claim) })
    const standing = new Map(reservations.map(({ claim, status }) => [claim, status]))
    for (const hold of holds) {
      const finding = findingOf(hold, standing.get(hold.claim))
      if (finding) findings.set(hold.claim, finding)
    }
  }
  let left = again
  while (left.length > 0 && hasTime()) {
    await check(await findClaims(db, left.slice(0, BATCH)))
    left = left.slice(BATCH)
  }
  let checkedUntil = from
  let last = { decidedAt: from, claim: '' }
  for (let batch = 0; batch < BATCHES && hasTime() && findings.size + left.length < MOST_REMEMBERED; batch++) {
    const holds = await findDecidedClaims(db, { from: last, before, limit: BATCH })
    await check(holds)
    last = holds.at(-1) ?? last
    checkedUntil = holds.length < BATCH ? before.toISOString() : last.decidedAt
    if (holds.length < BATCH) break
  }
  const disagreeing = [...new Set([...findings.keys(), ...left])]
  return { findings: [...findings.values()], checkedUntil, disagreeing }
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
