import { checkCarts } from './check-carts.ts'
import { checkEvents } from './check-events.ts'
import { checkFencedWrites, type FencedWrites } from './check-fenced-writes.ts'
import { checkMails } from './check-mails.ts'
import { checkOrders } from './check-orders.ts'
import { checkPayments } from './check-payments.ts'
import { checkRejections } from './check-rejections.ts'
import { checkStates } from './check-states.ts'
import { addUp, checkStock, unitsSold } from './check-stock.ts'
import { gatherEvidence, type Evidence } from './evidence.ts'
import type { Operation, OperationOf } from './operation.ts'
import type { ShopState } from './shop-state.ts'
import { VIOLATIONS, type Violation, type ViolationKind } from './violation.ts'

export interface CheckedHistory {
  /** Empty for a correct history. */
  violations: Violation[]
  /** How many there are of each kind, those without any included. */
  found: Partial<Record<ViolationKind, number>>
  counts: HistoryCounts
}

/** How much was compared: a history without orders has no violations either. */
export interface HistoryCounts {
  operations: number
  /** Buyers that checked out. */
  buyers: number
  /** Of these: those with an acknowledged checkout. */
  acknowledged: number
  /** Those whose every checkout was rejected. */
  rejected: number
  /** Those that do not know what became of their checkout, and the part of them that has an order. */
  unknown: number
  unknownWithOrder: number
  /** Orders that were placed during the load. */
  orders: number
  unitsSold: number
  mails: number
  /** Events that the services published, and those that the receiver got. */
  eventsPublished: number
  eventsReceived: number
  /** Payments that the provider has captured. */
  payments: number
  /** Rows that were acknowledged on machines that were cut off. */
  fencedWrites: number
}

const RULES = [
  checkCarts,
  checkOrders,
  checkStates,
  checkStock,
  checkRejections,
  checkMails,
  checkEvents,
  checkPayments,
]

/**
 * Compares what buyers saw with what a shop has in the end. Nothing of the shop's own code takes part.
 * @param before the shop when the load began, idle
 * @param after the shop after the load, idle
 * @param fencedWrites what clients on machines that were cut off wrote
 */
export function checkHistory(
  operations: readonly Operation[],
  before: ShopState,
  after: ShopState,
  fencedWrites: FencedWrites = { acknowledged: [], stored: [] },
): CheckedHistory {
  const evidence = gatherEvidence(operations, before, after)
  const violations = [...RULES.flatMap((rule) => rule(evidence)), ...checkFencedWrites(fencedWrites)]
  const found: CheckedHistory['found'] = {}
  for (const kind of VIOLATIONS) found[kind] = violations.filter((violation) => violation.kind === kind).length
  return { violations, found, counts: count(evidence, fencedWrites) }
}

function count(
  { operations, before, after, placed, checkouts }: Evidence,
  { acknowledged }: FencedWrites,
): HistoryCounts {
  const buyers = [...checkouts]
  const isAcknowledged = (attempts: readonly OperationOf<'checkout'>[]) =>
    attempts.some(({ outcome }) => outcome === 'ok')
  const isRejected = (attempts: readonly OperationOf<'checkout'>[]) =>
    attempts.every(({ outcome }) => outcome === 'fail')
  const unknown = buyers.filter(([, attempts]) => !isAcknowledged(attempts) && !isRejected(attempts))
  const emails = new Set(placed.map(({ email }) => email))
  return {
    operations: operations.length,
    buyers: buyers.length,
    acknowledged: buyers.filter(([, attempts]) => isAcknowledged(attempts)).length,
    rejected: buyers.filter(([, attempts]) => isRejected(attempts)).length,
    unknown: unknown.length,
    unknownWithOrder: unknown.filter(([email]) => emails.has(email)).length,
    orders: placed.length,
    unitsSold: [...addUp(placed.map(unitsSold)).values()].reduce((sum, units) => sum + units, 0),
    mails: after.mails.length - before.mails.length,
    eventsPublished: after.published - before.published,
    eventsReceived: after.events.length - before.events.length,
    payments: after.payments.length - before.payments.length,
    fencedWrites: acknowledged.length,
  }
}
