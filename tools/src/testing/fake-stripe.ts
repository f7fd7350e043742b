import { createHmac, randomBytes } from 'node:crypto'
import { isChargeable } from './chargeable.ts'
import {
  createFakeServer,
  type FakeResponse,
  type FakeRequest,
  type FakeServer,
  type FakeWebhook,
} from './fake-server.ts'
import {
  NewRefund,
  NewSession,
  readForm,
  type StripeIntent,
  type StripeRefund,
  type StripeSession,
} from './fake-stripe-shapes.ts'

export type FakeStripe = StripeAccount & FakeServer

const MINUTE_SECONDS = 60

/**
 * Imitates Stripe according to its documentation: Checkout, payment intents and refunds below /v1, with forms and
 * idempotency keys.
 * @param options.host the address of this machine at which the shop reaches it
 */
export async function createFakeStripe(options: { now?: () => Date; host?: string } = {}): Promise<FakeStripe> {
  const account = new StripeAccount(options.now ?? (() => new Date()))
  return Object.assign(account, await createFakeServer((request) => account.handle(request), options.host))
}

/** The account of a merchant at Stripe: what a buyer does on its pages, its webhooks and its API. */
class StripeAccount {
  secretKey = `sk_test_${randomBytes(12).toString('hex')}`
  webhookSecret = `whsec_${randomBytes(16).toString('hex')}`
  readonly sessions = new Map<string, StripeSession>()
  readonly intents = new Map<string, StripeIntent>()
  readonly refunds = new Map<string, StripeRefund>()
  refundStatus = 'succeeded'
  readonly #now: () => Date
  /** Requests and their responses by idempotency key. */
  readonly #requests = new Map<string, { request: string; response: FakeResponse }>()
  /** Metadata of the later payments, by the ids of their sessions. */
  readonly #intentMetadata = new Map<string, Record<string, string>>()
  readonly #hasOnePrice = new Set<string>()

  constructor(now: () => Date) {
    this.#now = now
  }

  /**
   * Pays on the page as a buyer, in the buyer's own currency, unless the page has only one price. `unpaid` means a
   * payment method that takes days.
   */
  pay(sessionId: string, paymentStatus: 'paid' | 'unpaid' = 'paid'): StripeIntent {
    const session = this.sessions.get(sessionId)
    if (session?.status !== 'open') throw new Error(`the session ${sessionId} cannot be paid`)
    const isPaid = paymentStatus === 'paid'
    if (!this.#hasOnePrice.has(sessionId)) {
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
      created: this.#nowSeconds(),
      metadata: this.#intentMetadata.get(sessionId) ?? {},
      last_payment_error: null,
    }
    this.intents.set(intent.id, intent)
    Object.assign(session, {
      status: 'complete',
      payment_status: paymentStatus,
      payment_intent: intent.id,
      url: null,
    })
    return intent
  }

  webhook(type: string, object: unknown, more: { eventId?: string; secret?: string; at?: Date } = {}): FakeWebhook {
    const { eventId = newId('evt'), secret = this.webhookSecret, at = this.#now() } = more
    const seconds = Math.floor(at.getTime() / 1000)
    const body = Buffer.from(
      JSON.stringify({ id: eventId, object: 'event', type, created: seconds, livemode: false, data: { object } }),
    )
    const signature = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')
    return {
      body,
      headers: { 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${signature}` },
    }
  }

  /** Replies to a request of the API. */
  handle(request: FakeRequest): FakeResponse {
    if (request.headers.authorization !== `Bearer ${this.secretKey}`) {
      return failure(`Invalid API Key provided: ${String(request.headers.authorization)}`, { status: 401 })
    }
    const key = request.headers['idempotency-key']
    if (request.method !== 'POST' || typeof key !== 'string') return this.#carryOut(request)
    const requested = `${request.path}?${request.body}`
    const before = this.#requests.get(key)
    if (before && before.request !== requested) {
      return failure('Keys for idempotent requests can only be used with the same parameters.', {
        type: 'idempotency_error',
      })
    }
    if (before) return { ...before.response, headers: { 'idempotent-replayed': 'true' } }
    const response = this.#carryOut(request)
    // A request that was rejected before it was processed is not stored.
    if (response.status === 200) this.#requests.set(key, { request: requested, response: structuredClone(response) })
    return response
  }

  #carryOut(request: FakeRequest): FakeResponse {
    const { method, path, query, body } = request
    if (method === 'POST' && path === '/v1/checkout/sessions') return this.#makeSession(body)
    if (method === 'POST' && path === '/v1/refunds') return this.#makeRefund(body)
    if (method === 'GET' && path === '/v1/refunds') {
      const payment = query.get('payment_intent')
      return page(
        [...this.refunds.values()].filter((each) => payment === null || each.payment_intent === payment),
        query,
      )
    }
    if (method === 'GET' && path === '/v1/payment_intents') return page([...this.intents.values()], query)
    if (method === 'GET' && path === '/v1/payment_intents/search') return this.#search(query.get('query') ?? '')
    const [, id = '', action] = /^\/v1\/checkout\/sessions\/(\w+)(?:\/(\w+))?$/.exec(path) ?? []
    const session = this.sessions.get(id)
    if (!session) return failure(`No such object: ${path}`, { status: 404, code: 'resource_missing' })
    if (method === 'POST' && action === 'expire') return expire(session)
    const isExpanded = [...query].some(([name, value]) => name.startsWith('expand') && value === 'payment_intent')
    const intent = isExpanded ? (this.intents.get(session.payment_intent ?? '') ?? null) : session.payment_intent
    return { status: 200, body: { ...session, payment_intent: intent } }
  }

  #makeSession(body: string): FakeResponse {
    const { data: requested, error } = NewSession.safeParse(readForm(body))
    if (!requested) return failure(`Invalid parameters: ${error.message}`, { code: 'parameter_invalid' })
    const aheadSeconds = requested.expires_at - this.#nowSeconds()
    if (aheadSeconds < 30 * MINUTE_SECONDS || aheadSeconds > 24 * 60 * MINUTE_SECONDS) {
      return failure('The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from now.')
    }
    const { currency, unit_amount: amount } = requested.line_items[0].price_data
    if (!isChargeable(amount, currency)) return invalidAmount(currency)
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
    this.sessions.set(id, session)
    this.#intentMetadata.set(id, requested.payment_intent_data.metadata)
    if (requested.adaptive_pricing?.enabled === 'false') this.#hasOnePrice.add(id)
    return { status: 200, body: session }
  }

  #makeRefund(body: string): FakeResponse {
    const requested = NewRefund.parse(readForm(body))
    const intent = this.intents.get(requested.payment_intent)
    if (!intent) return failure('No such payment_intent', { status: 404, code: 'resource_missing' })
    const others = [...this.refunds.values()].filter(
      ({ payment_intent: id, status }) => id === intent.id && status !== 'failed',
    )
    const left = others.reduce((sum, { amount }) => sum - amount, intent.amount_received)
    if (left === 0) return failure('Charge has already been refunded.', { code: 'charge_already_refunded' })
    if (!isChargeable(requested.amount, intent.currency)) return invalidAmount(intent.currency)
    if (requested.amount > left) return failure('Refund amount is greater than unrefunded amount on charge')
    const refund: StripeRefund = {
      id: newId('re'),
      object: 'refund',
      amount: requested.amount,
      currency: intent.currency,
      status: this.refundStatus,
      created: this.#nowSeconds(),
      payment_intent: intent.id,
      metadata: requested.metadata,
    }
    this.refunds.set(refund.id, refund)
    return { status: 200, body: refund }
  }

  #search(query: string): FakeResponse {
    const sessionId = /metadata\['session_id'\]:'([^']+)'/.exec(query)?.[1]
    const status = /status:'(\w+)'/.exec(query)?.[1]
    const found = [...this.intents.values()].filter(
      (intent) => intent.metadata['session_id'] === sessionId && (status === undefined || intent.status === status),
    )
    return {
      status: 200,
      body: { object: 'search_result', data: found, has_more: false, url: '/v1/payment_intents/search' },
    }
  }

  #nowSeconds(): number {
    return Math.floor(this.#now().getTime() / 1000)
  }
}

function invalidAmount(currency: string): FakeResponse {
  return failure(`Invalid amount: amounts in ${currency} must be a multiple of 10.`, { code: 'parameter_invalid' })
}

function expire(session: StripeSession): FakeResponse {
  if (session.status !== 'open') {
    return failure('Only Checkout Sessions with a status in ["open"] can be expired.')
  }
  session.status = 'expired'
  session.url = null
  return { status: 200, body: session }
}

function newId(kind: string): string {
  return `${kind}_${randomBytes(9).toString('hex')}`
}

/** One page of a list, the newest first. */
function page(all: readonly { id: string; created: number }[], query: URLSearchParams): FakeResponse {
  const since = Number(query.get('created[gte]') ?? 0)
  const newest = all.filter(({ created }) => created >= since).toReversed()
  const after = newest.findIndex(({ id }) => id === query.get('starting_after'))
  const end = after + 1 + Number(query.get('limit') ?? 10)
  const data = newest.slice(after + 1, end)
  return { status: 200, body: { object: 'list', data, has_more: end < newest.length, url: '/v1' } }
}

function failure(message: string, more: { status?: number; type?: string; code?: string } = {}): FakeResponse {
  const { status = 400, type = 'invalid_request_error', code } = more
  return { status, body: { error: { message, type, ...(code === undefined ? {} : { code }) } } }
}
