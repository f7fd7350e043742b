import { ask, isOutage } from '@storefront/chassis'
import { CheckDiscounts, CheckLedger, type Finding, type Reconciliation } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { askAboutEndedSessions } from './ask-about-ended-sessions.ts'
import { findFaults } from './books.queries.ts'
import { checkHolds } from './check-holds.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** An event is heard within a second, or within a few after a crash. */
const SETTLED_AFTER_MS = MINUTE_MS
const OVERDUE_AFTER_MS = 10 * MINUTE_MS
const COMPARED_FOR_MS = 3 * DAY_MS
/** Longer than the transaction of a checkout can take, whose verdict is older than its commit. */
const OVERLAP_MS = 2 * MINUTE_MS
const MOST_FINDINGS = 1000

/** Until when holds were compared with the stock, and those that did not agree. */
export interface Progress {
  checkedUntil: string
  disagreeing: string[]
}

/**
 * Compares orders, payments, refunds, holds, stock and discounts; puts right what can be put right without a person, and
 * reports the rest. What nobody can be asked about now is named, and compared the next time.
 * @param progress of the comparison before, if there was one
 * @param settledAfterMs how old something must be to be compared; what is younger may still be on its way
 */
export async function compareBooks(
  context: OrdersContext,
  progress: Progress | undefined,
  settledAfterMs: number = SETTLED_AFTER_MS,
): Promise<{ report: Reconciliation; progress: Progress }> {
  const { db, clock, messaging } = context
  const startedAt = clock.now()
  const ago = (ms: number) => new Date(startedAt.getTime() - ms)
  const from = progress?.checkedUntil ?? ago(COMPARED_FOR_MS).toISOString()
  const again = progress?.disagreeing ?? []
  const before = ago(settledAfterMs)
  const unasked: string[] = []
  const unlessAway = async <Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (!isOutage(error)) throw error
      unasked.push(name)
      return undefined
    }
  }

  const repaired = await askAboutEndedSessions(context)
  const faults = await findFaults(db, {
    settled: before,
    overdue: ago(Math.max(OVERDUE_AFTER_MS, settledAfterMs)),
    since: ago(COMPARED_FOR_MS),
  })
  const holds = await unlessAway('catalog', () => checkHolds(context, { from, before, again }))
  const ledger = await unlessAway('catalog', () => ask(messaging, CheckLedger, {}))
  const discounts = await unlessAway('cart', () => ask(messaging, CheckDiscounts, {}))
  const elsewhere = (kind: string, answer: typeof ledger): Finding[] =>
    answer?.faults.map((fault) => ({ kind, ...fault })) ?? []

  const findings = [
    ...faults,
    ...(holds?.findings.map(({ claim: _claim, ...finding }) => finding) ?? []),
    ...elsewhere('ledger', ledger),
    ...elsewhere('discounts', discounts),
  ]
  const hidden = [ledger, discounts].reduce(
    (sum, answer) => sum + (answer ? answer.total - answer.faults.length : 0),
    0,
  )
  return {
    report: {
      items: findings.slice(0, MOST_FINDINGS),
      total: findings.length + hidden,
      repaired,
      ok: findings.length === 0 && unasked.length === 0,
      unasked: [...new Set(unasked)],
      checkedAt: startedAt.toISOString(),
      durationMs: clock.now().getTime() - startedAt.getTime(),
    },
    progress: {
      checkedUntil: earlier(holds?.checkedUntil ?? from, ago(settledAfterMs + OVERLAP_MS)),
      disagreeing: holds ? holds.findings.map(({ claim }) => claim).slice(0, MOST_FINDINGS) : [...again],
    },
  }
}

function earlier(text: string, latest: Date): string {
  return new Date(text) < latest ? text : latest.toISOString()
}
