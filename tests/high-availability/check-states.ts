import type { Evidence } from './evidence.ts'
import type { Operation } from './operation.ts'
import { isCaptured, ORDER_PROGRESS, PAYMENT_PROGRESS, progressOf, type OrderRecord } from './order-record.ts'
import type { Violation } from './violation.ts'

const NOT_FOUND = 404

/** What a buyer has seen of an order stays visible, and its states only go forward. */
export function checkStates({ operations, after, placed, reads, lost }: Evidence): Violation[] {
  const acknowledgedAtMs = acknowledgments(operations)
  const announced = new Set(after.events.filter(({ type }) => type === 'order.paid').map(({ orderId }) => orderId))
  const isLost = new Set(lost.map(({ id }) => id))
  return [
    // A lost order is reported once.
    ...[...reads].flatMap(([id, ofOrder]) =>
      isLost.has(id) ? [] : disappeared(id, acknowledgedAtMs.get(id), ofOrder),
    ),
    ...placed.flatMap((order) => wentBack(order, reads.get(order.id) ?? [], announced.has(order.id))),
  ]
}

/** When each order was first acknowledged. */
function acknowledgments(operations: readonly Operation[]): Map<string, number> {
  const first = new Map<string, number>()
  for (const { result, endedAtMs } of operations) {
    const id = result?.order?.id ?? result?.orderId
    if (id !== undefined) first.set(id, Math.min(endedAtMs, first.get(id) ?? Infinity))
  }
  return first
}

function disappeared(id: string, acknowledgedAtMs = Infinity, reads: readonly Operation[]): Violation[] {
  const missed = reads.find(({ status, invokedAtMs }) => status === NOT_FOUND && invokedAtMs > acknowledgedAtMs)
  if (!missed) return []
  const message = `read ${missed.id} did not find the order, which was acknowledged before`
  return [{ kind: 'order disappeared', subject: id, message }]
}

function wentBack(last: OrderRecord, reads: readonly Operation[], isPaymentAnnounced: boolean): Violation[] {
  const states = reads
    .flatMap(({ invokedAtMs, result }) => (result?.order ? [{ invokedAtMs, order: result.order }] : []))
    .toSorted((one, other) => one.invokedAtMs - other.invokedAtMs)
    .map(({ order }) => order)
  states.push(last)
  const report = (message: string): Violation[] => [{ kind: 'order went back', subject: last.id, message }]
  for (const [index, now] of states.entries()) {
    const then = states[index - 1]
    if (then && isBackward(then, now)) return report(`the order was ${stateOf(then)}, and later ${stateOf(now)}`)
  }
  if (!isPaymentAnnounced || isCaptured(last)) return []
  return report(`order.paid was sent, and the order is ${stateOf(last)}`)
}

function isBackward(then: OrderRecord, now: OrderRecord): boolean {
  // A canceled order stays canceled.
  if (then.status === 'cancelled' && now.status !== 'cancelled') return true
  return (
    (now.status !== 'cancelled' && isBefore(ORDER_PROGRESS, now.status, then.status)) ||
    isBefore(PAYMENT_PROGRESS, now.payment.status, then.payment.status)
  )
}

function isBefore(progress: readonly string[], now: string, then: string): boolean {
  const place = progressOf(progress, now)
  return place >= 0 && place < progressOf(progress, then)
}

const stateOf = ({ status, payment }: OrderRecord): string => `${status} with its payment ${payment.status}`
