import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import {
  createFakeServer,
  type FakeResponse,
  type FakeRequest,
  type FakeServer,
  type FakeWebhook,
} from './fake-server.ts'

interface StripeIntent {
  id: string
  object: 'payment_intent'
  amount: number
  amount_received: number
  currency: string
  status: string
  metadata: Record<string, string>
  last_payment_error: { card: { last4: string } } | null
}

interface StripeSession {
  id: string
  object: 'checkout.session'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  amount_total: number
  currency: string
  client_reference_id: string | null
  metadata: Record<string, string>
  payment_intent: string | null
  payment_method_types: string[]
  url: string | null
  expires_at: number
  success_url: string
}

interface StripeRefund {
  id: string
  object: 'refund'
  amount: number
  currency: string
  status: string
  payment_intent: string
  metadata: Record<string, string>
}

export interface FakeStripe extends FakeServer {
  secretKey: string
  webhookSecret: string
  sessions: Map<string, StripeSession>
  intents: Map<string, StripeIntent>
  refunds: Map<string, StripeRefund>
  /** Status of new refunds. */
  refundStatus: string
  /**
   * Pays on the page as a buyer, in the buyer's own currency, unless the page has only one price. `unpaid` means a
   * payment method that takes days.
   */
  pay(sessionId: string, paymentStatus?: 'paid' | 'unpaid'): StripeIntent
  webhook(type: string, object: unknown, more?: { eventId?: string; secret?: string; at?: Date }): FakeWebhook
}

const MINUTE_SECONDS = 60

/** Parses a form in the format of Stripe: `a[b][0][c]=d`. */
function readForm(text: string): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    let place = root
    for (const part of path.slice(0, -1)) {
      const inner = z.record(z.string(), z.unknown()).safeParse(place[part]).data ?? {}
      place[part] = inner
      place = inner
    }
    place[path.at(-1) ?? ''] = value
  }
  return root
}

const Metadata = z.record(z.string(), z.string()).default({})
const NewSession = z.object({
  mode: z.literal('payment'),
  line_items: z.object({
    0: z.object({
      quantity: z.literal('1'),
      price_data: z.object({
        currency: z.string().regex(/^[a-z]{3}$/),
        unit_amount: z.coerce.number().int().min(0),
        product_data: z.object({ name: z.string().min(1).max(250) }),
      }),
    }),
  }),
  client_reference_id: z.string().max(200).optional(),
  metadata: Metadata,
  payment_intent_data: z.object({ metadata: Metadata }),
  adaptive_pricing: z.object({ enabled: z.enum(['true', 'false']) }).optional(),
  customer_email: z.string().optional(),
  expires_at: z.coerce.number().int(),
  success_url: z.url(),
  cancel_url: z.url().optional(),
})
const NewRefund = z.object({ payment_intent: z.string(), amount: z.coerce.number().int().min(1), metadata: Metadata })

/**
 * Imitates Stripe according to its documentation: Checkout, payment intents and refunds below /v1, with forms and
 * idempotency keys.
 */
export async function createFakeStripe(options: { now?: () => Date } = {}): Promise<FakeStripe> {
  const { now = () => new Date() } = options
  const secretKey = `sk_test_${randomBytes(12).toString('hex')}`
  const webhookSecret = `whsec_${randomBytes(16).toString('hex')}`
  const sessions = new Map<string, StripeSession>()
  const intents = new Map<string, StripeIntent>()
  const refunds = new Map<string, StripeRefund>()
  const requests = new Map<string, { requests: string; response: FakeResponse }>()
  const newId = (kind: string) => `${kind}_${randomBytes(9).toString('hex')}`
  const nowSeconds = () => Math.floor(now().getTime() / 1000)

  function handle(request: FakeRequest): FakeResponse {
    if (request.headers.authorization !== `Bearer ${fake.secretKey}`) {
      return failure(`Invalid API Key provided: ${String(request.headers.authorization)}`, { status: 401 })
    }
    const key = request.headers['idempotency-key']
    if (request.method !== 'POST' || typeof key !== 'string') return carryOut(request)
    const requested = `${request.path}?${request.body}`
    const before = requests.get(key)
    if (before && before.requests !== requested) {
      return failure('Keys for idempotent requests can only be used with the same parameters.', {
        type: 'idempotency_error',
      })
    }
    if (before) return { ...before.response, headers: { 'idempotent-replayed': 'true' } }
    const response = carryOut(request)
    // A request that was rejected before it was processed is not stored.
    if (response.status === 200) requests.set(key, { requests: requested, response: structuredClone(response) })
    return response
  }

  function carryOut(request: FakeRequest): FakeResponse {
    const { method, path, query, body } = request
    if (method === 'POST' && path === '/v1/checkout/sessions') return makeSession(body)
    if (method === 'POST' && path === '/v1/refunds') return makeRefund(body)
    if (method === 'GET' && path === '/v1/refunds') {
      return list([...refunds.values()].filter((each) => each.payment_intent === query.get('payment_intent')))
    }
    if (method === 'GET' && path === '/v1/payment_intents/search') return search(query.get('query') ?? '')
    const [, id = '', action] = /^\/v1\/checkout\/sessions\/(\w+)(?:\/(\w+))?$/.exec(path) ?? []
    const session = sessions.get(id)
    if (!session) return failure(`No such object: ${path}`, { status: 404, code: 'resource_missing' })
    if (method === 'POST' && action === 'expire') return expire(session)
    const isExpanded = [...query].some(([name, value]) => name.startsWith('expand') && value === 'payment_intent')
    const intent = isExpanded ? (intents.get(session.payment_intent ?? '') ?? null) : session.payment_intent
    return { status: 200, body: { ...session, payment_intent: intent } }
  }

  function makeSession(body: string): FakeResponse {
    const { data: requested, error } = NewSession.safeParse(readForm(body))
    if (!requested) return failure(`Invalid parameters: ${error.message}`, { code: 'parameter_invalid' })
    const aheadSeconds = requested.expires_at - nowSeconds()
    if (aheadSeconds < 30 * MINUTE_SECONDS || aheadSeconds > 24 * 60 * MINUTE_SECONDS) {
      return failure('The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from now.')
    }
    const { currency, unit_amount: amount } = requested.line_items[0].price_data
    const id = newId('cs_test')
    const session: StripeSession = {
      id,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: amount,
      currency,
      client_reference_id: requested.client_reference_id ?? null,
      metadata: requested.metadata,
      payment_intent: null,
      payment_method_types: ['card'],
      url: `https://checkout.stripe.example/c/pay/${id}`,
      expires_at: requested.expires_at,
      success_url: requested.success_url,
    }
    sessions.set(id, session)
    intentMetadata.set(id, requested.payment_intent_data.metadata)
    if (requested.adaptive_pricing?.enabled === 'false') hasOnePrice.add(id)
    return { status: 200, body: session }
  }
  const intentMetadata = new Map<string, Record<string, string>>()
  const hasOnePrice = new Set<string>()

  function expire(session: StripeSession): FakeResponse {
    if (session.status !== 'open') {
      return failure('Only Checkout Sessions with a status in ["open"] can be expired.')
    }
    session.status = 'expired'
    session.url = null
    return { status: 200, body: session }
  }

  function makeRefund(body: string): FakeResponse {
    const requested = NewRefund.parse(readForm(body))
    const intent = intents.get(requested.payment_intent)
    if (!intent) return failure('No such payment_intent', { status: 404, code: 'resource_missing' })
    const others = [...refunds.values()].filter(
      ({ payment_intent: id, status }) => id === intent.id && status !== 'failed',
    )
    const left = others.reduce((sum, { amount }) => sum - amount, intent.amount_received)
    if (left === 0) return failure('Charge has already been refunded.', { code: 'charge_already_refunded' })
    if (requested.amount > left) return failure('Refund amount is greater than unrefunded amount on charge')
    const refund: StripeRefund = {
      id: newId('re'),
      object: 'refund',
      amount: requested.amount,
      currency: intent.currency,
      status: fake.refundStatus,
      payment_intent: intent.id,
      metadata: requested.metadata,
    }
    refunds.set(refund.id, refund)
    return { status: 200, body: refund }
  }

  function search(query: string): FakeResponse {
    const sessionId = /metadata\['session_id'\]:'([^']+)'/.exec(query)?.[1]
    const status = /status:'(\w+)'/.exec(query)?.[1]
    const found = [...intents.values()].filter(
      (intent) => intent.metadata['session_id'] === sessionId && (status === undefined || intent.status === status),
    )
    return {
      status: 200,
      body: { object: 'search_result', data: found, has_more: false, url: '/v1/payment_intents/search' },
    }
  }

  const fake: FakeStripe = {
    ...(await createFakeServer(handle)),
    secretKey,
    webhookSecret,
    sessions,
    intents,
    refunds,
    refundStatus: 'succeeded',
    pay(sessionId, paymentStatus = 'paid') {
      const session = sessions.get(sessionId)
      if (session?.status !== 'open') throw new Error(`the session ${sessionId} cannot be paid`)
      const isPaid = paymentStatus === 'paid'
      if (!hasOnePrice.has(sessionId)) {
        // As in events of accounts whose API version is older than 2025-03-31.
        Object.assign(session, { currency: 'chf', amount_total: Math.round(session.amount_total * 0.9) })
      }
      const intent: StripeIntent = {
        id: newId('pi'),
        object: 'payment_intent',
        amount: session.amount_total,
        amount_received: isPaid ? session.amount_total : 0,
        currency: session.currency,
        status: isPaid ? 'succeeded' : 'processing',
        metadata: intentMetadata.get(sessionId) ?? {},
        last_payment_error: null,
      }
      intents.set(intent.id, intent)
      Object.assign(session, {
        status: 'complete',
        payment_status: paymentStatus,
        payment_intent: intent.id,
        url: null,
      })
      return intent
    },
    webhook(type, object, more = {}) {
      const { eventId = newId('evt'), secret = fake.webhookSecret, at = now() } = more
      const seconds = Math.floor(at.getTime() / 1000)
      const body = Buffer.from(
        JSON.stringify({ id: eventId, object: 'event', type, created: seconds, livemode: false, data: { object } }),
      )
      const signature = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')
      return {
        body,
        headers: { 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${signature}` },
      }
    },
  }
  return fake
}

function list(data: readonly unknown[]): FakeResponse {
  return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/refunds' } }
}

function failure(message: string, more: { status?: number; type?: string; code?: string } = {}): FakeResponse {
  const { status = 400, type = 'invalid_request_error', code } = more
  return { status, body: { error: { message, type, ...(code === undefined ? {} : { code }) } } }
}
