import { Reconciliation } from '@storefront/contracts'
import { sendChanges } from '@storefront/messaging'
import { every, MINUTE_MS, type Timer } from '@storefront/service'
import type { OrdersContext } from '../context.ts'
import type { Database } from '../database.ts'
import { findReport, saveReport } from './ledger.queries.ts'
import { compareLedgers, SETTLED_AFTER_MS } from './compare-ledgers.ts'

/** Before the first comparison, nothing is known to be right or wrong. */
const NEVER: Reconciliation = {
  items: [],
  total: 0,
  repaired: [],
  ok: false,
  unasked: [],
  checkedAt: null,
  durationMs: 0,
}
const EVERY_MS = 5 * MINUTE_MS
/** Less than that: when another replica has just compared, this one need not. */
const FRESH_FOR_MS = 4 * MINUTE_MS

/** The last comparison, whichever replica made it. */
export async function lastReconciliation(db: Database): Promise<Reconciliation> {
  const found = await findReport(db)
  return found ? Reconciliation.parse(found.report) : NEVER
}

export interface Reconciler {
  /**
   * Compares now and stores the report. A process does it once at a time: all concurrent callers get the
   * report of the next comparison, with the longest settling time that any of them requested.
   * @param settledAfterMs see `compareLedgers`
   */
  reconcile: (settledAfterMs?: number) => Promise<Reconciliation>
  /** The same, unless it was done a moment ago. */
  reconcileWhenDue: () => Promise<void>
}

/** Two replicas may compare at once: nothing is done twice, and the progress that either stores is correct. */
export function createReconciler(context: OrdersContext): Reconciler {
  const { db, clock } = context
  let current: Promise<unknown> | undefined
  let next: { settledAfterMs: number; done: Promise<Reconciliation> } | undefined

  function begin(settledAfterMs: number): Promise<Reconciliation> {
    const run = compareAndKeep(context, settledAfterMs).finally(() => {
      if (current === run) current = undefined
    })
    current = run
    return run
  }

  function reconcile(settledAfterMs: number = SETTLED_AFTER_MS): Promise<Reconciliation> {
    if (!current) return begin(settledAfterMs)
    if (next) {
      next.settledAfterMs = Math.max(next.settledAfterMs, settledAfterMs)
      return next.done
    }
    const waiting = { settledAfterMs, done: Promise.resolve(current).then(after, after) }
    next = waiting
    return waiting.done
  }

  function after(): Promise<Reconciliation> {
    const settledAfterMs = next?.settledAfterMs ?? SETTLED_AFTER_MS
    next = undefined
    return begin(settledAfterMs)
  }

  return {
    reconcile,
    async reconcileWhenDue() {
      const { checkedAt } = await lastReconciliation(db)
      if (checkedAt !== null && clock.now().getTime() - new Date(checkedAt).getTime() < FRESH_FOR_MS) return
      await reconcile()
    },
  }
}

export function reconcileAgain({ log }: OrdersContext, reconciler: Reconciler): Timer {
  return every(EVERY_MS, 'reconcile', log, () => reconciler.reconcileWhenDue())
}

async function compareAndKeep(context: OrdersContext, settledAfterMs: number): Promise<Reconciliation> {
  const { db, log, messaging } = context
  const found = await findReport(db)
  const previous = found && { progress: found, items: Reconciliation.parse(found.report).items }
  const { report, progress } = await compareLedgers(context, previous, settledAfterMs)
  await saveReport(db, report, progress)
  sendChanges(messaging, ['attention'])
  for (const each of report.repaired) log.warn(each, 'reconciliation repaired an inconsistency')
  for (const each of report.items.slice(0, 20)) log.error(each, 'reconciliation found an inconsistency')
  return report
}
