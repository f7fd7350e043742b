import { followRule } from '@storefront/postgres/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Messaging } from '@storefront/messaging'
import { CustomerDeleted, newId, Order, PERMISSIONS } from '@storefront/contracts'
import { transaction } from '@storefront/postgres'
import { waitFor } from '@storefront/tools/testing'
import { applyNextBuyerChanges } from '../src/buyers/apply-buyer-changes.ts'
import { applyPaymentUpdate } from '../src/payments/apply-payment-update.ts'
import { deleteOldClaims } from '../src/checkout/claims.queries.ts'
import { deleteOldKeys } from '../src/idempotency/idempotency.queries.ts'
import { deleteDemoSessions } from '../src/payments/demo/demo.queries.ts'
import { confirmPayments } from '../src/payments/confirm-payments.ts'
import type { PaymentUpdate } from '../src/payments/provider.ts'
import { findFaults } from '../src/reconciliation/ledger.queries.ts'
import { RETENTION } from '../src/retention.ts'
import { deleteOldSessionIds } from '../src/sessions/deleted-sessions.queries.ts'
import { storeProviderEvent } from '../src/webhooks/webhooks.queries.ts'
import { publisher } from './events.ts'
import { pageOf, paymentUpdate } from './payment-pages.ts'
import { BUYER, createShop, usd, type Shop } from './shop.ts'

const HOUR_MS = 3_600_000
let shop: Shop
let identity: Messaging

beforeAll(async () => {
  shop = await createShop()
  identity = await shop.suite.openMessaging('identity')
})
afterAll(() => shop.stop())
beforeEach(() => shop.stock.set('var_m', 100))

const begin = async (more: object = {}, headers: object = {}, email = BUYER.email) => {
  const cart = shop.addCart({ var_m: 1 }, { checkoutMode: 'redirect', checkoutProvider: 'stripe', ...more })
  return pageOf(await shop.checkOut(cart.id, { ...BUYER, email }, headers)).id
}
const updateOf = (sessionId: string, status: PaymentUpdate['status'], reference?: string) =>
  paymentUpdate({ status, reference, sessionId, amount: usd(4920) })
const updatePayment = (...update: Parameters<typeof updateOf>) =>
  applyPaymentUpdate(shop.orders.context, updateOf(...update))
const publishEvent = publisher(() => ({ shop, identity }))
const deleteAccount = (customerId: string, email?: string) => publishEvent(CustomerDeleted, { customerId, email })
const endedAgo = (id: string, days: number) =>
  shop.suite.sql(`update orders.payment_sessions set expires_at = now() - make_interval(hours => $2) where id = $1`, [
    id,
    days * 24,
  ])
const isKept = async (id: string) =>
  (await shop.suite.sql('select from orders.payment_sessions where id = $1', [id])).length === 1
const remove = () => followRule(RETENTION['ended payment sessions'], shop.orders.context)

describe('a checkout that became no order', () => {
  test('is deleted 30 days after its end, and not before', async () => {
    const id = await begin()
    await updatePayment(id, 'cancelled')
    await endedAgo(id, 29)
    await remove()
    expect(await isKept(id)).toBe(true)
    await endedAgo(id, 31)
    await remove()
    expect(await isKept(id)).toBe(false)
  })

  test('is kept while it is open, however long, because it may be paid', async () => {
    const id = await begin()
    await endedAgo(id, 40)
    await remove()
    expect(await isKept(id)).toBe(true)
  })

  test('is deleted with a failed payment, whose record stays', async () => {
    const id = await begin()
    await updatePayment(id, 'failed', 'pi_failed')
    await updatePayment(id, 'expired')
    await endedAgo(id, 31)
    await remove()
    expect(await isKept(id)).toBe(false)
    expect(await shop.suite.sql(`select session_id from orders.payments where reference = 'pi_failed'`)).toEqual([
      { session_id: null },
    ])
  })

  test('is kept with a captured payment', async () => {
    const paid = await begin()
    await updatePayment(paid, 'captured', 'pi_paid')
    await endedAgo(paid, 400)
    await remove()
    expect(await isKept(paid)).toBe(true)
  })

  test('of a deleted account is deleted a day after its end, and those of others are not', async () => {
    const mine = () => begin({ customerId: 'cus_gone' }, shop.suite.headers.customer('cus_gone'))
    const [fresh, old, bought, open, others] = [await mine(), await mine(), await mine(), await mine(), await begin()]
    for (const id of [fresh, old, others]) await updatePayment(id, 'cancelled')
    await updatePayment(bought, 'captured', 'pi_of_gone')
    for (const id of [old, bought, open, others]) await endedAgo(id, 2)
    await remove()
    expect(await isKept(old)).toBe(true)
    await deleteAccount('cus_gone')
    await remove()
    const kept = await Promise.all([fresh, old, bought, open, others].map(isKept))
    expect(kept).toEqual([true, false, true, true, true])
  })

  test('of an erased guest is deleted a day after its end, whatever the spelling of the address', async () => {
    const [email, ...spellings] = ['m\u00fcnchen', 'mu\u0308nchen', 'M\u00dcNCHEN', 'xn--mnchen-3ya'].map(
      (name) => `ana@${name}.example`,
    )
    const bought = await begin({}, {}, email)
    await updatePayment(bought, 'captured', 'pi_of_guest')
    const unpaid = await Promise.all([email, ...spellings].map((spelling) => begin({}, {}, spelling)))
    const other = await begin({}, {}, 'ana@zu\u0308rich.example')
    for (const id of [...unpaid, other]) await updatePayment(id, 'cancelled')
    for (const id of [bought, ...unpaid, other]) await endedAgo(id, 2)
    while (await applyNextBuyerChanges(shop.orders.context.db));
    const [buyer] = await shop.suite.sql<{ id: string }>(
      `select id from orders.buyers where email_canonical = 'ana@xn--mnchen-3ya.example'`,
    )
    const owner = shop.suite.headers.adminUser('user_owner', [...PERMISSIONS])
    expect((await shop.call('DELETE', `/admin/buyers/${buyer?.id}`, undefined, owner)).status).toBe(200)
    await remove()
    expect(await Promise.all([bought, ...unpaid, other].map(isKept))).toEqual([true, ...unpaid.map(() => false), true])
    const isClosed = `customer_id is not null and secret_hashes = '{}'`
    expect(await shop.suite.sql(`select id from orders.payment_sessions where ${isClosed}`)).toContainEqual({
      id: bought,
    })
  })

  test.each([
    ['a plain address', 'eva@mail.example', 'Eva@Mail.example'],
    ['an international address', 'eva@xn--mnchen-3ya.example', 'eva@m\u00fcnchen.example'],
  ])(
    'of a guest with %s that a deleted account had verified is deleted a day after its end',
    async (_what, canonical, typed) => {
      const own = await begin({}, {}, typed)
      const other = await begin({}, {}, `other.${typed}`)
      await deleteAccount(newId('customer'), canonical)
      const later = await begin({}, {}, typed)
      for (const id of [own, other, later]) {
        await updatePayment(id, 'cancelled')
        await endedAgo(id, 2)
      }
      await remove()
      expect(await Promise.all([own, other, later].map(isKept))).toEqual([false, true, true])
    },
  )

  test('of a deleted account becomes an order when its bank debit is paid days later', async () => {
    const mine = () => begin({ customerId: 'cus_debit' }, shop.suite.headers.customer('cus_debit'))
    const [paid, failed, undecided] = [await mine(), await mine(), await mine()]
    for (const id of [paid, failed, undecided]) {
      await updatePayment(id, 'authorized', `pi_debit_${id}`)
      await updatePayment(id, 'expired')
      await endedAgo(id, 2)
    }
    await updatePayment(failed, 'failed', `pi_debit_${failed}`)
    await deleteAccount('cus_debit')
    await remove()
    expect(await Promise.all([paid, failed, undecided].map(isKept))).toEqual([true, false, true])
    expect(await updatePayment(paid, 'captured', `pi_debit_${paid}`)).toMatchObject({ order: { status: 'paid' } })
    await endedAgo(undecided, 31)
    await remove()
    expect(await isKept(undecided)).toBe(false)
  })
})

describe('a payment that is captured for a deleted checkout', () => {
  test('is an error, and a finding until a merchant places its order', async () => {
    const id = await begin()
    await updatePayment(id, 'expired')
    await endedAgo(id, 31)
    await remove()
    const reference = `pi_stray_${id}`
    const { db } = shop.orders.context
    shop.providers.stripe.readWebhook = () => updateOf(id, 'captured', reference)
    const event = { provider: 'stripe', eventId: `evt_${id}`, type: 'captured', payload: Buffer.from('{}') }
    await storeProviderEvent(db, event, new Date(Date.now() - HOUR_MS))
    const now = new Date()
    const findings = () =>
      findFaults(db, { settled: now, overdue: now, since: now, again: { orderIds: [], payments: [] } })
    const [finding] = await waitFor('the finding', async () => {
      const found = await findings()
      return found.length > 0 && !found[0]?.message.includes('not tried yet') ? found : undefined
    })
    expect(finding).toMatchObject({ kind: 'webhook_stuck', subject: `stripe evt_${id}` })
    expect(finding?.message).toContain(`refund it at stripe, or place its order`)
    const { body } = await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode: 'api' }).id, BUYER)
    const order = Order.parse(body)
    await transaction(db, (tx) =>
      confirmPayments(
        tx,
        [{ provider: 'stripe', reference, orderId: order.id, amountMinor: 4920, currency: 'USD', method: 'card' }],
        now,
      ),
    )
    await shop.suite.sql(`update orders.provider_events set next_attempt_at = now()`)
    await waitFor('no finding', async () => (await findings()).length === 0)
  })

  test('is unknown when the checkout is of another shop', async () => {
    expect(await updatePayment(newId('payment'), 'captured', 'pi_of_another_shop')).toEqual({ kind: 'unknown' })
  })
})

test('the id of a deleted checkout is kept for thirty days', async () => {
  const id = await begin()
  await updatePayment(id, 'expired')
  await endedAgo(id, 31)
  await remove()
  const countIds = async () =>
    (await shop.suite.sql(`select from orders.deleted_sessions where session_id = $1`, [id])).length
  const removeIds = () => followRule(RETENTION['ids of deleted payment sessions'], shop.orders.context)
  await removeIds()
  expect(await countIds()).toBe(1)
  await shop.suite.sql(`update orders.deleted_sessions set deleted_at = now() - interval '31 days'`)
  await removeIds()
  expect(await countIds()).toBe(0)
})

const LONG_AGO = `'2020-01-01' from generate_series(1, 3) as n`
test.each([
  ['claims', deleteOldClaims, `orders.claims select 'claim_' || n, 'abandoned', ${LONG_AGO}`],
  ['ids of sessions', deleteOldSessionIds, `orders.deleted_sessions select 'session_' || n, ${LONG_AGO}`],
  [
    'idempotency keys',
    deleteOldKeys,
    `orders.idempotency_keys (id, request_hash, lease_until, started_at) select int4send(n), '', now(), ${LONG_AGO}`,
  ],
  [
    'demo payments',
    deleteDemoSessions,
    `orders.demo_sessions (id, session_id, order_id, total_minor, currency, email, description, store_name, created_at, expires_at)
     select n, n, n, 1, 'USD', '', '', '', now(), ${LONG_AGO}`,
  ],
])(
  'old %s are deleted some at a time, because one statement may be too slow for all',
  async (_what, deleteOld, rows) => {
    await shop.suite.sql(`insert into ${rows}`)
    const deleteSome = () => deleteOld(shop.orders.context.db, new Date('2020-02-01'), 2)
    expect([await deleteSome(), await deleteSome()]).toEqual([2, 1])
  },
)
