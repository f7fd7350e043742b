import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  createFakeRazorpay,
  createFakeStripe,
  createSuite,
  type FakeRazorpay,
  type FakeStripe,
  type Suite,
} from '../testing/index.ts'
import { settlePayments } from './settle-payments.ts'

let suite: Suite
let stripe: FakeStripe
let razorpay: FakeRazorpay
let moment: Date
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  suite = await createSuite('orders')
})

beforeEach(async () => {
  ;[stripe, razorpay] = await Promise.all([createFakeStripe(), createFakeRazorpay()])
  moment = new Date()
  env = {
    DATABASE_URL: inDatabase(),
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_BASE_URL: stripe.url,
    RAZORPAY_KEY_ID: razorpay.keyId,
    RAZORPAY_KEY_SECRET: razorpay.keySecret,
    RAZORPAY_BASE_URL: razorpay.url,
  }
  return async () => {
    await Promise.all([stripe.stop(), razorpay.stop()])
  }
})

afterAll(() => suite.stop())

const inDatabase = () => suite.databaseUrl('orders')

async function settle(refund: readonly string[] | 'all' = []) {
  const lines: string[] = []
  const result = await settlePayments(moment, { env, out: (text) => void lines.push(text), refund })
  return { ...result, text: lines.join('') }
}

/** Opens a page at Stripe for a checkout and pays there. @returns the payment */
async function payAtStripe(checkout: string | undefined) {
  const metadata = checkout === undefined ? {} : { session_id: checkout }
  const id = `cs_${stripe.sessions.size}`
  stripe.sessions.set(id, {
    id,
    object: 'checkout.session',
    status: 'open',
    payment_status: 'unpaid',
    amount_total: 5000,
    currency: 'usd',
    client_reference_id: checkout ?? null,
    metadata,
    payment_intent: null,
    payment_method_types: ['card'],
    url: null,
    expires_at: 0,
    success_url: '',
  })
  return Object.assign(stripe.pay(id), { metadata, amount: 5000, amount_received: 5000, currency: 'usd' })
}

async function payAtRazorpay(receipt: string): Promise<string> {
  const response = await fetch(`${razorpay.url}/v1/orders`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${razorpay.keyId}:${razorpay.keySecret}`)}` },
    body: JSON.stringify({ amount: 700, currency: 'INR', receipt }),
  })
  const { id } = Object(await response.json())
  return razorpay.pay(id, { status: 'captured' }).razorpay_payment_id
}

/** A refund of a part of a payment, from the dashboard of the provider. */
const refundOf = (payment: string, id: string) => ({
  id,
  object: 'refund' as const,
  amount: 100,
  currency: 'usd',
  status: 'succeeded',
  created: Math.floor(Date.now() / 1000),
  payment_intent: payment,
  metadata: {},
})

async function storeSession(id: string): Promise<void> {
  await suite.sql(
    `insert into orders.payment_sessions (id, order_id, cart_id, asked_cart_id, provider, status, email, document,
       number_prefix, request_hash, secret_hashes, created_at, expires_at)
     values ($1, $1, $1, $1, 'stripe', 'open', 'ada@example.com', '{}', '', '', '{}', now(), now())`,
    [id],
  )
}

async function storePayment(reference: string): Promise<void> {
  await suite.sql(
    `insert into orders.payments (provider, reference, status, amount_minor, currency, received_at)
     values ('stripe', $1, 'captured', 5000, 'USD', now())`,
    [reference],
  )
}

it('payments that the shop has, and those of no shop, are not listed', async () => {
  await storePayment((await payAtStripe('pay_recorded')).id)
  await payAtStripe(undefined)
  expect(await settle('all')).toEqual({
    lost: 0,
    unrecorded: 0,
    text: 'The shop knows every payment and every refund.\n',
  })
  expect(stripe.refunds.size).toBe(0)
})

it('a payment of a checkout that the shop knows is left to the shop', async () => {
  await storeSession('pay_known')
  const { id } = await payAtStripe('pay_known')
  const { lost, text } = await settle('all')
  expect(lost).toBe(0)
  expect(text).toMatch(new RegExp(`stripe +${id} .*5000 USD +the shop finds it when its checkout ends`))
  expect(stripe.refunds.size).toBe(0)
})

it('a payment of an unknown checkout is lost until it is refunded, which happens once', async () => {
  const [first, second] = [await payAtStripe('pay_lost_1'), await payAtStripe('pay_lost_2')]
  expect(await settle()).toMatchObject({ lost: 2, text: expect.stringContaining(first.id) })
  expect(await settle([first.id])).toMatchObject({ lost: 1 })
  expect([...stripe.refunds.values()]).toMatchObject([{ payment_intent: first.id, amount: 5000 }])
  expect(await settle('all')).toMatchObject({ lost: 0 })
  const { lost, text } = await settle('all')
  expect(lost).toBe(0)
  expect(text.match(/refunded already/g)).toHaveLength(2)
  expect([...stripe.refunds.values()].map((refund) => refund.payment_intent).toSorted()).toEqual(
    [first.id, second.id].toSorted(),
  )
})

it('both payments of a checkout that was paid twice are lost', async () => {
  const paid = [await payAtStripe('pay_twice'), await payAtStripe('pay_twice')]
  const { lost, text } = await settle()
  expect(lost).toBe(2)
  for (const { id } of paid) expect(text).toContain(id)
})

it('a payment of which a part was returned is lost for the other part', async () => {
  const { id } = await payAtStripe('pay_part')
  stripe.refunds.set('re_part', refundOf(id, 're_part'))
  expect(await settle([id])).toMatchObject({ lost: 0, text: expect.stringContaining('4900 USD') })
  expect([...stripe.refunds.values()].map(({ amount }) => amount)).toEqual([100, 4900])
})

it('a reference that is not of a lost payment is an error, after the list', async () => {
  await payAtStripe('pay_lost')
  await expect(settle(['pi_mistyped'])).rejects.toThrow('pi_mistyped is not a lost payment: it was not refunded.')
  expect(stripe.refunds.size).toBe(0)
})

it('more payments than one page holds are found', async () => {
  for (let count = 0; count < 205; count++) await payAtStripe(`pay_many_${count}`)
  expect((await settle()).lost).toBe(205)
})

it('a refund that only the provider knows is reported', async () => {
  const { id } = await payAtStripe('pay_returned')
  await storePayment(id)
  stripe.refunds.set('re_dashboard', refundOf(id, 're_dashboard'))
  const { unrecorded, text } = await settle()
  expect(unrecorded).toBe(1)
  expect(text).toMatch(new RegExp(`re_dashboard .*100 USD +refund of ${id} without a record`))
})

it('a lost payment at Razorpay is found by the receipt of its order, and refunded', async () => {
  const reference = await payAtRazorpay('pay_lost_there')
  expect(await settle()).toMatchObject({ lost: 1, text: expect.stringContaining(reference) })
  expect(await settle([reference])).toMatchObject({ lost: 0 })
  expect([...razorpay.refunds.values()]).toMatchObject([{ payment_id: reference, amount: 700 }])
  expect(await settle()).toMatchObject({ lost: 0, text: expect.stringContaining('refunded already') })
})

it('a wrong key is named without the key', async () => {
  env['STRIPE_SECRET_KEY'] = 'sk_of_another_account'
  await expect(settle()).rejects.toThrow(
    /^stripe rejects the key: correct its variable, which npm run recovery -- --help names\.$/,
  )
})
