import { replyTo } from '@storefront/messaging'
import { CheckDiscounts } from '@storefront/contracts'
import type { z } from 'zod'
import type { CartContext } from '../context.ts'
import { findOverdueRedemptions, findRedemptionCounts } from './redemptions.queries.ts'

/** Holds are settled within seconds; while orders restarts it may take a little longer. */
const OVERDUE_MS = 5 * 60_000
const SHOWN = 100
/** Discounts whose redemptions are counted in one statement. */
const PAGE = 100
/** The requesting service waits for two seconds. */
const BUDGET_MS = 1000

type Faults = z.output<typeof CheckDiscounts.reply>

/**
 * Reports discounts whose count differs from their redemptions, for the reconciliation. A check that would take longer
 * than the timeout of the request continues with the next one. Simultaneous requests share one reply.
 */
export function replyToCheckDiscounts(context: CartContext): void {
  const { db, clock } = context
  let after = 0
  let underWay: Promise<Faults> | undefined

  async function check(): Promise<Faults> {
    const { holds, total } = await findOverdueRedemptions(db, new Date(clock.now().getTime() - OVERDUE_MS), SHOWN)
    const overdue = holds.map(({ claim, expiresAt }) => ({
      subject: claim,
      message: `is held although its deadline passed at ${expiresAt.toISOString()}`,
    }))
    const wrong: Faults['faults'] = []
    const untilMs = performance.now() + BUDGET_MS
    do {
      const page = await findRedemptionCounts(db, after, PAGE)
      for (const { code, used, redeemed } of page) {
        if (used !== redeemed) wrong.push({ subject: code, message: `counts ${used} redemptions, but has ${redeemed}` })
      }
      after = page.length < PAGE ? 0 : (page.at(-1)?.discountId ?? 0)
    } while (after !== 0 && performance.now() < untilMs)
    return { faults: [...overdue, ...wrong].slice(0, SHOWN), total: total + wrong.length }
  }

  replyTo(context, CheckDiscounts, () => {
    underWay ??= check().finally(() => (underWay = undefined))
    return underWay
  })
}
