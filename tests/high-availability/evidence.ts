import { ofKind, type Operation, type OperationOf } from './operation.ts'
import type { OrderRecord } from './order-record.ts'
import type { ShopState } from './shop-state.ts'

/** What every rule of the checker gets. */
export interface Evidence {
  operations: readonly Operation[]
  before: ShopState
  after: ShopState
  /** The orders that were placed since `before`. */
  placed: readonly OrderRecord[]
  /** Orders that were acknowledged or announced and do not exist. */
  lost: readonly LostOrder[]
  /** By the buyer's address, of which each has one cart and one key. */
  checkouts: ReadonlyMap<string, OperationOf<'checkout'>[]>
  /** By the id of the order. */
  reads: ReadonlyMap<string, OperationOf<'read-order'>[]>
}

export interface LostOrder {
  /** The number of an order of which only mails are known. */
  id: string
  /** The order as a response had it; undefined when only a mail or an event names it. */
  seen: OrderRecord | undefined
  message: string
}

/** Arranges what was recorded and observed for the rules. */
export function gatherEvidence(operations: readonly Operation[], before: ShopState, after: ShopState): Evidence {
  const known = new Set(before.orders.map(({ id }) => id))
  return {
    operations,
    before,
    after,
    placed: after.orders.filter(({ id }) => !known.has(id)),
    lost: findLost(operations, before, after),
    checkouts: Map.groupBy(ofKind(operations, 'checkout'), ({ action }) => action.email),
    reads: Map.groupBy(ofKind(operations, 'read-order'), ({ action }) => action.orderId),
  }
}

/** The key of an order in its mails. The number alone is not enough: after a loss another order may get it. */
export function mailKey({ number, email }: Pick<OrderRecord, 'number' | 'email'>): string {
  return `${number} ${email}`
}

function findLost(operations: readonly Operation[], before: ShopState, after: ShopState): LostOrder[] {
  const exists = new Set(after.orders.map(({ id }) => id))
  const mailed = new Set(after.orders.map(mailKey))
  const lost = new Map<string, LostOrder>()
  const note = (id: string, seen: OrderRecord | undefined, message: string): void => {
    if (exists.has(id) || lost.has(id)) return
    lost.set(id, { id, seen, message })
    if (seen) mailed.add(mailKey(seen))
  }
  for (const order of before.orders) note(order.id, order, 'the order existed before the load')
  for (const { outcome, action, result } of operations) {
    if (outcome !== 'ok' || !result) continue
    const { order } = result
    if (order) note(order.id, order, `the order ${order.number} was acknowledged by ${action.kind}`)
  }
  for (const { action, result } of ofKind(operations, 'read-checkout')) {
    const { orderId } = result ?? {}
    if (orderId !== undefined) note(orderId, undefined, `the payment session ${action.sessionId} names the order`)
  }
  // What was lost before this load is not reported again.
  const announcedBefore = new Set(before.events.map(({ orderId }) => orderId))
  for (const { orderId, type } of after.events) {
    if (!announcedBefore.has(orderId)) note(orderId, undefined, `the event ${type} names the order`)
  }
  for (const { orderNumber, to } of before.mails) mailed.add(mailKey({ number: orderNumber, email: to }))
  for (const { kind, orderNumber, to } of after.mails) {
    if (mailed.has(mailKey({ number: orderNumber, email: to }))) continue
    note(orderNumber, undefined, `the mail ${kind} about the order was sent to ${to}`)
  }
  return [...lost.values()]
}
