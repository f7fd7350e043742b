import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { ADDRESS, TestClient } from '../support/test-client.ts'
import { classifyError, classifyResponse, classifyUnreadable } from './classify-outcome.ts'
import type { History } from './history.ts'
import type { Action, Operation, Result, Wanted } from './operation.ts'
import { readOrderRecord } from './order-record.ts'
import type { PaymentProvider } from './payment-provider.ts'

export interface BuyerOptions {
  url: string
  history: History
  /** The number of the buyer in the history. */
  number: number
  /** An address that only this buyer has. */
  email: string
  wanted: Wanted
  /** Has the pages to pay on. */
  provider: Pick<PaymentProvider, 'pay'>
  /** After this time an attempt counts as lost. */
  requestTimeoutMs: number
  /** For how long a request is repeated. */
  deadlineMs: number
}

interface Request {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  headers?: Record<string, string>
  /** @returns undefined for a body that is not what the shop promises */
  read: (body: unknown) => Result | undefined
}

type Shopper = BuyerOptions & { client: TestClient }

const Id = z.looseObject({ id: z.string() })
const Page = z.looseObject({ id: z.string(), url: z.url() })
const Session = z.looseObject({ id: z.string(), orderId: z.string().optional() })
const TOO_MANY_REQUESTS = 429

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5000
/** Between two reads of an order that is not paid yet, and how often it is read. */
const READ_EVERY_MS = 1000
const MAX_READS = 20

/**
 * Buys as a guest does, and records every request: fills a cart, checks it out, pays where there is a page to pay on,
 * and reads the order until it is paid. A request of unknown outcome is repeated with the same key, as the real client
 * does.
 */
export async function buy(options: BuyerOptions): Promise<void> {
  const { email, wanted: lines } = options
  const client = new TestClient(options.url, { timeoutMs: options.requestTimeoutMs })
  const shopper = { ...options, client }
  const cartId = await fillCart(shopper)
  if (cartId === undefined) return
  const key = randomUUID()
  const checkout = await repeat(
    shopper,
    { kind: 'checkout', cartId, key, email, lines },
    {
      method: 'POST',
      path: `/carts/${cartId}/checkout`,
      body: { email, shipping_address: ADDRESS, shipping_method: 'standard' },
      headers: { 'idempotency-key': key },
      read: readCheckout,
    },
  )
  const { order, session } = checkout.result ?? {}
  const orderId = order?.id ?? (session && (await payFor(shopper, session)))
  if (orderId !== undefined) await readUntilPaid(shopper, orderId)
}

/** @returns the id of the cart, once it has every wanted line */
async function fillCart(shopper: Shopper): Promise<string | undefined> {
  const made = await repeat(
    shopper,
    { kind: 'create-cart' },
    { method: 'POST', path: '/carts', body: {}, read: readCart },
  )
  const cartId = made.result?.cartId
  if (cartId === undefined) return undefined
  for (const { variantId, quantity } of shopper.wanted) {
    const key = randomUUID()
    const added = await repeat(
      shopper,
      { kind: 'add-line', cartId, key, variantId, quantity },
      {
        method: 'POST',
        path: `/carts/${cartId}/lines`,
        body: { variant_id: variantId, quantity },
        headers: { 'idempotency-key': key },
        read: () => ({}),
      },
    )
    if (added.outcome !== 'ok') return undefined
  }
  return cartId
}

/** Pays on the page of the provider. @returns the id of the order, if the checkout became one in time */
async function payFor(shopper: Shopper, session: NonNullable<Result['session']>): Promise<string | undefined> {
  const { url, history, number, email, provider } = shopper
  const { id: sessionId, path } = session
  const end = history.invoke(number, { kind: 'pay', sessionId, email })
  const isPaid = provider.pay(path.split('/').at(-1) ?? '', url)
  end(isPaid ? { outcome: 'ok' } : { outcome: 'fail', errorKind: 'the page is not open' })
  if (!isPaid) return undefined
  for (let reads = 1; ; reads++) {
    const { result } = await repeat(
      shopper,
      { kind: 'read-checkout', sessionId },
      {
        method: 'GET',
        path: `/checkout/sessions/${sessionId}`,
        read: readSession,
      },
    )
    if (result?.orderId !== undefined || reads >= MAX_READS) return result?.orderId
    await setTimeout(READ_EVERY_MS)
  }
}

async function readUntilPaid(shopper: Shopper, orderId: string): Promise<void> {
  const request: Request = {
    method: 'GET',
    path: `/orders/${orderId}`,
    read: readOrder,
  }
  for (let reads = 1; reads <= MAX_READS; reads++) {
    const { ended } = await attempt(shopper, { kind: 'read-order', orderId }, request)
    const { order } = ended.result ?? {}
    if (order && order.status !== 'placed') return
    await setTimeout(READ_EVERY_MS)
  }
}

function readCart(body: unknown): Result | undefined {
  const { data } = Id.safeParse(body)
  return data && { cartId: data.id }
}

function readSession(body: unknown): Result | undefined {
  const { data } = Session.safeParse(body)
  return data && { orderId: data.orderId }
}

function readOrder(body: unknown): Result | undefined {
  const order = readOrderRecord(body)
  return order && { order }
}

/** The reply of a checkout: an order, or the page to pay on. */
function readCheckout(body: unknown): Result | undefined {
  const order = readOrderRecord(body)
  if (order) return { order }
  const page = Page.safeParse(body).data
  if (!page) return undefined
  return { session: { id: page.id, path: new URL(page.url).pathname } }
}

/** Sends a request until its outcome is known, or time is up. @returns the last operation */
async function repeat(shopper: Shopper, action: Action, request: Request): Promise<Operation> {
  const untilMs = performance.now() + shopper.deadlineMs
  for (let tries = 1; ; tries++) {
    const { ended, retryAfterMs } = await attempt(shopper, action, request)
    // A random part of a longer and longer range, so that buyers who failed together do not return together.
    const pauseMs = retryAfterMs + Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1))
    if (!isWorthRepeating(ended) || performance.now() + pauseMs > untilMs) return ended
    await setTimeout(pauseMs)
  }
}

function isWorthRepeating({ outcome, status }: Operation): boolean {
  if (outcome === 'ok') return false
  return outcome === 'unknown' || status === undefined || status === TOO_MANY_REQUESTS || status >= 500
}

/** Sends a request once. @returns also the pause that the shop requests */
async function attempt(
  { client, history, number }: Shopper,
  action: Action,
  { method, path, body, headers, read }: Request,
): Promise<{ ended: Operation; retryAfterMs: number }> {
  const end = history.invoke(number, action)
  let response
  try {
    response = await client.exchange(method, path, body === undefined ? undefined : JSON.stringify(body), headers)
  } catch (error) {
    return { ended: end(classifyError(action.kind, error)), retryAfterMs: 0 }
  }
  const { status, text } = response
  const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000 || 0
  const completion = classifyResponse(action.kind, status, text)
  if (completion.outcome !== 'ok') return { ended: end(completion), retryAfterMs }
  const result = read(parsed(text))
  return { ended: end(result ? { ...completion, result } : classifyUnreadable(action.kind, status)), retryAfterMs }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
