import type { RecordedOrder } from '@storefront/contracts'
import { findDeletedOwners } from '../access/closed-orders.queries.ts'
import type { Tx } from '../database.ts'
import { publicOrder, type StoredOrder } from './order.ts'

/** Larger than any order that people place, and with its envelope below the 1 MB that NATS accepts in one message. */
const MAX_BYTES = 700 * 1024
const MANY_REFUNDS = 100

export interface OrderEventData {
  orderId: string
  number: string
  order: RecordedOrder
  customerId?: string
  locale: string
}

/** The content of an event about an order: the order as its buyer sees it from now on, and its customer. */
export async function orderEventData(tx: Tx, order: StoredOrder): Promise<OrderEventData> {
  return orderEventDataOfOne(order, await findOwnersOfGuestOrders(tx, [order]))
}

/** The same for several orders. */
export async function orderEventDataOfAll(tx: Tx, orders: readonly StoredOrder[]): Promise<OrderEventData[]> {
  const owners = await findOwnersOfGuestOrders(tx, orders)
  return orders.map((order) => orderEventDataOfOne(order, owners))
}

/** Only guest orders are looked up: the others name their customers. */
async function findOwnersOfGuestOrders(tx: Tx, orders: readonly StoredOrder[]): Promise<ReadonlyMap<string, string>> {
  const ids = orders.flatMap(({ id, customerId }) => (customerId === null ? [id] : []))
  return ids.length === 0 ? new Map() : findDeletedOwners(tx, ids)
}

/** A guest order of a deleted customer is attributed to that customer: a deleted customer gets no mail about it. */
function orderEventDataOfOne(order: StoredOrder, deletedOwners: ReadonlyMap<string, string>): OrderEventData {
  const customerId = order.customerId ?? deletedOwners.get(order.id)
  return {
    orderId: order.id,
    number: order.number,
    order: orderInEvents(order),
    ...(customerId === undefined ? {} : { customerId }),
    locale: order.document.locale,
  }
}

/** The order as its buyer sees it, in the form an event carries. */
export function orderInEvents(order: StoredOrder): RecordedOrder {
  return fitForEvents({ ...publicOrder(order), optionNames: order.document.optionNames ?? [] })
}

/**
 * An event that NATS rejects would block all later ones. An order can get that large with the longest names of options
 * and image addresses in every line, or with thousands of refunds: then its event has none of these, and only the
 * newest refunds. The stored order keeps everything.
 */
export function fitForEvents(order: RecordedOrder): RecordedOrder {
  if (Buffer.byteLength(JSON.stringify(order)) <= MAX_BYTES) return order
  const lines = order.lines.map((line) => ({ ...line, options: {}, image: { url: '', alt: '' } }))
  return { ...order, optionNames: [], lines, refunds: order.refunds.slice(-MANY_REFUNDS) }
}
