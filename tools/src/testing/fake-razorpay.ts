import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import {
  createFakeServer,
  type FakeResponse,
  type FakeRequest,
  type FakeServer,
  type FakeWebhook,
} from './fake-server.ts'

interface RazorpayOrder {
  id: string
  entity: 'order'
  amount: number
  amount_paid: number
  currency: string
  receipt: string | null
  status: string
  /** An empty array when there are none, as in the real API. */
  notes: Record<string, string> | []
  created_at: number
}

interface RazorpayPayment {
  id: string
  entity: 'payment'
  order_id: string
  amount: number
  amount_refunded: number
  currency: string
  status: 'created' | 'authorized' | 'captured' | 'refunded' | 'failed'
  captured: boolean
  method: string
  card: { last4: string }
  email: string
  notes: []
}

interface RazorpayRefund {
  id: string
  entity: 'refund'
  payment_id: string
  amount: number
  currency: string
  status: 'pending' | 'processed' | 'failed'
  receipt: string | null
  notes: Record<string, string> | []
}

export interface FakeRazorpay extends FakeServer {
  keyId: string
  keySecret: string
  webhookSecret: string
  orders: Map<string, RazorpayOrder>
  payments: Map<string, RazorpayPayment>
  refunds: Map<string, RazorpayRefund>
  /** Status of new refunds. */
  refundStatus: RazorpayRefund['status']
  /**
   * Pays in the form as a buyer. The payment is only authorized, unless the order requires automatic capture.
   * @returns what the form passes to the storefront
   */
  pay(
    orderId: string,
    more?: Partial<Pick<RazorpayPayment, 'status' | 'amount' | 'method'>>,
  ): { razorpay_order_id: string; razorpay_payment_id: string; razorpay_signature: string }
  /** @param ids of the objects of the event @param more the id of the event and the secret, to override the defaults */
  webhook(
    event: string,
    ids: { payment?: string; order?: string; refund?: string },
    more?: { eventId?: string | undefined; secret?: string },
  ): FakeWebhook
}

const NewOrder = z.object({
  amount: z.int().min(1),
  currency: z.string().length(3),
  receipt: z.string().max(40).optional(),
  notes: z.record(z.string(), z.string()).optional(),
  payment: z
    .object({
      capture: z.enum(['automatic', 'manual']),
      capture_options: z.object({
        automatic_expiry_period: z.int().min(12).max(7200),
        manual_expiry_period: z.int().min(12).max(7200),
        refund_speed: z.enum(['normal', 'optimum']),
      }),
    })
    .optional(),
})
const Capture = z.object({ amount: z.int(), currency: z.string() })
const NewRefund = z.object({
  amount: z.int().min(1),
  speed: z.string().optional(),
  receipt: z.string().max(40).optional(),
  notes: z.record(z.string(), z.string()).optional(),
})

/** Imitates Razorpay according to its documentation: orders, payments and refunds below /v1, with basic auth. */
export async function createFakeRazorpay(): Promise<FakeRazorpay> {
  const keyId = `rzp_test_${randomBytes(7).toString('hex')}`
  const keySecret = randomBytes(12).toString('hex')
  const webhookSecret = randomBytes(12).toString('hex')
  const orders = new Map<string, RazorpayOrder>()
  const payments = new Map<string, RazorpayPayment>()
  const refunds = new Map<string, RazorpayRefund>()
  const capturesAutomatically = new Set<string>()
  /** Requests and their refunds by idempotency key. */
  const requests = new Map<string, { body: string; refund: RazorpayRefund }>()
  let clock = 1_700_000_000
  const newId = (kind: string) => `${kind}_${randomBytes(7).toString('hex')}`

  function handle(request: FakeRequest): FakeResponse {
    const expected = `Basic ${Buffer.from(`${keyId}:${fake.keySecret}`).toString('base64')}`
    if (request.headers.authorization !== expected) return failure('Authentication failed', 401)
    const [, version, kind, id = '', action] = request.path.split('/')
    if (version !== 'v1') return failure('The requested URL was not found on the server.', 404)
    const call = `${request.method} ${[kind, id && ':id', action].filter(Boolean).join('/')}`
    if (call === 'POST orders') return makeOrder(request)
    if (call === 'GET orders') {
      const receipt = request.query.get('receipt')
      return list([...orders.values()].filter((order) => receipt === null || order.receipt === receipt))
    }
    const order = orders.get(id)
    const payment = payments.get(id)
    if (call === 'GET orders/:id' && order) return { status: 200, body: order }
    if (call === 'GET orders/:id/payments' && order) {
      return list([...payments.values()].filter((each) => each.order_id === id))
    }
    if (call === 'GET payments/:id' && payment) return { status: 200, body: payment }
    if (call === 'POST payments/:id/capture' && payment) return capture(payment, request)
    if (call === 'POST payments/:id/refund' && payment) return refund(payment, request)
    if (call === 'GET payments/:id/refunds' && payment) {
      return list([...refunds.values()].filter((each) => each.payment_id === id))
    }
    return failure('The id provided does not exist')
  }

  function makeOrder(request: FakeRequest): FakeResponse {
    const requested = NewOrder.safeParse(JSON.parse(request.body)).data
    if (!requested) return failure('The amount must be an integer.')
    const order: RazorpayOrder = {
      id: newId('order'),
      entity: 'order',
      amount: requested.amount,
      amount_paid: 0,
      currency: requested.currency,
      receipt: requested.receipt ?? null,
      status: 'created',
      notes: requested.notes ?? [],
      created_at: ++clock,
    }
    orders.set(order.id, order)
    if (requested.payment?.capture === 'automatic') capturesAutomatically.add(order.id)
    return { status: 200, body: order }
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

  function refund(payment: RazorpayPayment, request: FakeRequest): FakeResponse {
    const key = request.headers['x-refund-idempotency']
    const before = typeof key === 'string' ? requests.get(key) : undefined
    if (before && before.body !== request.body) {
      return failure('Different request with the same idempotency key has already been processed.')
    }
    if (before) return { status: 200, body: before.refund }
    const requested = NewRefund.parse(JSON.parse(request.body))
    if (!payment.captured) return failure('The payment status should be captured for action to be taken')
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
      status: fake.refundStatus,
      receipt: requested.receipt ?? null,
      notes: requested.notes ?? [],
    }
    refunds.set(made.id, made)
    if (typeof key === 'string') requests.set(key, { body: request.body, refund: made })
    return { status: 200, body: made }
  }

  const fake: FakeRazorpay = {
    ...(await createFakeServer(handle)),
    keyId,
    keySecret,
    webhookSecret,
    orders,
    payments,
    refunds,
    refundStatus: 'processed',
    pay(orderId, more = {}) {
      const order = orders.get(orderId)
      if (!order) throw new Error(`there is no order ${orderId}`)
      const status = more.status ?? (capturesAutomatically.has(orderId) ? 'captured' : 'authorized')
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
        ...more,
        status,
      }
      payments.set(payment.id, payment)
      return {
        razorpay_order_id: orderId,
        razorpay_payment_id: payment.id,
        razorpay_signature: sign(fake.keySecret, `${orderId}|${payment.id}`),
      }
    },
    webhook(event, ids, more = {}) {
      const entities = [
        ['payment', payments.get(ids.payment ?? '')],
        ['order', orders.get(ids.order ?? '')],
        ['refund', refunds.get(ids.refund ?? '')],
      ] as const
      const known = entities.filter(([, entity]) => entity !== undefined)
      const payload = Object.fromEntries(known.map(([name, entity]) => [name, { entity }]))
      const body = Buffer.from(
        JSON.stringify({ entity: 'event', event, contains: Object.keys(payload), payload, created_at: ++clock }),
      )
      const eventId = 'eventId' in more ? more.eventId : newId('evt')
      return {
        body,
        headers: {
          'content-type': 'application/json',
          'x-razorpay-signature': sign(more.secret ?? fake.webhookSecret, body),
          ...(eventId === undefined ? {} : { 'x-razorpay-event-id': eventId }),
        },
      }
    },
  }
  return fake
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
