import { sendRequest, type Messaging } from '@storefront/messaging'
import { CheckReservations, type Finding } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findClaims, findDecidedClaims, type DecidedClaim } from './ledger.queries.ts'

const BATCH = 500
/** The maximum number of batches in one run; the next run continues. */
const BATCHES = 40
/** No batch starts after this long: a caller waits for the comparison. */
const BUDGET_MS = 4000
/** With this many disagreements the comparison stops: each is remembered until it agrees. */
const MAX_REMEMBERED = 5000

/** A disagreement about a hold. */
interface HoldFinding extends Finding {
  claim: string
}

interface Holds {
  /** From this moment, as text, because a Date would lose the microseconds. */
  from: string
  before: Date
  /** Holds that disagreed the last time: they stay in the report until they agree. */
  again: readonly string[]
}

interface CheckedHolds {
  findings: HoldFinding[]
  /** The time until which everything was compared. */
  checkedUntil: string
  /** What to compare again the next time, including what there was no time for now. */
  disagreeing: string[]
}

/**
 * Compares the decided holds with catalog's: goods of orders must have left the stock, and goods of checkouts that
 * were released must not have.
 * @throws DependencyUnavailable when catalog cannot be reached
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
    const { reservations } = await sendRequest(messaging, CheckReservations, {
      claims: holds.map(({ claim }) => claim),
    })
    const statuses = new Map(reservations.map(({ claim, status }) => [claim, status]))
    for (const hold of holds) {
      const finding = findingOf(hold, statuses.get(hold.claim))
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
  for (let batch = 0; batch < BATCHES && hasTime() && findings.size + left.length < MAX_REMEMBERED; batch++) {
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
      message: 'These goods were sold for a checkout that became no order. Correct the stock of its variants by hand.',
    }
  }
  if (status === 'sold') return undefined
  if (status === 'held') {
    return {
      claim,
      kind: 'order_not_sold_yet',
      subject: order.id,
      message: `The goods of order ${order.number} are still reserved and not sold. Check whether catalog consumes order.placed.`,
    }
  }
  const what = status === 'released' ? 'were released' : 'are unknown to catalog'
  return {
    claim,
    kind: 'order_without_goods',
    subject: order.id,
    message: `The goods of order ${order.number} ${what}. Check its stock before it is sent.`,
  }
}
