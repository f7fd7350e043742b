import { followRule } from '@storefront/postgres/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Messaging } from '@storefront/messaging'
import { CustomerDeleted, eventSubject, newId, RedirectCheckout } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { applyPaymentUpdate } from '../src/payments/apply-payment-update.ts'
import type { PaymentUpdate } from '../src/payments/provider.ts'
import { RETENTION } from '../src/retention.ts'
import { BUYER, createShop, usd, type Shop } from './shop.ts'

let shop: Shop
let identity: Messaging

beforeAll(async () => {
  shop = await createShop()
  identity = await shop.suite.openMessaging('identity')
})
afterAll(async () => {
  await shop.stop()
})
beforeEach(() => shop.stock.set('var_m', 100))

const begin = async (more: object = {}, headers: object = {}) => {
  const cart = shop.addCart({ var_m: 1 }, { checkoutMode: 'redirect', checkoutProvider: 'stripe', ...more })
  return RedirectCheckout.parse((await shop.checkOut(cart.id, BUYER, headers)).body).id
}
const updatePayment = (sessionId: string, status: PaymentUpdate['status'], reference?: string) =>
  applyPaymentUpdate(shop.orders.context, {
    kind: 'payment',
    provider: 'stripe',
    status,
    reference,
    sessionId,
    providerSession: undefined,
    orderId: undefined,
    amount: usd(4920),
    method: 'card',
  })
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
    const promised = await begin()
    await updatePayment(promised, 'authorized', 'pi_promised')
    await updatePayment(promised, 'expired')
    const paid = await begin()
    await updatePayment(paid, 'captured', 'pi_paid')
    for (const id of [promised, paid]) await endedAgo(id, 400)
    await remove()
    expect(await Promise.all([promised, paid].map(isKept))).toEqual([true, true])
  })

  test('of a deleted account is deleted a day after its end, and those of others are not', async () => {
    const mine = () => begin({ customerId: 'cus_gone' }, shop.suite.headers.customer('cus_gone'))
    const [fresh, old, bought, open, others] = [await mine(), await mine(), await mine(), await mine(), await begin()]
    for (const id of [fresh, old, others]) await updatePayment(id, 'cancelled')
    await updatePayment(bought, 'captured', 'pi_of_gone')
    for (const id of [old, bought, open, others]) await endedAgo(id, 2)
    await remove()
    expect(await isKept(old)).toBe(true)
    const envelope = {
      id: newId('event'),
      name: CustomerDeleted.name,
      at: new Date().toISOString(),
      data: CustomerDeleted.data.parse({ customerId: 'cus_gone' }),
    }
    identity.connection().publish(eventSubject(shop.suite.namespace, CustomerDeleted), JSON.stringify(envelope))
    await waitFor('the event', async () => {
      const rows = await shop.suite.sql(`select from orders.former_customers where customer_id = 'cus_gone'`)
      return rows.length === 1
    })
    await remove()
    const kept = await Promise.all([fresh, old, bought, open, others].map(isKept))
    expect(kept).toEqual([true, false, true, true, true])
  })
})
