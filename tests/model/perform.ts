import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { Cart, Order } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import type { TestShop } from '../support/shop.ts'
import { ADDRESS, type TestResponse, type TestClient } from '../support/test-client.ts'
import { inWords, ITEMS, type Action, type Device, type Item, type Step } from './actions.ts'
import type { History, KnownBuyer } from './history.ts'
import { REFUND_REASON, type Goods } from './invariants.ts'
import type { Figures } from './figures.ts'

/** The browsers of one buyer. */
export interface Browsers {
  /** The browser that is signed in from the start. */
  home: TestClient
  /** The phone before the buyer signs in, and after. */
  guest: TestClient
  phone: TestClient
}

/** The environment of the commands of a run. */
export interface RunContext {
  shop: TestShop
  /** The name of this run, for keys. */
  name: string
  goods: Goods
  browsers: Browsers[]
  webhookSecret: string
  figures: Figures
  /** Whether a request got 503: what it held may stay held until its time limit. */
  wasUnavailable: boolean
}

const Page = z.object({ id: z.string(), url: z.string() })
const ErrorBody = z.object({ code: z.string(), message: z.string(), requestId: z.string().optional() })
const PRICE = 4000
/** The length of a log line in the report of a failure. */
const LINE_LENGTH = 600

/** The error codes that an action may get. Any other one breaks the model. */
const REJECTIONS: Record<Action['kind'], readonly string[]> = {
  add: ['cart_not_found', 'conflict', 'out_of_stock', 'insufficient_inventory'],
  change: ['cart_not_found', 'conflict', 'line_not_found', 'out_of_stock', 'insufficient_inventory'],
  remove: ['cart_not_found', 'conflict', 'line_not_found'],
  look: ['cart_not_found', 'conflict'],
  discount: ['cart_not_found', 'conflict', 'invalid_discount'],
  'check out': [
    'cart_not_found',
    'not_found',
    'conflict',
    'empty_cart',
    'invalid_discount',
    'out_of_stock',
    'insufficient_inventory',
    'rate_limited',
  ],
  'sign in': ['cart_not_found', 'conflict'],
  'sign out': [],
  press: [],
  webhook: [],
  expire: [],
  cancel: ['invalid_transition'],
  fulfill: ['invalid_transition'],
  'mark paid': ['invalid_transition', 'conflict'],
  refund: ['already_refunded', 'amount_too_large', 'payment_not_captured'],
  stock: ['insufficient_inventory'],
}

export class Broken extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Broken'
  }
}

/** Whether the cart, the page or the order of an action exists. */
export function isPossible(action: Action, history: Readonly<History>): boolean {
  switch (action.kind) {
    case 'add':
      return true
    case 'change':
    case 'remove':
    case 'look':
    case 'discount':
    case 'check out':
      return history.buyers[action.buyer]?.cartIds[action.at] !== undefined
    case 'sign in':
      return history.buyers[action.buyer]?.isSignedIn === false
    case 'sign out':
      return history.buyers[action.buyer]?.cartIds.phone !== undefined
    case 'press':
    case 'webhook':
    case 'expire':
      return history.pages.length > 0
    case 'cancel':
    case 'fulfill':
    case 'mark paid':
    case 'refund':
      return history.orderIds.length > 0 || history.pages.length > 0
    case 'stock':
      break
  }
  return true
}

/** Runs the possible actions of a step concurrently. @throws Broken for a reply that no interleaving permits */
export async function performStep(step: Step, history: History, context: RunContext): Promise<void> {
  const possible = step.filter(({ action }) => isPossible(action, history))
  history.done.push(possible)
  if (history.pages.length > 0) await learnOrders(history, context)
  const isAlone = possible.length === 1
  if (!isAlone) history.loseTrack()
  if (possible.some(({ action }) => action.kind === 'check out')) history.isExact = false
  // The browser of each request is chosen before any is sent, because a sign-in does not change a request in flight.
  const sent = possible.map(({ action, afterMs }) => ({ afterMs, send: prepare(action, history, context, isAlone) }))
  await Promise.all(
    sent.map(async ({ afterMs, send }) => {
      if (!isAlone) await pause(afterMs)
      await send()
    }),
  )
  for (const { action } of possible) settleIdentity(action, history, context)
}

/** Records the orders of pages that were paid. */
async function learnOrders(history: History, { shop }: RunContext): Promise<void> {
  const rows = await shop.sql<{ id: string }>(
    `select order_id as id from orders.payment_sessions where status = 'completed' and id = any($1::text[])`,
    [history.pages.map(({ id }) => id)],
  )
  for (const { id } of rows) history.noteOrder(id)
}

function settleIdentity(action: Action, history: History, { shop, browsers }: RunContext): void {
  if (action.kind !== 'sign in' && action.kind !== 'sign out') return
  const buyer = history.buyers[action.buyer]
  const own = browsers[action.buyer]
  if (!buyer || !own) return
  buyer.isSignedIn = action.kind === 'sign in'
  if (action.kind === 'sign in') return
  own.guest = shop.client()
  own.phone = shop.client()
  own.phone.token = own.home.token
  delete buyer.cartIds.phone
}

type Send = () => Promise<void>
const NOTHING: Send = async () => {}

function prepare(action: Action, history: History, context: RunContext, isAlone: boolean): Send {
  switch (action.kind) {
    case 'add':
    case 'change':
    case 'remove':
    case 'look':
    case 'discount':
    case 'check out':
    case 'sign in': {
      const buyer = history.buyers[action.buyer]
      const browsers = context.browsers[action.buyer]
      if (!buyer || !browsers) return NOTHING
      const device = action.kind === 'sign in' ? 'phone' : action.at
      const client = clientAt(action.kind === 'sign in' ? 'signed in' : device, buyer, browsers)
      return prepareCart(action, { buyer, device, client, history, context, isAlone })
    }
    case 'sign out':
      return NOTHING
    case 'press':
    case 'webhook':
    case 'expire':
      return preparePage(action, history, context)
    case 'cancel':
    case 'fulfill':
    case 'mark paid':
    case 'refund':
      return prepareOrder(action, history, context)
    case 'stock':
      break
  }
  return () => changeStock(action, history, context)
}

function clientAt(
  device: Device | 'signed in',
  { isSignedIn }: KnownBuyer,
  { home, guest, phone }: Browsers,
): TestClient {
  if (device === 'home') return home
  return device === 'signed in' || isSignedIn ? phone : guest
}

type Of<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>

interface AtCart {
  buyer: KnownBuyer
  device: Device
  client: TestClient
  history: History
  context: RunContext
  isAlone: boolean
}

function prepareCart(
  action: Of<'add' | 'change' | 'remove' | 'look' | 'discount' | 'check out' | 'sign in'>,
  at: AtCart,
): Send {
  const { buyer, device, client, history, context, isAlone } = at
  const cartId = buyer.cartIds[device]
  const { goods, name } = context
  if (action.kind === 'add') return () => addTo(action, at)
  if (cartId === undefined) return NOTHING
  switch (action.kind) {
    case 'look':
      return async () => noteCart(await expectReply(action, context, client.get(`/carts/${cartId}`)), at)
    case 'sign in':
      return async () => {
        history.loseTrack()
        const reply = await expectReply(action, context, client.get(`/carts/${cartId}`))
        if (reply?.status === 200) context.figures.count('merges')
        noteCart(reply, at)
      }
    case 'change':
    case 'remove': {
      return async () => {
        const line = await lineOf(action.item, cartId, at)
        if (line === undefined) return
        const path = `/carts/${cartId}/lines/${line.id}`
        if (action.kind === 'remove') {
          noteCart(await expectReply(action, context, client.call('DELETE', path)), at, [action.item, 0])
          return
        }
        // The effect of a concurrent request on this line is unknown.
        const more = isAlone ? Math.max(0, action.quantity - line.quantity) : action.quantity
        const reply = await expectReply(action, context, client.call('PATCH', path, { quantity: action.quantity }))
        if (mayHaveWorked(reply)) history.put[action.item] += more
        noteCart(reply, at, [action.item, action.quantity])
      }
    }
    case 'discount': {
      const code = action.code === '' ? '' : goods.codes[action.code]
      return async () =>
        noteCart(await expectReply(action, context, client.post(`/carts/${cartId}/discount`, { code })), at)
    }
    case 'check out':
      break
  }
  return () => checkOut(action, cartId, `${name}-${cartId}`, at)
}

async function addTo(action: Of<'add'>, at: AtCart): Promise<void> {
  const { buyer, device, client, history, context } = at
  const cartId = buyer.cartIds[device] ?? (await newCart(at))
  if (cartId === undefined) return
  const { item, quantity } = action
  const before = history.contents.get(cartId)
  const body = { variant_id: context.goods.variants[item], quantity }
  const send = (headers: Record<string, string> = {}) =>
    expectReply(action, context, client.call('POST', `/carts/${cartId}/lines`, body, headers))
  if (!action.isSentTwice) {
    const reply = await send()
    if (mayHaveWorked(reply)) history.put[item] += quantity
    noteCart(reply, at, before && [item, (before.get(item) ?? 0) + quantity])
    return
  }
  const headers = { 'idempotency-key': `${context.name}-${history.newKey()}` }
  const replies = await Promise.all([send(headers), send(headers)])
  if (replies.some(mayHaveWorked)) history.put[item] += quantity
  // A merged cart has two ids, so its content is unknown under both.
  history.loseTrack()
}

const mayHaveWorked = (reply: TestResponse | undefined) =>
  reply === undefined || reply.status < 400 || reply.status === 503

async function newCart({ buyer, device, client, context }: AtCart): Promise<string | undefined> {
  const reply = await expectReply({ kind: 'look', buyer: 0, at: device }, context, client.post('/carts', {}))
  if (reply?.status !== 200) return undefined
  const { id } = Cart.parse(reply.body)
  buyer.cartIds[device] = id
  return id
}

async function lineOf(
  item: Item,
  cartId: string,
  { client, context, device }: AtCart,
): Promise<{ id: string; quantity: number } | undefined> {
  const look = { kind: 'look', buyer: 0, at: device } as const
  const reply = await expectReply(look, context, client.get(`/carts/${cartId}`))
  if (reply?.status !== 200) return undefined
  return Cart.parse(reply.body).lines.find((line) => line.variantId === context.goods.variants[item])
}

/** Compares a cart with what is known of it, and records its content. */
function noteCart(
  reply: TestResponse | undefined,
  { buyer, device, history, context, isAlone }: AtCart,
  expected?: readonly [Item, number],
): void {
  const requestedId = buyer.cartIds[device]
  if (reply?.status !== 200) {
    // The client begins a new cart when its cart no longer exists.
    if (reply?.status === 404 && ErrorBody.parse(reply.body).code === 'cart_not_found') delete buyer.cartIds[device]
    history.loseTrack()
    return
  }
  const cart = Cart.parse(reply.body)
  const subtotal = cart.lines.reduce((total, { quantity }) => total + quantity * PRICE, 0)
  if (cart.subtotal.amount !== subtotal)
    throw new Broken(`cart ${cart.id} costs ${cart.subtotal.amount}, not ${subtotal}`)
  if (!isAlone || !history.isExact || requestedId === undefined) return
  const contents = new Map(
    ITEMS.map((item) => [
      item,
      cart.lines
        .filter(({ variantId }) => variantId === context.goods.variants[item])
        .reduce((total, { quantity }) => total + quantity, 0),
    ]),
  )
  const before = history.contents.get(requestedId)
  const wanted = before && expected ? new Map(before).set(...expected) : before
  for (const item of wanted ? ITEMS : []) {
    const [found, should] = [contents.get(item) ?? 0, wanted?.get(item) ?? 0]
    if (found !== should) throw new Broken(`cart ${cart.id} has ${found} ${item}, and should have ${should}`)
  }
  // A merged cart has two ids, and a change through one of them would not update the other.
  history.loseTrack()
  history.contents.set(requestedId, contents)
}

async function checkOut(
  action: Of<'check out'>,
  cartId: string,
  key: string,
  { buyer, client, history, context }: AtCart,
): Promise<void> {
  const body = { email: buyer.email, shipping_address: ADDRESS, shipping_method: 'standard' }
  const headers: Record<string, string> = action.hasKey ? { 'idempotency-key': key } : {}
  const request = client.call('POST', `/carts/${cartId}/checkout`, body, headers)
  const reply = await expectReply(action, context, request)
  history.loseTrack()
  if (reply?.status !== 200) return
  const page = Page.safeParse(reply.body)
  const order = Order.safeParse(reply.body)
  if (order.success) {
    history.noteOrder(order.data.id)
  } else if (page.success) {
    history.notePage(page.data)
  } else throw new Broken(`a checkout replied ${JSON.stringify(reply.body).slice(0, 300)}`)
  if (!action.hasKey) return
  const { id } = z.object({ id: z.string() }).parse(reply.body)
  const caller = `${key} ${client.token ?? ''}`
  const before = history.byKey.get(caller) ?? id
  if (before !== id) throw new Broken(`the same key got ${before} at first, and then ${id}`)
  history.byKey.set(caller, id)
}

function preparePage(action: Of<'press' | 'webhook' | 'expire'>, history: History, context: RunContext): Send {
  const page = history.pages.at(-1 - (action.page % history.pages.length))
  if (!page) return NOTHING
  const { figures } = context
  history.loseTrack()
  switch (action.kind) {
    case 'press':
      return async () => {
        const response = await fetch(`${page.url}/${action.button}`, { method: 'POST', redirect: 'manual' })
        await response.arrayBuffer()
        if (![303, 302, 503].includes(response.status)) throw new Broken(`${inWords(action)}: ${response.status}`)
        figures.count(action.button === 'pay' ? 'payments' : 'pages left')
      }
    case 'webhook':
      return () => reportPayment(action, page.id, history, context)
    case 'expire':
      break
  }
  return async () => {
    await context.shop.sql(
      `update orders.payment_sessions set expires_at = now() - interval '2 minutes'
         where id = $1 and status in ('creating', 'open')`,
      [page.id],
    )
    if (action.isAtProvider)
      await context.shop.sql(
        `update orders.demo_sessions set expires_at = now() - interval '2 minutes' where session_id = $1`,
        [page.id],
      )
    figures.count('expiries')
  }
}

async function reportPayment(
  action: Of<'webhook'>,
  pageId: string,
  history: History,
  context: RunContext,
): Promise<void> {
  const number = action.payment === 'same' ? 0 : history.reported.size + 1
  const reference = `model_${pageId}_${number}`
  const [row] = await context.shop.sql<{ total: number }>(
    `select (document->'total'->>'amount')::int as total from orders.payment_sessions where id = $1`,
    [pageId],
  )
  const body = JSON.stringify({
    type: 'payment.captured',
    session_id: pageId,
    payment: reference,
    total: { amount: row?.total ?? 0, currency: 'USD' },
  })
  const id = `${context.name}-${history.newKey()}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(context.webhookSecret.slice('whsec_'.length), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  const reply = await expectReply(action, context, context.shop.client().call('POST', '/webhooks/demo', body, headers))
  if (reply?.status !== 200) return
  history.reported.set(reference, { pageId, amountMinor: row?.total ?? 0 })
  context.figures.count('payments')
}

function prepareOrder(
  action: Of<'cancel' | 'fulfill' | 'mark paid' | 'refund'>,
  history: History,
  context: RunContext,
): Send {
  const id = history.orderIds.at(-1 - (action.order % Math.max(1, history.orderIds.length)))
  if (id === undefined) return NOTHING
  if (action.kind === 'refund') return () => refund(action, id, history, context)
  const status = { cancel: 'cancelled', fulfill: 'fulfilled', 'mark paid': 'paid' }[action.kind]
  return async () => {
    const request = context.shop.admin.call('PATCH', `/admin/orders/${id}`, { status })
    const reply = await expectReply(action, context, request)
    if (reply?.status === 200 && action.kind === 'cancel') context.figures.count('cancellations')
  }
}

async function refund(action: Of<'refund'>, id: string, history: History, context: RunContext): Promise<void> {
  const { admin } = context.shop
  const { total } = Order.parse((await admin.get(`/admin/orders/${id}`)).body)
  const amounts = { rest: {}, half: { amount: Math.ceil(total.amount / 2) }, 'too much': { amount: total.amount + 1 } }
  const body = { ...amounts[action.part], restock: action.restock, reason: REFUND_REASON }
  const key = action.hasKey
    ? `${context.name}-${id}-${action.part.replace(' ', '-')}-${action.restock}`
    : `${context.name}-${history.newKey()}`
  if (!action.restock) history.keptGoods.add(id)
  const request = admin.call('POST', `/admin/orders/${id}/refunds`, body, { 'idempotency-key': key })
  const reply = await expectReply(action, context, request)
  if (reply === undefined || reply.status === 503) history.unknownRefunds.add(id)
  if (reply?.status !== 200) return
  history.noteRefund(id, key)
  context.figures.count('refunds')
}

async function changeStock(action: Of<'stock'>, history: History, context: RunContext): Promise<void> {
  const { item, delta, operation } = action
  const operationId = `${context.name}-${item}-${operation}`
  const path = `/admin/variants/${context.goods.variants[item]}/inventory`
  const reply = await expectReply(action, context, context.shop.admin.post(path, { delta, operationId }))
  if (reply?.status !== 200) return
  const isReplayed = z.object({ replayed: z.literal(true).optional() }).parse(reply.body).replayed === true
  if (isReplayed) return
  if (history.operations.has(operationId)) throw new Broken(`the operation ${operationId} counted twice`)
  history.operations.add(operationId)
  history.stocked[item] += delta
}

/**
 * Waits for a reply, and counts it.
 * @returns undefined when the connection broke, and so the outcome of the request is unknown
 * @throws Broken when no interleaving permits this reply
 */
async function expectReply(
  action: Action,
  context: RunContext,
  request: Promise<TestResponse>,
): Promise<TestResponse | undefined> {
  const { figures, shop } = context
  const reply = await request
  figures.count('requests')
  if (reply.status === 200) return reply
  const { code, message, requestId } = ErrorBody.parse(reply.body)
  if (reply.status === 409) figures.count('conflicts')
  if (reply.status === 503) {
    context.wasUnavailable = true
    figures.count('unavailable')
  }
  if (reply.status === 503 || (reply.status < 500 && REJECTIONS[action.kind].includes(code))) return reply
  const lines = reply.status < 500 || requestId === undefined ? [] : await logLines(shop, requestId)
  throw new Broken(
    [
      `${inWords(action)}: ${reply.status} ${code} (${message})`,
      ...lines.map((line) => line.slice(0, LINE_LENGTH)),
    ].join('\n'),
  )
}

/** The lines that the services logged about a request, if they arrive in the files. */
async function logLines(shop: TestShop, requestId: string): Promise<string[]> {
  const find = async () => {
    const lines = await shop.linesAbout(requestId)
    return lines.length > 0 ? lines : undefined
  }
  return waitFor('lines of the log', find, 5000).catch(() => [])
}
