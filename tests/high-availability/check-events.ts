import type { Evidence } from './evidence.ts'
import { isCaptured, type OrderRecord } from './order-record.ts'
import type { ReceivedEvent } from './shop-state.ts'
import type { Violation } from './violation.ts'

/**
 * Each order has its events at the receiver, each under one id, and each id is one event. Every consumer has processed
 * every event.
 */
export function checkEvents({ after, placed }: Evidence): Violation[] {
  const paid = Map.groupBy(
    after.events.filter(({ type }) => type === 'order.paid'),
    ({ orderId }) => orderId,
  )
  return [
    ...placed.flatMap((order) => checkPaid(order, paid.get(order.id) ?? [])),
    ...[...Map.groupBy(after.events, ({ id }) => id)].flatMap(([id, deliveries]) => changed(id, deliveries)),
    ...after.unconsumed.map(({ id: subject, name, consumer }): Violation => ({
      kind: 'event lost',
      subject,
      message: `${consumer} has no receipt of ${name}`,
    })),
  ]
}

function checkPaid(order: OrderRecord, received: readonly ReceivedEvent[]): Violation[] {
  const { id: subject, status, payment } = order
  // The demo provider pays each order after its event, so that an order that is never paid has lost that event.
  if (status === 'placed' && payment.status === 'pending' && payment.provider === 'demo') {
    return [{ kind: 'event lost', subject, message: 'the order was never paid: its provider got no order.placed' }]
  }
  if (!isCaptured(order)) return []
  const ids = new Set(received.map(({ id }) => id))
  if (ids.size === 0) return [{ kind: 'event lost', subject, message: 'order.paid did not arrive' }]
  if (ids.size === 1) return []
  return [{ kind: 'event twice', subject, message: `order.paid has several ids: ${[...ids].join(', ')}` }]
}

function changed(id: string, deliveries: readonly ReceivedEvent[]): Violation[] {
  const payloads = new Set(deliveries.map(({ payload }) => payload))
  if (payloads.size < 2) return []
  const message = `deliveries of one event differ: ${[...payloads].join(' and ')}`
  return [{ kind: 'event changed', subject: id, message }]
}
