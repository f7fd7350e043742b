import { replyTo } from '@storefront/messaging'
import { CheckLedger } from '@storefront/contracts'
import type { z } from 'zod'
import type { CatalogContext } from '../context.ts'
import { findOverdueHolds, findPageEnd, findStockFaults, startOfLedger, type StockFault } from './ledger.queries.ts'

const SHOWN = 100
/** The most that a statement reads, which may be a part of a variant's movements. */
const PAGE = { variants: 5000, movements: 10_000 }
/** The requesting service waits for two seconds. */
const BUDGET_MS = 1000
/**
 * Holds are settled every second, so one that is overdue for this long means that orders does not reply, or a worse
 * problem.
 */
const OVERDUE_MS = 5 * 60_000

type Faults = z.output<typeof CheckLedger.reply>

/**
 * Compares the stock with its movements and with its reservations. A check that would take longer than the timeout of
 * the request, as with some hundred thousand movements, continues with the next one. Simultaneous requests share one
 * reply.
 */
export function replyToCheckLedger(context: CatalogContext): void {
  const { db, clock } = context
  let position = startOfLedger()
  let underWay: Promise<Faults> | undefined

  async function check(): Promise<Faults> {
    const overdue = await findOverdueHolds(db, new Date(clock.now().getTime() - OVERDUE_MS), SHOWN)
    const faults = overdue.holds.map(({ claim, expiresAt }) => ({
      subject: claim,
      message: `Reservation ${claim} should have ended at ${expiresAt.toISOString()} and still holds goods.`,
    }))
    let { total } = overdue
    const untilMs = performance.now() + BUDGET_MS
    do {
      const end = await findPageEnd(db, position, PAGE)
      // A page that ends within a variant's movements only adds them up.
      if (end?.variantId !== position.variantId) {
        const page = await findStockFaults(db, { from: position, until: end?.variantId }, SHOWN)
        total += page.total
        faults.push(...page.faults.flatMap(inWords))
      }
      position = end ?? startOfLedger()
    } while (position.variantId !== '' && performance.now() < untilMs)
    return { faults: faults.slice(0, SHOWN), total }
  }

  replyTo(context, CheckLedger, () => {
    underWay ??= check().finally(() => (underWay = undefined))
    return underWay
  })
}

function inWords(fault: StockFault): Faults['faults'] {
  const { variantId } = fault
  return messagesOf(fault).map((message) => ({ subject: variantId, message: `Variant ${variantId}: ${message}` }))
}

/** Describes the problem of a variant. */
function messagesOf({ onHand, reserved, movedOnHand, movedReserved, held }: StockFault): string[] {
  if (onHand === null || reserved === null) {
    return [
      `there is no stock row, but movements of ${movedOnHand} on hand and ${movedReserved} reserved, and ${held} held.`,
    ]
  }
  return [
    ...(onHand === movedOnHand ? [] : [`${onHand} on hand, but the movements add up to ${movedOnHand}.`]),
    ...(reserved === movedReserved ? [] : [`${reserved} reserved, but the movements add up to ${movedReserved}.`]),
    ...(reserved === held ? [] : [`${reserved} reserved, but the reservations hold ${held}.`]),
  ]
}
