import { manualClock } from '@storefront/service/testing'
import { AFTER_EFFECT, BEFORE_EFFECT, type FakeWebhook, waitFor } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ProviderRejection, ProviderUnavailable, type PaymentProvider } from '../src/payments/provider.ts'
import {
  createPaymentSetting,
  HASTY,
  refundOf,
  sessionToOpen,
  TIMEOUT_MS,
  type PaymentSetting,
} from './payment-setting.ts'
import { usd } from './shop.ts'

const MINUTE_MS = 60_000
const FAULTS = [...BEFORE_EFFECT, ...AFTER_EFFECT]
const clock = manualClock('2026-05-01T10:01:00.000Z')
let setting: PaymentSetting
let provider: PaymentProvider
/** The same with short timeouts. */
let hasty: PaymentProvider

beforeAll(async () => {
  setting = await createPaymentSetting(clock)
  provider = setting.provider('stripe')
  hasty = setting.provider('stripe', HASTY)
})
afterEach(() => {
  setting.stripe.heal()
  setting.stripe.refundStatus = 'succeeded'
  setting.credentials.clear()
})
afterAll(() => setting.stop())

const open = async (more = {}) => {
  const session = sessionToOpen(clock.now(), more)
  return { session, ...(await provider.openSession(session)) }
}
const paid = async () => setting.stripe.pay((await open()).providerSession).id
const pagesOf = (id: string) => [...setting.stripe.sessions.values()].filter((page) => page.client_reference_id === id)
const refundsOf = (intent: string) =>
  [...setting.stripe.refunds.values()].filter((each) => each.payment_intent === intent)
const verify = (webhook: FakeWebhook, used = provider) => Promise.resolve(used.verifyWebhook(webhook))

describe('a session', () => {
  test('is a page at Stripe for one order and its total', async () => {
    const { session, providerSession, url } = await open({ cancelUrl: 'https://shop.example/bag' })
    const page = setting.stripe.sessions.get(providerSession)
    expect(url).toBe(page?.url)
    expect(page).toMatchObject({
      amount_total: 4920,
      currency: 'usd',
      client_reference_id: session.id,
      metadata: { session_id: session.id, order_id: session.orderId },
      expires_at: session.expiresAt.getTime() / 1000,
      success_url: `http://shop.example/v1/payments/done?session=${session.id}`,
    })
    const sent = new URLSearchParams(setting.stripe.received.at(-1)?.body)
    expect(sent.get('customer_email')).toBe('ada@mail.example')
    expect(sent.get('cancel_url')).toBe('https://shop.example/bag')
    expect(sent.get('line_items[0][price_data][product_data][name]')).toBe('2 items')
    expect(sent.get('adaptive_pricing[enabled]')).toBe('false')
    expect(sent.get('payment_intent_data[metadata][session_id]')).toBe(session.id)
  })

  test('of goods with a long name is opened, also when it would be cut in the middle of a character', async () => {
    await open({ description: `${'x'.repeat(249)}👕` })
    const sent = new URLSearchParams(setting.stripe.received.at(-1)?.body)
    expect(sent.get('line_items[0][price_data][product_data][name]')).toMatch(/^x{249}\ufffd$/)
  })

  test('redirects back to the storefront when that names a page', async () => {
    const { providerSession } = await open({ successUrl: 'https://shop.example/thanks' })
    expect(setting.stripe.sessions.get(providerSession)?.success_url).toBe('https://shop.example/thanks')
  })

  test('that is opened again, now or later, is the same page', async () => {
    for (const minutes of [40, 10]) {
      const { session, providerSession } = await open({
        expiresAt: new Date(clock.now().getTime() + minutes * MINUTE_MS),
      })
      expect(await setting.provider('stripe').openSession(session)).toMatchObject({ providerSession })
      clock.advance(11 * MINUTE_MS)
      expect(await provider.openSession(session)).toMatchObject({ providerSession })
      expect(pagesOf(session.id)).toHaveLength(1)
    }
  })

  test('that ends sooner than Stripe allows ends at Stripe as soon as possible', async () => {
    const { providerSession } = await open({ expiresAt: new Date(clock.now().getTime() + MINUTE_MS) })
    const aheadMs = (setting.stripe.sessions.get(providerSession)?.expires_at ?? 0) * 1000 - clock.now().getTime()
    expect(aheadMs).toBeGreaterThan(30 * MINUTE_MS)
    expect(aheadMs).toBeLessThanOrEqual(42 * MINUTE_MS)
  })

  test('reports its result', async () => {
    const { session, providerSession } = await open()
    const inspect = () => provider.inspectSession({ id: session.id, providerSession })
    expect(await inspect()).toBeUndefined()
    const { id: reference } = setting.stripe.pay(providerSession)
    expect(await inspect()).toEqual({
      kind: 'payment',
      provider: 'stripe',
      status: 'captured',
      reference,
      sessionId: session.id,
      providerSession,
      orderId: session.orderId,
      amount: usd(4920),
      method: 'card',
    })
    const found = await provider.inspectSession({ id: session.id, providerSession: null })
    expect(found).toMatchObject({ status: 'captured', reference, sessionId: session.id, amount: usd(4920) })
    expect(await provider.inspectSession({ id: 'pay_unknown', providerSession: null })).toBeUndefined()
  })

  test('with a payment that takes days is authorized until it succeeds or fails', async () => {
    const { session, providerSession } = await open()
    const intent = setting.stripe.pay(providerSession, 'unpaid')
    const inspect = () => provider.inspectSession({ id: session.id, providerSession })
    expect(await inspect()).toMatchObject({ status: 'authorized', reference: intent.id, amount: usd(4920) })
    for (const status of ['requires_payment_method', 'canceled']) {
      intent.status = status
      expect(await inspect()).toMatchObject({ status: 'failed', reference: intent.id })
    }
  })

  test('is closed, and closing one that is closed or paid is not an error', async () => {
    const { session, providerSession } = await open()
    const closing = { id: session.id, providerSession }
    await provider.closeSession(closing)
    await provider.closeSession(closing)
    expect(setting.stripe.sessions.get(providerSession)?.status).toBe('expired')
    expect(await provider.inspectSession(closing)).toMatchObject({ status: 'expired', reference: undefined })
    const other = await open()
    setting.stripe.pay(other.providerSession)
    await provider.closeSession({ id: other.session.id, providerSession: other.providerSession })
    expect(setting.stripe.sessions.get(other.providerSession)?.status).toBe('complete')
  })

  test.each([
    ['JPY', 5000, 5000],
    ['KWD', 12_340, 12_340],
    // The shop counts this currency in whole units, and Stripe in hundredths.
    ['ISK', 5000, 500_000],
    // The shop counts this currency in hundredths, and Stripe in whole units.
    ['PYG', 500_000, 5000],
  ])('of %s %i is sent as %i, and reported with the original amount', async (currency, ours, theirs) => {
    const { session, providerSession } = await open({ total: { amount: ours, currency } })
    expect(setting.stripe.sessions.get(providerSession)?.amount_total).toBe(theirs)
    setting.stripe.pay(providerSession)
    expect((await provider.inspectSession({ id: session.id, providerSession }))?.amount).toEqual({
      amount: ours,
      currency,
    })
  })
})

test('an amount of single thousandths is neither charged nor refunded', async () => {
  const total = { amount: 5124, currency: 'KWD' }
  await expect(open({ total })).rejects.toBeInstanceOf(ProviderRejection)
  const { providerSession } = await open({ total: { ...total, amount: 5120 } })
  const payment = setting.stripe.pay(providerSession).id
  const refund = { ...refundOf(payment), amount: { amount: 5, currency: 'KWD' } }
  await expect(provider.refund(refund)).rejects.toBeInstanceOf(ProviderRejection)
  expect(refundsOf(payment)).toEqual([])
})

describe.each(FAULTS)('with the fault %s', (fault) => {
  test('it is unknown whether a session was opened, and the next attempt gets the same page', async () => {
    const session = sessionToOpen(clock.now())
    setting.stripe.fail(fault)
    await expect(hasty.openSession(session)).rejects.toBeInstanceOf(ProviderUnavailable)
    setting.stripe.heal()
    // The same provider recovers. On a busy machine, it may time out once more.
    const { providerSession } = await waitFor('a session', () => hasty.openSession(session))
    expect(pagesOf(session.id).map(({ id }) => id)).toEqual([providerSession])
  })

  test('a refund is made once', async () => {
    const payment = await paid()
    const refund = refundOf(payment)
    setting.stripe.fail(fault, /^POST \/v1\/refunds$/)
    await expect(hasty.refund(refund)).rejects.toBeInstanceOf(ProviderUnavailable)
    setting.stripe.heal()
    const made = await provider.refund(refund)
    expect(made).toEqual({ reference: refundsOf(payment)[0]?.id, status: 'succeeded' })
    expect(await provider.refund(refund)).toEqual(made)
    expect(refundsOf(payment)).toHaveLength(1)
  })

  test('requests time out', async () => {
    const payment = await paid()
    const { session, providerSession } = await open()
    setting.stripe.fail(fault)
    const started = performance.now()
    const outcomes = await Promise.allSettled([
      hasty.inspectSession({ id: session.id, providerSession }),
      hasty.inspectSession({ id: session.id, providerSession: null }),
      hasty.closeSession({ id: session.id, providerSession }),
      hasty.inspectRefund({ ...refundOf(payment), reference: null }),
      hasty.refund(refundOf(payment)),
      hasty.openSession(session),
    ])
    const reasons = outcomes.map(
      (outcome) => outcome.status === 'rejected' && outcome.reason instanceof ProviderUnavailable,
    )
    expect(reasons).toEqual([true, true, true, true, true, true])
    // Two attempts, with a pause that the client chooses between them.
    expect(performance.now() - started).toBeLessThan(TIMEOUT_MS * 2 + 20_000)
  })
})

test('a response that is lost once is requested again under the same key', async () => {
  setting.stripe.fail('cut-after', /./, 1)
  const { session } = await open()
  expect(pagesOf(session.id)).toHaveLength(1)
})

describe('a refund', () => {
  test('can be looked up by our id', async () => {
    const payment = await paid()
    const refund = refundOf(payment)
    setting.stripe.refundStatus = 'pending'
    const { reference, status } = await provider.refund(refund)
    expect(status).toBe('pending')
    const update = {
      kind: 'refund',
      provider: 'stripe',
      status: 'pending',
      reference,
      refundId: refund.id,
      paymentReference: payment,
      amount: usd(1000),
    }
    expect(await provider.inspectRefund({ ...refund, reference })).toEqual(update)
    expect(await provider.inspectRefund({ ...refundOf(payment), reference: null })).toBeUndefined()
  })

  test('made in the dashboard does not have our id, and can be looked up by its reference', async () => {
    const payment = await paid()
    await provider.refund(refundOf(payment))
    const [made] = refundsOf(payment)
    if (!made) throw new Error('the refund was not made')
    const reference = `re_dashboard_${payment}`
    setting.stripe.refunds.set(reference, { ...made, id: reference, status: 'pending', metadata: {} })
    const refund = refundOf(payment)
    expect(await provider.inspectRefund({ ...refund, reference })).toMatchObject({ status: 'pending', reference })
    expect(await provider.inspectRefund({ ...refund, reference: 're_other' })).toBeUndefined()
  })

  test('of more than was paid is rejected', async () => {
    const payment = await paid()
    await expect(provider.refund(refundOf(payment, { amount: usd(4921) }))).rejects.toBeInstanceOf(ProviderRejection)
    expect(refundsOf(payment)).toEqual([])
  })

  test('that failed at Stripe is not successful', async () => {
    setting.stripe.refundStatus = 'failed'
    await expect(provider.refund(refundOf(await paid()))).rejects.toBeInstanceOf(ProviderRejection)
  })
})

describe('the key', () => {
  test('that is wrong is reported so, and never printed', async () => {
    const key = 'sk_test_wrongwrongwrong'
    const wrong = setting.provider('stripe', { STRIPE_SECRET_KEY: key })
    const failure = await wrong.openSession(sessionToOpen(clock.now())).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ProviderRejection)
    expect(failure).toMatchObject({ reason: 'the key is wrong (401)' })
    expect(JSON.stringify(failure) + String(failure)).not.toContain(key)
  })

  test('of the merchant takes precedence over that of the operator, also when it is set later', async () => {
    const own = setting.provider('stripe', { STRIPE_SECRET_KEY: 'sk_test_other' })
    await expect(own.openSession(sessionToOpen(clock.now()))).rejects.toBeInstanceOf(ProviderRejection)
    setting.credentials.set('stripeSecretKey', { value: setting.stripe.secretKey, updatedAt: clock.now() })
    await expect(own.openSession(sessionToOpen(clock.now()))).resolves.toHaveProperty('providerSession')
  })

  test('or the secret of the webhook that is missing makes the provider not configured', () => {
    expect(provider.isConfigured()).toBe(true)
    expect(setting.provider('stripe', { STRIPE_SECRET_KEY: '' }).isConfigured()).toBe(false)
    expect(setting.provider('stripe', { STRIPE_WEBHOOK_SECRET: '' }).isConfigured()).toBe(false)
  })
})

describe('a webhook', () => {
  const completed = async (more = {}) => {
    const { providerSession } = await open()
    setting.stripe.pay(providerSession)
    const session = setting.stripe.sessions.get(providerSession)
    return setting.stripe.webhook('checkout.session.completed', session, more)
  }

  test('that is signed is identified by the id of its event', async () => {
    const webhook = await completed({ eventId: 'evt_1' })
    expect(await verify(webhook)).toEqual({ eventId: 'evt_1', type: 'checkout.session.completed' })
  })

  test('that is forged, changed, unsigned, signed twice or old is rejected', async () => {
    const { headers, body } = await completed()
    const signature = headers['stripe-signature'] ?? ''
    const attempts = [
      { body: Buffer.from(body.toString().replace('4920', '4921')), headers },
      { body, headers: {} },
      { body, headers: { 'stripe-signature': '' } },
      { body, headers: { 'stripe-signature': signature.slice(0, -1) } },
      { body, headers: { 'stripe-signature': `${signature}, ${signature}` } },
      { body, headers: { 'stripe-signature': [signature, signature] } },
      await completed({ secret: 'whsec_other' }),
      await completed({ at: new Date(clock.now().getTime() - 301_000) }),
    ]
    for (const attempt of attempts) {
      const verified = Promise.resolve(provider.verifyWebhook(attempt))
      await expect(verified).rejects.toMatchObject({ code: 'bad_signature', status: 400 })
    }
  })

  test('is accepted within five minutes', async () => {
    const webhook = await completed({ at: new Date(clock.now().getTime() - 299_000) })
    await expect(verify(webhook)).resolves.toMatchObject({ type: 'checkout.session.completed' })
  })

  test('is never accepted without a secret', async () => {
    const none = setting.provider('stripe', { STRIPE_WEBHOOK_SECRET: '' })
    for (const secret of ['', 'undefined', setting.stripe.webhookSecret]) {
      await expect(verify(await completed({ secret }), none)).rejects.toMatchObject({ code: 'bad_signature' })
    }
  })

  test('that was signed with the previous secret is rejected as soon as it was replaced', async () => {
    const before = await completed()
    setting.credentials.set('stripeWebhookSecret', { value: 'whsec_new', updatedAt: clock.now() })
    await expect(verify(await completed({ secret: 'whsec_new' }))).resolves.toHaveProperty('eventId')
    await expect(verify(before)).rejects.toMatchObject({ code: 'bad_signature' })
  })

  const readOf = (type: string, object: unknown) => provider.readWebhook(setting.stripe.webhook(type, object).body)

  test.each([
    ['checkout.session.completed', 'captured'],
    ['checkout.session.async_payment_succeeded', 'captured'],
    ['checkout.session.async_payment_failed', 'failed'],
    ['checkout.session.expired', 'expired'],
  ] as const)('%s reports a payment as %s', async (type, status) => {
    const { session, providerSession } = await open()
    const reference = status === 'expired' ? undefined : setting.stripe.pay(providerSession).id
    expect(readOf(type, setting.stripe.sessions.get(providerSession))).toEqual({
      kind: 'payment',
      provider: 'stripe',
      status,
      reference,
      sessionId: session.id,
      providerSession,
      orderId: session.orderId,
      amount: usd(4920),
      method: 'card',
    })
  })

  test('of a page that is completed and not paid yet reports a payment as authorized', async () => {
    const { session, providerSession } = await open()
    const { id: reference } = setting.stripe.pay(providerSession, 'unpaid')
    expect(readOf('checkout.session.completed', setting.stripe.sessions.get(providerSession))).toMatchObject({
      status: 'authorized',
      reference,
      sessionId: session.id,
    })
  })

  test('about a failed payment counts when the payment is ours', async () => {
    const { session, providerSession } = await open()
    const intent = setting.stripe.pay(providerSession)
    expect(readOf('payment_intent.payment_failed', intent)).toMatchObject({
      status: 'failed',
      reference: intent.id,
      sessionId: session.id,
    })
    expect(readOf('payment_intent.payment_failed', { ...intent, metadata: {} })).toBeUndefined()
  })

  test.each([
    ['refund.created', 'pending', 'pending'],
    ['refund.updated', 'succeeded', 'succeeded'],
    ['refund.failed', 'failed', 'failed'],
    ['refund.updated', 'canceled', 'failed'],
  ] as const)('%s with the status %s reports a refund as %s', async (type, theirs, status) => {
    const payment = await paid()
    const refund = refundOf(payment)
    const { reference } = await provider.refund(refund)
    const [made] = refundsOf(payment)
    const update = {
      kind: 'refund',
      provider: 'stripe',
      status,
      reference,
      refundId: refund.id,
      paymentReference: payment,
    }
    expect(readOf(type, { ...made, status: theirs })).toMatchObject(update)
    expect(readOf('charge.refunded', { refunds: { data: [{ ...made, status: theirs }] } })).toMatchObject(update)
  })

  test('about something else, or of another shop of the same account, is ignored', async () => {
    const { providerSession } = await open()
    setting.stripe.pay(providerSession)
    const foreign = { ...setting.stripe.sessions.get(providerSession), metadata: {}, client_reference_id: null }
    expect(readOf('checkout.session.completed', foreign)).toBeUndefined()
    expect(readOf('customer.created', { id: 'cus_1' })).toBeUndefined()
    expect(readOf('charge.refunded', { id: 'ch_1' })).toBeUndefined()
    expect(() => provider.readWebhook(Buffer.from('no event'))).toThrow(SyntaxError)
    expect(() => readOf('checkout.session.completed', { id: 'cs_1' })).toThrow(/payment_status/)
  })
})
