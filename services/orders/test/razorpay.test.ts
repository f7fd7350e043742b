import { manualClock } from '@storefront/service/testing'
import { createHash, randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { AFTER_EFFECT, BEFORE_EFFECT, waitFor } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ProviderRejection, ProviderUnavailable, type PaymentProvider } from '../src/payments/provider.ts'
import { razorpayForm } from '../src/pay/razorpay-form.ts'
import {
  createPaymentSetting,
  HASTY,
  refundOf,
  sessionToOpen,
  TIMEOUT_MS,
  type PaymentSetting,
} from './payment-setting.ts'
import { usd } from './shop.ts'

const FAULTS = [...BEFORE_EFFECT, ...AFTER_EFFECT]
const clock = manualClock('2026-05-01T10:00:00.000Z')
let setting: PaymentSetting
let provider: PaymentProvider
/** The same with short timeouts. */
let hasty: PaymentProvider

beforeAll(async () => {
  setting = await createPaymentSetting(clock)
  provider = setting.provider('razorpay')
  hasty = setting.provider('razorpay', HASTY)
})
afterEach(() => {
  setting.razorpay.heal()
  setting.razorpay.refundStatus = 'processed'
  setting.credentials.clear()
  setting.settings.isAway = false
  delete setting.settings.razorpayKeyId
})
afterAll(() => setting.stop())

const open = async (more = {}) => {
  const session = sessionToOpen(clock.now(), more)
  return { session, ...(await provider.openSession(session)) }
}
async function paid(more = {}) {
  const { providerSession } = await open()
  return setting.razorpay.pay(providerSession, more).razorpay_payment_id
}
const ordersOf = (sessionId: string) =>
  [...setting.razorpay.orders.values()].filter(({ receipt }) => receipt === sessionId)
const refundsOf = (payment: string) =>
  [...setting.razorpay.refunds.values()].filter((each) => each.payment_id === payment)
const incoming = (webhook: { headers: Record<string, string>; body: Buffer }) => ({ ...webhook })

describe('a session', () => {
  test('is an order at Razorpay, which the form is opened with', async () => {
    const { session, providerSession, url } = await open()
    expect(url).toBeUndefined()
    expect(setting.razorpay.orders.get(providerSession)).toMatchObject({
      amount: 4920,
      currency: 'USD',
      receipt: session.id,
      notes: { session_id: session.id, order_id: session.orderId },
    })
  })

  test('that is paid is captured, not only authorized, whatever the merchant has set up', async () => {
    const { session, providerSession } = await open()
    setting.razorpay.pay(providerSession)
    expect(await provider.inspectSession({ id: session.id, providerSession })).toMatchObject({ status: 'captured' })
  })

  test('that is opened again is the same one', async () => {
    const { session, providerSession } = await open()
    const again = await setting.provider('razorpay').openSession(session)
    expect(again.providerSession).toBe(providerSession)
    expect(ordersOf(session.id)).toHaveLength(1)
  })

  test('reports its result, also when its id at Razorpay was lost', async () => {
    const { session, providerSession } = await open()
    expect(await provider.inspectSession({ id: session.id, providerSession })).toBeUndefined()
    setting.razorpay.pay(providerSession, { status: 'failed' })
    expect(await provider.inspectSession({ id: session.id, providerSession })).toBeUndefined()
    const { razorpay_payment_id: reference } = setting.razorpay.pay(providerSession)
    const update = {
      kind: 'payment',
      provider: 'razorpay',
      status: 'captured',
      reference,
      sessionId: session.id,
      providerSession,
      amount: usd(4920),
      method: 'card',
    }
    expect(await provider.inspectSession({ id: session.id, providerSession })).toMatchObject(update)
    expect(await provider.inspectSession({ id: session.id, providerSession: null })).toMatchObject(update)
    expect(await provider.inspectSession({ id: 'pay_unknown', providerSession: null })).toBeUndefined()
  })

  test('cannot be closed at Razorpay, which is not an error', async () => {
    const { session, providerSession } = await open()
    const before = setting.razorpay.calls.length
    await provider.closeSession({ id: session.id, providerSession })
    expect(setting.razorpay.calls).toHaveLength(before)
  })

  test.each([
    ['JPY', 5000, 5000],
    ['KWD', 12_340, 12_340],
    // The shop counts this currency in hundredths, and Razorpay in whole units.
    ['UGX', 500_000, 5000],
  ])('of %s %i is sent as %i, and reported with the original amount', async (currency, ours, theirs) => {
    const { session, providerSession } = await open({ total: { amount: ours, currency } })
    expect(setting.razorpay.orders.get(providerSession)?.amount).toBe(theirs)
    setting.razorpay.pay(providerSession)
    const update = await provider.inspectSession({ id: session.id, providerSession })
    expect(update?.amount).toEqual({ amount: ours, currency })
    // Razorpay rejects a payment by a form with another amount.
    const form = razorpayForm({ providerSession, document: session }, { razorpayKeyId: 'rzp_test_key' })
    expect(form).toEqual({ razorpay_order_id: providerSession, amount: theirs, currency, key_id: 'rzp_test_key' })
  })

  test('whose response is invalid does not repeat it: it might contain card data', async () => {
    setting.razorpay.fail('garbage', /POST/)
    const error = await provider.openSession(sessionToOpen(clock.now())).catch((fault: unknown) => fault)
    expect(error).toBeInstanceOf(ProviderUnavailable)
    expect(inspect(error)).not.toContain('html')
  })

  test('of an amount that Razorpay cannot express is rejected, and not rounded', async () => {
    await expect(open({ total: { amount: 550, currency: 'UGX' } })).rejects.toBeInstanceOf(ProviderRejection)
  })
})

describe.each(FAULTS)('with the fault %s', (fault) => {
  test('it is unknown whether a session was opened, and the next attempt finds or creates one', async () => {
    const session = sessionToOpen(clock.now())
    setting.razorpay.fail(fault, /^POST \/v1\/orders$/)
    await expect(hasty.openSession(session)).rejects.toBeInstanceOf(ProviderUnavailable)
    setting.razorpay.heal()
    // The same provider recovers. On a busy machine, it may time out once more.
    const { providerSession } = await waitFor('a session', () => hasty.openSession(session))
    expect(ordersOf(session.id).map(({ id }) => id)).toEqual([providerSession])
  })

  test('a refund is made once', async () => {
    const payment = await paid()
    const refund = refundOf(payment)
    setting.razorpay.fail(fault, /\/refund$/)
    await expect(hasty.refund(refund)).rejects.toBeInstanceOf(ProviderUnavailable)
    setting.razorpay.heal()
    const made = await provider.refund(refund)
    expect(made).toEqual({ reference: refundsOf(payment)[0]?.id, status: 'succeeded' })
    expect(await provider.refund(refund)).toEqual(made)
    expect(refundsOf(payment)).toHaveLength(1)
  })

  test('requests time out', async () => {
    const payment = await paid()
    const { session, providerSession } = await open()
    const result = setting.razorpay.pay(providerSession)
    setting.razorpay.fail(fault)
    const started = performance.now()
    const outcomes = await Promise.allSettled([
      hasty.inspectSession({ id: session.id, providerSession }),
      hasty.inspectSession({ id: session.id, providerSession: null }),
      hasty.inspectRefund({ ...refundOf(payment), reference: null }),
      hasty.refund(refundOf(payment)),
      hasty.openSession(session),
      hasty.verifyResult?.({
        providerSession,
        reference: result.razorpay_payment_id,
        signature: result.razorpay_signature,
      }),
    ])
    const reasons = outcomes.map(
      (outcome) => outcome.status === 'rejected' && outcome.reason instanceof ProviderUnavailable,
    )
    expect(reasons).toEqual([true, true, true, true, true, true])
    expect(performance.now() - started).toBeLessThan(TIMEOUT_MS * 40)
  })
})

describe('a refund', () => {
  test('has our id as the key of its request, and can be looked up by it', async () => {
    const payment = await paid()
    const refund = refundOf(payment)
    setting.razorpay.refundStatus = 'pending'
    const { reference, status } = await provider.refund(refund)
    expect(status).toBe('pending')
    const sent = setting.razorpay.received.findLast(({ path }) => path.endsWith('/refund'))
    expect(sent?.headers['x-refund-idempotency']).toBe(refund.id)
    expect(await provider.inspectRefund({ ...refund, reference })).toEqual({
      kind: 'refund',
      provider: 'razorpay',
      status: 'pending',
      reference,
      refundId: refund.id,
      paymentReference: payment,
      amount: usd(1000),
    })
    expect(await provider.inspectRefund({ ...refundOf(payment), reference: null })).toBeUndefined()
  })

  test('made in the dashboard does not have our id, and can be looked up by its reference', async () => {
    const payment = await paid()
    await provider.refund(refundOf(payment))
    const [made] = refundsOf(payment)
    if (!made) throw new Error('the refund was not made')
    const reference = `rfnd_dashboard_${payment}`
    setting.razorpay.refunds.set(reference, { ...made, id: reference, status: 'pending', receipt: null, notes: [] })
    const refund = refundOf(payment)
    expect(await provider.inspectRefund({ ...refund, reference })).toMatchObject({ status: 'pending', reference })
    expect(await provider.inspectRefund({ ...refund, reference: 'rfnd_other' })).toBeUndefined()
  })

  test('of more than was paid is rejected with the reason', async () => {
    const payment = await paid()
    const failure = provider.refund(refundOf(payment, { amount: usd(4921) }))
    await expect(failure).rejects.toBeInstanceOf(ProviderRejection)
    await expect(failure).rejects.toThrow(/greater than the refund payment amount/)
    expect(refundsOf(payment)).toEqual([])
  })

  test('that failed at Razorpay is not successful', async () => {
    setting.razorpay.refundStatus = 'failed'
    await expect(provider.refund(refundOf(await paid()))).rejects.toBeInstanceOf(ProviderRejection)
  })
})

describe('the key', () => {
  test('that is wrong is reported so, and never printed', async () => {
    const secret = randomBytes(12).toString('hex')
    const wrong = setting.provider('razorpay', { RAZORPAY_KEY_SECRET: secret })
    const failure = await wrong.openSession(sessionToOpen(clock.now())).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ProviderRejection)
    expect(failure).toMatchObject({ reason: 'the key is wrong (401)' })
    expect(JSON.stringify(failure) + String(failure)).not.toContain(secret)
  })

  test('of the merchant takes precedence over that of the operator', async () => {
    setting.settings.razorpayKeyId = setting.razorpay.keyId
    const { keySecret } = setting.razorpay
    setting.credentials.set('razorpayKeySecret', { value: keySecret, updatedAt: clock.now() })
    const own = setting.provider('razorpay', { RAZORPAY_KEY_ID: 'rzp_other', RAZORPAY_KEY_SECRET: 'other' })
    // Razorpay accepts the merchant's key only.
    const { providerSession } = await own.openSession(sessionToOpen(clock.now()))
    expect(setting.razorpay.orders.has(providerSession)).toBe(true)
  })

  test('is requested once a minute, and stays while catalog is down', async () => {
    const fresh = setting.provider('razorpay')
    const before = setting.settings.requests
    await fresh.openSession(sessionToOpen(clock.now()))
    await fresh.openSession(sessionToOpen(clock.now()))
    expect(setting.settings.requests).toBe(before + 1)
    clock.advance(61_000)
    setting.settings.isAway = true
    await fresh.openSession(sessionToOpen(clock.now()))
    expect(setting.settings.requests).toBeGreaterThan(before + 1)
    const nothingKnown = setting.provider('razorpay').openSession(sessionToOpen(clock.now()))
    await expect(nothingKnown).rejects.toBeInstanceOf(ProviderUnavailable)
  })

  test('that is missing makes the provider not configured', async () => {
    const none = setting.provider('razorpay', { RAZORPAY_KEY_SECRET: '' })
    expect(none.isConfigured()).toBe(false)
    expect(provider.isConfigured()).toBe(true)
    await expect(none.openSession(sessionToOpen(clock.now()))).rejects.toBeInstanceOf(ProviderRejection)
  })
})

describe('a webhook', () => {
  const captured = async () => {
    const { providerSession } = await open()
    return setting.razorpay.webhook('payment.captured', {
      payment: setting.razorpay.pay(providerSession).razorpay_payment_id,
    })
  }

  test('is identified by the id that Razorpay gave it, or else by its body', async () => {
    const { providerSession } = await open()
    const payment = setting.razorpay.pay(providerSession).razorpay_payment_id
    const named = setting.razorpay.webhook('payment.captured', { payment }, { eventId: 'evt_1' })
    expect(await provider.verifyWebhook(incoming(named))).toEqual({ eventId: 'evt_1', type: 'payment.captured' })
    const nameless = setting.razorpay.webhook('payment.captured', { payment }, { eventId: undefined })
    const digest = createHash('sha256').update(nameless.body).digest('hex')
    expect(await provider.verifyWebhook(incoming(nameless))).toEqual({ eventId: digest, type: 'payment.captured' })
  })

  test('that is forged, changed, unsigned or signed twice is rejected', async () => {
    const { headers, body } = await captured()
    const signature = headers['x-razorpay-signature'] ?? ''
    const changed = Buffer.from(body.toString().replace('"amount":4920', '"amount":4921'))
    const attempts = [
      { body: changed, headers },
      { body, headers: {} },
      ...['', signature.slice(1), `${signature}0`, signature.toUpperCase(), `${signature}, ${signature}`].map(
        (each) => ({
          body,
          headers: { ...headers, 'x-razorpay-signature': each },
        }),
      ),
      { body, headers: { ...headers, 'x-razorpay-signature': [signature, signature] } },
    ]
    for (const attempt of attempts) {
      const verified = Promise.resolve().then(() => provider.verifyWebhook(attempt))
      await expect(verified).rejects.toMatchObject({ code: 'bad_signature', status: 400 })
    }
  })

  test('is never accepted without a secret', async () => {
    const none = setting.provider('razorpay', { RAZORPAY_WEBHOOK_SECRET: '' })
    for (const secret of ['', 'undefined', setting.razorpay.webhookSecret]) {
      const { providerSession } = await open()
      const payment = setting.razorpay.pay(providerSession).razorpay_payment_id
      const webhook = setting.razorpay.webhook('payment.captured', { payment }, { secret })
      await expect(Promise.resolve(none.verifyWebhook(incoming(webhook)))).rejects.toMatchObject({
        code: 'bad_signature',
      })
    }
  })

  test('that was signed with the previous secret is rejected as soon as it was replaced', async () => {
    const webhook = await captured()
    setting.credentials.set('razorpayWebhookSecret', { value: 'the new one', updatedAt: clock.now() })
    await expect(Promise.resolve().then(() => provider.verifyWebhook(incoming(webhook)))).rejects.toMatchObject({
      code: 'bad_signature',
    })
  })

  test.each([
    ['payment.authorized', 'authorized'],
    ['payment.captured', 'captured'],
    ['order.paid', 'captured'],
    ['payment.failed', 'failed'],
  ] as const)('%s reports a payment as %s', async (event, status) => {
    const { session, providerSession } = await open()
    const reference = setting.razorpay.pay(providerSession, { status }).razorpay_payment_id
    const order = event === 'order.paid' ? { order: providerSession } : {}
    const { body } = setting.razorpay.webhook(event, { payment: reference, ...order })
    expect(provider.readWebhook(body)).toEqual({
      kind: 'payment',
      provider: 'razorpay',
      status,
      reference,
      sessionId: event === 'order.paid' ? session.id : undefined,
      providerSession,
      orderId: event === 'order.paid' ? session.orderId : undefined,
      amount: usd(4920),
      method: 'card',
    })
  })

  test.each([
    ['refund.created', 'pending', 'pending'],
    ['refund.processed', 'processed', 'succeeded'],
    ['refund.failed', 'failed', 'failed'],
  ] as const)('%s reports the result of a refund', async (event, theirs, status) => {
    const payment = await paid()
    const refund = refundOf(payment)
    await provider.refund(refund)
    const [made] = refundsOf(payment)
    if (made) made.status = theirs
    const { body } = setting.razorpay.webhook(event, { refund: made?.id ?? '', payment })
    expect(provider.readWebhook(body)).toMatchObject({
      kind: 'refund',
      status,
      refundId: refund.id,
      paymentReference: payment,
    })
  })

  test('about something else is ignored, and a body that is not an event is an error', async () => {
    expect(provider.readWebhook(Buffer.from('{"event":"invoice.paid","payload":{"invoice":{}}}'))).toBeUndefined()
    expect(provider.readWebhook(Buffer.from('{"event":"payment.captured","payload":{}}'))).toBeUndefined()
    expect(() => provider.readWebhook(Buffer.from('no event'))).toThrow(SyntaxError)
  })
})
