import { sendRequest } from '@storefront/messaging'
import { isOutage } from '@storefront/postgres'
import { MINUTE_MS, DAY_MS, type Log } from '@storefront/service'
import {
  CheckDiscounts,
  CheckEmailAddresses,
  CheckLedger,
  type Finding,
  type Reconciliation,
} from '@storefront/contracts'
import { findUnusableAddresses } from '../addresses/find-unusable-addresses.ts'
import type { OrdersContext } from '../context.ts'
import { inspectEndedSessions } from './inspect-ended-sessions.ts'
import { findFaults, type ComparisonScope } from './ledger.queries.ts'
import { checkHolds } from './check-holds.ts'

/** An event is consumed within a second, or within a few after a crash. */
export const SETTLED_AFTER_MS = MINUTE_MS
const OVERDUE_AFTER_MS = 10 * MINUTE_MS
const COMPARED_FOR_MS = 3 * DAY_MS
/** Catalog deletes a hold after thirty days, and then cannot report it. */
const KNOWN_FOR_MS = 25 * DAY_MS
/** Longer than the transaction of a checkout can take, because its decision is older than its commit. */
const OVERLAP_MS = 2 * MINUTE_MS
const MAX_FINDINGS = 1000

/** The time until which holds were compared with the stock, and those that disagreed. */
export interface Progress {
  checkedUntil: string
  disagreeing: string[]
}

/**
 * Compares orders, payments, refunds, holds, stock and discounts; repairs what needs no person, and reports the other
 * findings. Sources that cannot be reached are named, and compared the next time. Safe to run concurrently.
 * @param previous the comparison before, if there was one
 * @param settledAfterMs how old a record must be to be compared; younger ones may still be in progress
 */
export async function compareLedgers(
  context: OrdersContext,
  previous: { progress: Progress; items: readonly Finding[] } | undefined,
  settledAfterMs: number,
): Promise<{ report: Reconciliation; progress: Progress }> {
  const { db, clock, messaging, log } = context
  const startedAt = clock.now()
  const startedMs = performance.now()
  const ago = (ms: number) => new Date(startedAt.getTime() - ms)
  const from = later(previous?.progress.checkedUntil ?? ago(COMPARED_FOR_MS).toISOString(), ago(KNOWN_FOR_MS))
  const again = previous?.progress.disagreeing ?? []
  const { unreachable, unlessUnreachable } = collectUnreachable(log)
  const [own, holds, ledger, discounts, accountAddresses, orderAddresses] = await Promise.all([
    repairAndCompare(context, {
      settled: ago(settledAfterMs),
      overdue: ago(Math.max(OVERDUE_AFTER_MS, settledAfterMs)),
      since: ago(COMPARED_FOR_MS),
      again: subjectsOf(previous?.items ?? []),
    }),
    unlessUnreachable('catalog', () => checkHolds(context, { from, before: ago(settledAfterMs), again })),
    unlessUnreachable('catalog', () => sendRequest(messaging, CheckLedger, {})),
    unlessUnreachable('cart', () => sendRequest(messaging, CheckDiscounts, {})),
    unlessUnreachable('identity', () => sendRequest(messaging, CheckEmailAddresses, {})),
    findUnusableAddresses(db),
  ])
  unreachable.push(...own.unreachable)

  const compared = [
    { kind: 'ledger', result: ledger },
    { kind: 'discounts', result: discounts },
    { kind: 'addresses', result: accountAddresses },
    { kind: 'addresses', result: orderAddresses },
  ]
  const findings = [
    ...own.faults,
    ...own.findings,
    ...(holds?.findings.map(({ claim: _claim, ...finding }) => finding) ?? []),
    ...compared.flatMap(({ kind, result }) => result?.faults.map((fault) => ({ kind, ...fault })) ?? []),
  ]
  const hidden = compared.reduce((sum, { result }) => sum + (result ? result.total - result.faults.length : 0), 0)
  return {
    report: {
      items: findings.slice(0, MAX_FINDINGS),
      total: findings.length + hidden,
      repaired: own.repaired,
      ok: findings.length === 0 && unreachable.length === 0,
      unasked: [...new Set(unreachable)].toSorted(),
      checkedAt: startedAt.toISOString(),
      durationMs: Math.round(performance.now() - startedMs),
    },
    progress: {
      checkedUntil: earlier(holds?.checkedUntil ?? from, ago(settledAfterMs + OVERLAP_MS)),
      disagreeing: holds?.disagreeing ?? [...again],
    },
  }
}

/** Runs comparisons with other services, and collects the names of those that fail. */
function collectUnreachable(log: Log) {
  const unreachable: string[] = []
  const unlessUnreachable = async <Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work()
    } catch (error) {
      // An error in one service must not prevent the comparison with the others.
      log[isOutage(error) ? 'warn' : 'error'](
        { err: error, ledger: name },
        'a service could not be compared; the next reconciliation tries again',
      )
      unreachable.push(name)
      return undefined
    }
  }
  return { unreachable, unlessUnreachable }
}

/** Repairs come first, so that what they fixed is not reported. */
async function repairAndCompare(context: OrdersContext, compared: ComparisonScope) {
  const inspected = await inspectEndedSessions(context)
  const faults = await findFaults(context.db, compared)
  return { ...inspected, faults }
}

/** The subjects of the last report: they are compared again however old they are. */
function subjectsOf(items: readonly Finding[]) {
  const payments = items.flatMap(({ kind, subject }) => {
    const space = subject.indexOf(' ')
    if (kind !== 'payment_beside_order' || space < 0) return []
    return [{ provider: subject.slice(0, space), reference: subject.slice(space + 1) }]
  })
  const ofOrders: readonly string[] = [
    'payment_not_noted',
    'paid_without_money',
    'demo_payment_missing',
    'refunds_do_not_add_up',
  ]
  return { orderIds: items.filter(({ kind }) => ofOrders.includes(kind)).map(({ subject }) => subject), payments }
}

// Both functions return the text itself where they can, because a Date would lose its microseconds.
function earlier(text: string, latest: Date): string {
  return new Date(text) < latest ? text : latest.toISOString()
}

function later(text: string, earliest: Date): string {
  return new Date(text) > earliest ? text : earliest.toISOString()
}
