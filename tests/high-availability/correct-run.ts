import type { FencedWrites } from './check-fenced-writes.ts'
import type { Action, Completion, Operation, Wanted } from './operation.ts'
import type { OrderRecord } from './order-record.ts'
import type { ShopState } from './shop-state.ts'

/** How the purchase of one buyer went. */
export const PURCHASES = [
  'acknowledged',
  /** The first attempt got no response, the second one the order. */
  'repeated',
  /** No attempt got a response, and the order exists. */
  'unknown',
  'unknown without order',
  'rejected',
  /** Rejected, because more units are wanted than there are. */
  'sold out',
  /** The merchant canceled the order afterwards, and refunded it. */
  'cancelled',
  /** Paid on the page of a provider. */
  'page',
] as const
export type Purchase = (typeof PURCHASES)[number]

export interface Run {
  operations: Operation[]
  before: ShopState
  after: ShopState
  fencedWrites: FencedWrites
}

export const SHIRT = 'var_shirt'
export const SOCKS = 'var_socks'
/** Of which one unit is left. */
export const LAST = 'var_last'
const UNITS = 1000
const SHIRT_MINOR = 4000
const SOCKS_MINOR = 900
const WANTED: Wanted = [
  { variantId: SHIRT, quantity: 2 },
  { variantId: SOCKS, quantity: 1 },
]

/** What a correct shop and its buyers record of these purchases, one buyer after the other. */
export function correctRun(purchases: readonly Purchase[]): Run {
  const before: ShopState = {
    orders: [orderOf(-1)],
    stock: [SHIRT, SOCKS, LAST].map((variantId) => ({
      variantId,
      onHand: variantId === LAST ? 1 : UNITS,
      reserved: 0,
    })),
    mails: [],
    uncertainMails: [],
    events: [],
    payments: [],
    published: 0,
    unconsumed: [],
    unfinished: [],
  }
  const fencedWrites = { acknowledged: ['row_1', 'row_2'], stored: ['row_1', 'row_2', 'row without response'] }
  const run = { operations: [], before, after: structuredClone(before), fencedWrites }
  for (const [buyer, purchase] of purchases.entries()) addPurchase(run, buyer, purchase)
  return run
}

export const emailOf = (buyer: number): string => `buyer-${buyer}@example.com`
export const orderIdOf = (buyer: number): string => `order_${buyer}`

function orderOf(buyer: number): OrderRecord {
  return {
    id: orderIdOf(buyer),
    number: `SF-${10_001 + buyer}`,
    status: 'paid',
    email: emailOf(buyer),
    currency: 'USD',
    totalMinor: 2 * SHIRT_MINOR + SOCKS_MINOR,
    lines: [
      { id: `line_${buyer}_1`, variantId: SHIRT, quantity: 2, unitMinor: SHIRT_MINOR },
      { id: `line_${buyer}_2`, variantId: SOCKS, quantity: 1, unitMinor: SOCKS_MINOR },
    ],
    payment: { provider: 'demo', status: 'captured' },
    refunds: [],
    attention: null,
  }
}

function addPurchase({ operations, after }: Run, buyer: number, purchase: Purchase): void {
  const add = (action: Action, completion: Completion): void => {
    const id = operations.length
    operations.push({ id, buyer, action, invokedAtMs: id * 10, endedAtMs: id * 10 + 5, ...completion })
  }
  const cartId = `cart_${buyer}`
  add({ kind: 'create-cart' }, { outcome: 'ok', status: 200, result: { cartId } })
  const lines = purchase === 'sold out' ? [...WANTED, { variantId: LAST, quantity: 2 }] : WANTED
  for (const line of lines) add({ kind: 'add-line', cartId, key: 'key', ...line }, { outcome: 'ok', status: 200 })
  const checkout: Action = { kind: 'checkout', cartId, key: `key-${buyer}`, email: emailOf(buyer), lines }
  if (purchase === 'rejected') return add(checkout, { outcome: 'fail', status: 422, code: 'undeliverable_country' })
  if (purchase === 'sold out') return add(checkout, { outcome: 'fail', status: 409, code: 'out_of_stock' })
  if (purchase.startsWith('unknown')) add(checkout, { outcome: 'unknown', errorKind: 'timeout' })
  if (purchase === 'unknown without order') return undefined

  const order = orderOf(buyer)
  if (purchase === 'repeated') add(checkout, { outcome: 'unknown', status: 503, code: 'service_unavailable' })
  if (purchase === 'page') {
    const [sessionId, reference] = [`session_${buyer}`, `pi_${buyer}`]
    order.payment = { provider: 'stripe', status: 'captured', reference }
    after.payments.push({ id: reference, sessionId, isRefunded: false })
    const session = { id: sessionId, path: `/c/pay/cs_${buyer}` }
    add(checkout, { outcome: 'ok', status: 200, result: { session } })
    add({ kind: 'pay', sessionId, email: emailOf(buyer) }, { outcome: 'ok' })
    const result = { orderId: order.id }
    add({ kind: 'read-checkout', sessionId }, { outcome: 'ok', status: 200, result })
  } else if (purchase !== 'unknown') {
    const placed: OrderRecord = { ...order, status: 'placed', payment: { provider: 'demo', status: 'pending' } }
    add(checkout, { outcome: 'ok', status: 200, result: { order: placed } })
    add({ kind: 'read-order', orderId: order.id }, { outcome: 'ok', status: 200, result: { order: placed } })
  }
  if (purchase !== 'unknown') {
    add({ kind: 'read-order', orderId: order.id }, { outcome: 'ok', status: 200, result: { order } })
  }
  addEffects(after, order, purchase)
}

/** The effects of an order: its stock, its mails and its event. */
function addEffects({ orders, stock, mails, events }: ShopState, order: OrderRecord, purchase: Purchase): void {
  const { id: orderId, number: orderNumber, email: to } = order
  const kinds = ['orderPlaced', 'paymentCaptured']
  if (purchase === 'cancelled') {
    const refunds = [{ status: 'succeeded', restocked: true, lines: [] }]
    orders.push({ ...order, status: 'cancelled', payment: { provider: 'demo', status: 'refunded' }, refunds })
    kinds.push('refunded', 'cancelled')
  } else {
    orders.push(order)
    for (const { variantId, quantity } of order.lines) {
      for (const level of stock) if (level.variantId === variantId) level.onHand -= quantity
    }
  }
  for (const kind of kinds) mails.push({ kind, orderNumber, to })
  const event = { id: `evt_${orderId}`, type: 'order.paid', orderId, payload: `{"id":"evt_${orderId}"}` }
  // An event may arrive more than once.
  events.push(event, { ...event })
}
