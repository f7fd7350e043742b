import type { RecordedOrder } from '@storefront/contracts'
import { publicOrder, type StoredOrder } from './order.ts'

/** More than any order that people place, and with its envelope less than the 1 MB that NATS takes in one message. */
const MAX_BYTES = 700 * 1024
const MANY_REFUNDS = 100

export interface OrderNews {
  orderId: string
  number: string
  order: RecordedOrder
  customerId?: string
  locale: string
}

/** What an event says about an order: the order as its buyer sees it from now on, and whom it is told to. */
export function newsOf(order: StoredOrder): OrderNews {
  return {
    orderId: order.id,
    number: order.number,
    order: orderInEvents(order),
    ...(order.customerId === null ? {} : { customerId: order.customerId }),
    locale: order.document.locale,
  }
}

/** The order as its buyer sees it, as an event carries it. */
export function orderInEvents(order: StoredOrder): RecordedOrder {
  return fitForNews({ ...publicOrder(order), optionNames: order.document.optionNames ?? [] })
}

/**
 * An event that NATS does not take would stop all that come after it. An order can get that big with the longest names of
 * options and addresses of pictures in every line, or with thousands of refunds: then the news of it goes without these, and
 * with the newest refunds only. The order itself keeps everything.
 */
export function fitForNews(order: RecordedOrder): RecordedOrder {
  if (Buffer.byteLength(JSON.stringify(order)) <= MAX_BYTES) return order
  const lines = order.lines.map((line) => ({ ...line, options: {}, image: { url: '', alt: '' } }))
  return { ...order, optionNames: [], lines, refunds: order.refunds.slice(-MANY_REFUNDS) }
}
