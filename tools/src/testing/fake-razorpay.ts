import { createHmac, randomBytes } from 'node:crypto'
import { isChargeable } from './chargeable.ts'
import {
  Capture,
  NewOrder,
  NewRefund,
  type RazorpayOrder,
  type RazorpayPayment,
  type RazorpayRefund,
} from './fake-razorpay-shapes.ts'
import {
  createFakeServer,
  type FakeResponse,
  type FakeRequest,
  type FakeServer,
  type FakeWebhook,
} from './fake-server.ts'

export type FakeRazorpay = RazorpayAccount & FakeServer

/** Imitates Razorpay according to its documentation: orders, payments and refunds below /v1, with basic auth. */
export async function createFakeRazorpay(): Promise<FakeRazorpay> {
  const account = new RazorpayAccount()
  return Object.assign(account, await createFakeServer((request) => account.handle(request)))
}

/** The account of a merchant at Razorpay: what a buyer does in its form, its webhooks and its API. */
class RazorpayAccount {
  readonly keyId = `rzp_test_${randomBytes(7).toString('hex')}`
  keySecret = randomBytes(12).toString('hex')
  webhookSecret = randomBytes(12).toString('hex')
  readonly orders = new Map<string, RazorpayOrder>()
  readonly payments = new Map<string, RazorpayPayment>()
  readonly refunds = new Map<string, RazorpayRefund>()
  refundStatus: RazorpayRefund['status'] = 'processed'
  readonly #capturesAutomatically = new Set<string>()
  /** Requests and their refunds by idempotency key. */
  readonly #requests = new Map<string, { body: string; refund: RazorpayRefund }>()
  #clock = 1_700_000_000

  /**
   * Pays in the form as a buyer. The payment is only authorized, unless the order requires automatic capture.
   * @returns what the form passes to the storefront
   */
  pay(
    orderId: string,
    more: Partial<Pick<RazorpayPayment, 'status' | 'amount' | 'method'>> = {},
  ): { razorpay_order_id: string; razorpay_payment_id: string; razorpay_signature: string } {
    const order = this.orders.get(orderId)
    if (!order) throw new Error(`there is no order ${orderId}`)
    const status = more.status ?? (this.#capturesAutomatically.has(orderId) ? 'captured' : 'authorized')
    const payment: RazorpayPayment = {
      id: newId('pay'),
      entity: 'payment',
      order_id: orderId,
      amount: order.amount,
      amount_refunded: 0,
      currency: order.currency,
      captured: status === 'captured',
      method: 'card',
      card: { last4: '4242' },
      email: 'buyer@mail.example',
      notes: [],
      created_at: nowSeconds(),
      ...more,
      status,
    }
    this.payments.set(payment.id, payment)
    return {
      razorpay_order_id: orderId,
      razorpay_payment_id: payment.id,
      razorpay_signature: sign(this.keySecret, `${orderId}|${payment.id}`),
    }
  }

  /** @param ids of the objects of the event @param more the id of the event and the secret, to override the defaults */
  webhook(
    event: string,
    ids: { payment?: string; order?: string; refund?: string },
    more: { eventId?: string | undefined; secret?: string } = {},
  ): FakeWebhook {
    const entities = [
      ['payment', this.payments.get(ids.payment ?? '')],
      ['order', this.orders.get(ids.order ?? '')],
      ['refund', this.refunds.get(ids.refund ?? '')],
    ] as const
    const known = entities.filter(([, entity]) => entity !== undefined)
    const payload = Object.fromEntries(known.map(([name, entity]) => [name, { entity }]))
    const body = Buffer.from(
      JSON.stringify({ entity: 'event', event, contains: Object.keys(payload), payload, created_at: ++this.#clock }),
    )
    const eventId = 'eventId' in more ? more.eventId : newId('evt')
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'x-razorpay-signature': sign(more.secret ?? this.webhookSecret, body),
        ...(eventId === undefined ? {} : { 'x-razorpay-event-id': eventId }),
      },
    }
  }

  /** Replies to a request of the API. */
  handle(request: FakeRequest): FakeResponse {
    const expected = `Basic ${Buffer.from(`${this.keyId}:${this.keySecret}`).toString('base64')}`
    if (request.headers.authorization !== expected) return failure('Authentication failed', 401)
    const [, version, kind, id = '', action] = request.path.split('/')
    if (version !== 'v1') return failure('The requested URL was not found on the server.', 404)
    const call = `${request.method} ${[kind, id && ':id', action].filter(Boolean).join('/')}`
    if (call === 'POST orders') return this.#makeOrder(request)
    if (call === 'GET orders') {
      const receipt = request.query.get('receipt')
      return list([...this.orders.values()].filter((order) => receipt === null || order.receipt === receipt))
    }
    const order = this.orders.get(id)
    const payment = this.payments.get(id)
    if (call === 'GET orders/:id' && order) return { status: 200, body: order }
    if (call === 'GET orders/:id/payments' && order) {
      return list([...this.payments.values()].filter((each) => each.order_id === id))
    }
    if (call === 'GET payments') return page([...this.payments.values()], request.query)
    if (call === 'GET refunds') return page([...this.refunds.values()], request.query)
    if (call === 'GET payments/:id' && payment) return { status: 200, body: payment }
    if (call === 'POST payments/:id/capture' && payment) return capture(payment, request)
    if (call === 'POST payments/:id/refund' && payment) return this.#refund(payment, request)
    if (call === 'GET payments/:id/refunds' && payment) {
      return list([...this.refunds.values()].filter((each) => each.payment_id === id))
    }
    return failure('The id provided does not exist')
  }

  #makeOrder(request: FakeRequest): FakeResponse {
    const requested = NewOrder.safeParse(JSON.parse(request.body)).data
    if (!requested) return failure('The amount must be an integer.')
    if (!isChargeable(requested.amount, requested.currency))
      return failure('The last digit of the amount must be 0 in this currency.')
    const order: RazorpayOrder = {
      id: newId('order'),
      entity: 'order',
      amount: requested.amount,
      amount_paid: 0,
      currency: requested.currency,
      receipt: requested.receipt ?? null,
      status: 'created',
      notes: requested.notes ?? [],
      created_at: ++this.#clock,
    }
    this.orders.set(order.id, order)
    if (requested.payment?.capture === 'automatic') this.#capturesAutomatically.add(order.id)
    return { status: 200, body: order }
  }

  #refund(payment: RazorpayPayment, request: FakeRequest): FakeResponse {
    const key = request.headers['x-refund-idempotency']
    const before = typeof key === 'string' ? this.#requests.get(key) : undefined
    if (before && before.body !== request.body) {
      return failure('Different request with the same idempotency key has already been processed.')
    }
    if (before) return { status: 200, body: before.refund }
    const requested = NewRefund.parse(JSON.parse(request.body))
    if (!payment.captured) return failure('The payment status should be captured for action to be taken')
    if (!isChargeable(requested.amount, payment.currency))
      return failure('The last digit of the amount must be 0 in this currency.')
    if (payment.amount_refunded + requested.amount > payment.amount) {
      return failure('The total refund amount is greater than the refund payment amount')
    }
    payment.amount_refunded += requested.amount
    if (payment.amount_refunded === payment.amount) payment.status = 'refunded'
    const made: RazorpayRefund = {
      id: newId('rfnd'),
      entity: 'refund',
      payment_id: payment.id,
      amount: requested.amount,
      currency: payment.currency,
      status: this.refundStatus,
      receipt: requested.receipt ?? null,
      notes: requested.notes ?? [],
      created_at: nowSeconds(),
    }
    this.refunds.set(made.id, made)
    if (typeof key === 'string') this.#requests.set(key, { body: request.body, refund: made })
    return { status: 200, body: made }
  }
}

function capture(payment: RazorpayPayment, request: FakeRequest): FakeResponse {
  const { amount, currency } = Capture.parse(JSON.parse(request.body))
  if (payment.status !== 'authorized') return failure('This payment has already been captured')
  if (amount !== payment.amount || currency !== payment.currency) {
    return failure('Capture amount must be equal to the amount authorized')
  }
  payment.status = 'captured'
  payment.captured = true
  return { status: 200, body: payment }
}

/** One page of a list, the newest first. */
function page(all: readonly { created_at: number }[], query: URLSearchParams): FakeResponse {
  const since = Number(query.get('from') ?? 0)
  const skip = Number(query.get('skip') ?? 0)
  const newest = all.filter(({ created_at: at }) => at >= since).toReversed()
  return list(newest.slice(skip, skip + Number(query.get('count') ?? 10)))
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000)

function newId(kind: string): string {
  return `${kind}_${randomBytes(7).toString('hex')}`
}

function sign(secret: string, content: string | Buffer): string {
  return createHmac('sha256', secret).update(content).digest('hex')
}

function list(items: readonly unknown[]): FakeResponse {
  return { status: 200, body: { entity: 'collection', count: items.length, items } }
}

function failure(description: string, status = 400): FakeResponse {
  return {
    status,
    body: { error: { code: 'BAD_REQUEST_ERROR', description, source: 'NA', step: 'NA', reason: 'NA', metadata: {} } },
  }
}
