import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { ServiceName } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { unitsOrdered } from '../support/shop-balance.ts'
import { retryUntilAvailable } from '../support/buyers.ts'
import { holdLock } from '../support/hold-lock.ts'
import type { TestShop } from '../support/shop.ts'
import { ADDRESS, type TestResponse, type TestClient } from '../support/test-client.ts'

const UNITS = 6
const LATE_MS = 45_000
const Page = z.object({ url: z.url() })
const Session = z.object({ id: z.string(), order_id: z.string(), status: z.string(), url: z.string().nullable() })
type Session = z.output<typeof Session>

let shop: TestShop
let round = 0

interface Checkout {
  client: TestClient
  cartId: string
  variantId: string
}

async function fillCart(): Promise<Checkout> {
  const product = await shop.stockProduct(`session-${round++}`, UNITS)
  const variantId = product.variants[0]?.id ?? ''
  const client = shop.client()
  return { client, variantId, cartId: (await client.cartWith(variantId, 2)).id }
}

const checkOut = ({ client, cartId }: Checkout): Promise<TestResponse> =>
  client.post(`/carts/${cartId}/checkout`, {
    email: 'ada@example.com',
    shipping_address: ADDRESS,
    shipping_method: 'standard',
    success_url: 'http://localhost:5173/thanks/{ORDER_ID}',
    cancel_url: 'http://localhost:5173/bag',
  })

/** The address of the payment page, with as many retries as it takes. */
async function pageOf(checkout: Checkout): Promise<string> {
  const { response } = await retryUntilAvailable(() => checkOut(checkout))
  expect({ status: response.status, body: response.body }).toMatchObject({ status: 200 })
  return Page.parse(response.body).url
}

const sessionsOf = async ({ cartId }: Checkout): Promise<Session[]> =>
  z
    .array(Session)
    .parse(
      await shop.sql(
        'select id, order_id, status, url from orders.payment_sessions where cart_id = $1 order by created_at desc',
        [cartId],
      ),
    )
const ordersOf = ({ cartId }: Checkout) =>
  shop.sql<{ id: string; status: string }>('select id, status from orders.orders where cart_id = $1', [cartId])

/** Presses the button, and follows the redirect to the page that reports the payment. */
async function pay(url: string): Promise<void> {
  const path = new URL(url).pathname
  await retryUntilAvailable(async () => {
    const response = await fetch(`${shop.shop.url}${path}/pay`, { method: 'POST', redirect: 'manual' })
    return { status: response.status, headers: response.headers, body: await response.text() }
  })
}

/** Pays, kills orders before it has processed the event of the payment, and deletes the event. */
async function payAndLoseEvent(url: string): Promise<void> {
  const releaseLock = await holdLock(shop, `select 1 from orders.payment_sessions where status = 'open' for update`)
  await pay(url)
  await waitUntilBlocked('orders')
  await kill('orders')
  await releaseLock()
  await shop.sql('delete from orders.provider_events')
}

async function expectPaidOnce(checkout: Checkout): Promise<string> {
  await waitFor('an order that is paid', async () => (await ordersOf(checkout))[0]?.status === 'paid', LATE_MS)
  const orders = await ordersOf(checkout)
  expect(orders).toHaveLength(1)
  expect(await unitsOrdered(shop, checkout.variantId)).toBe(2)
  const { response } = await retryUntilAvailable(() => checkout.client.get(`/orders/${orders[0]?.id}`))
  expect(response.status).toBe(200)
  return orders[0]?.id ?? ''
}

/**
 * Waits until a statement of a service is blocked by a lock; the text of the statement excludes timers that use the
 * same tables.
 */
async function waitUntilBlocked(service: ServiceName, statement = ''): Promise<void> {
  await waitFor('a statement to be blocked', async () => {
    const rows = await shop.sql(
      `select 1 from pg_stat_activity where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'
         and strpos(query, $2) > 0`,
      [service, statement],
    )
    return rows.length > 0
  })
}

async function kill(service: ServiceName): Promise<void> {
  await shop.shop.services[service].kill('SIGKILL')
}

interface Step {
  name: string
  lock: string
  victim: ServiceName
  /** The service whose connection waits for the lock. */
  waiting: ServiceName
  /** A part of the statement that waits for the lock. */
  statement?: string
  /** A crash here has the effect of another one. */
  isMore?: true
}

const OPENING: readonly Step[] = [
  {
    name: 'the quote of the cart',
    lock: 'lock table cart.carts in access exclusive mode',
    victim: 'cart',
    waiting: 'cart',
  },
  {
    name: 'the reservation',
    lock: 'lock table catalog.reservations in access exclusive mode',
    victim: 'catalog',
    waiting: 'catalog',
  },
  {
    name: 'the reservation',
    lock: 'lock table catalog.reservations in access exclusive mode',
    victim: 'orders',
    waiting: 'catalog',
  },
  {
    name: 'the session',
    lock: 'lock table orders.payment_sessions in exclusive mode',
    victim: 'orders',
    waiting: 'orders',
    // The session is read with a lock before it is written.
    statement: 'for update',
  },
  {
    name: 'the page at the provider',
    lock: 'lock table orders.demo_sessions in exclusive mode',
    victim: 'orders',
    waiting: 'orders',
  },
]

const PAYING: readonly Step[] = [
  {
    name: 'the receipt of the event',
    lock: 'lock table orders.provider_events in exclusive mode',
    victim: 'orders',
    waiting: 'orders',
    statement: 'insert into "provider_events"',
  },
  {
    name: 'the lock on its session',
    lock: `select 1 from orders.payment_sessions where status = 'open' for update`,
    victim: 'orders',
    waiting: 'orders',
  },
  {
    name: 'the decision about its goods',
    lock: 'lock table orders.claims in exclusive mode',
    victim: 'orders',
    waiting: 'orders',
    statement: 'insert into orders ',
    // The payment is recorded in the same transaction.
    isMore: true,
  },
  {
    name: 'the record of its payment',
    lock: 'lock table orders.payments in exclusive mode',
    victim: 'orders',
    waiting: 'orders',
  },
  {
    name: 'the sale',
    lock: 'lock table catalog.inbox in access exclusive mode',
    victim: 'catalog',
    waiting: 'catalog',
  },
  {
    name: 'the closing of the cart',
    lock: 'lock table cart.inbox in access exclusive mode',
    victim: 'cart',
    waiting: 'cart',
  },
]

const REFUNDING = [
  {
    name: 'before the refund is recorded',
    lock: 'lock table orders.refunds in exclusive mode',
    statement: 'insert into refunds',
    isReturned: false,
  },
  {
    name: 'during the request to the provider',
    lock: 'lock table orders.demo_refunds in exclusive mode',
    statement: 'insert into',
    isReturned: false,
  },
  {
    name: 'after the provider has returned the money',
    lock: 'lock table orders.demo_refunds in exclusive mode',
    statement: 'insert into',
    isReturned: true,
  },
]

/** The tests of this file, with the shop that is open when they start. @param withMore whether to have all crashes */
export function testPaymentSteps(openShop: () => TestShop, withMore: boolean): void {
  beforeAll(async () => {
    shop = openShop()
    const settings = await shop.admin.post('/admin/import', {
      mode: 'merge',
      settings: { checkout: { mode: 'redirect', provider: 'demo', createUrl: '' } },
    })
    expect(settings.status).toBe(200)
  })

  testOpening(withMore)
  testPaying(withMore)
  testExpiry()
  testRefunding()
}

function testOpening(withMore: boolean): void {
  test.for(OPENING)(
    'a buyer whose checkout meets a killed $victim at $name retries it, pays and gets one order',
    async ({ lock, victim, waiting, statement }) => {
      const checkout = await fillCart()
      const releaseLock = await holdLock(shop, lock)
      const opening = checkOut(checkout).catch(() => undefined)
      await waitUntilBlocked(waiting, statement)
      await kill(victim)
      await releaseLock()
      await shop.shop.services[victim].waitReady()
      await opening
      // A service that is killed during the request to the provider leaves a session that blocks the next one for a
      // minute.
      await shop.sql(
        `update orders.payment_sessions set created_at = created_at - interval '61 seconds' where status = 'creating'`,
      )
      await pay(await pageOf(checkout))
      await expectPaidOnce(checkout)
      expect((await sessionsOf(checkout)).filter(({ status }) => status === 'completed')).toHaveLength(1)
    },
  )

  // Neither catalog nor cart keeps the page.
  test.for<ServiceName>(['orders', 'catalog', ...(withMore ? (['cart'] as const) : [])])(
    'a payment page stays valid when %s is killed: a retry returns the same page, and it is paid',
    async (victim) => {
      const checkout = await fillCart()
      const url = await pageOf(checkout)
      await kill(victim)
      await shop.shop.services[victim].waitReady()
      expect(await pageOf(checkout)).toBe(url)
      await pay(url)
      await expectPaidOnce(checkout)
    },
  )
}

function testPaying(withMore: boolean): void {
  test.for(PAYING.filter(({ isMore }) => withMore || !isMore))(
    'a paid checkout becomes one paid order when $victim is killed at $name',
    async ({ lock, victim, waiting, statement }) => {
      const checkout = await fillCart()
      const url = await pageOf(checkout)
      const releaseLock = await holdLock(shop, lock)
      const paying = pay(url)
      await waitUntilBlocked(waiting, statement)
      await kill(victim)
      await releaseLock()
      await shop.shop.services[victim].waitReady()
      // Ends the lease of a minute on an event that was being processed.
      await shop.sql(`update orders.provider_events set next_attempt_at = now() where status = 'pending'`)
      await paying
      await expectPaidOnce(checkout)
    },
  )

  test('a paid order is published after the restart when orders is killed before it publishes', async () => {
    const checkout = await fillCart()
    const url = await pageOf(checkout)
    const releaseLock = await holdLock(shop, `select pg_advisory_xact_lock(hashtext('relay'), hashtext('orders'))`)
    await pay(url)
    await waitFor('the order', async () => (await ordersOf(checkout)).length > 0)
    await kill('orders')
    await releaseLock()
    await shop.shop.services.orders.waitReady()
    const id = await expectPaidOnce(checkout)
    const about = () => shop.receiver.received.filter(({ type, orderId }) => type === 'order.paid' && orderId === id)
    await waitFor('order.paid', () => about()[0], LATE_MS)
    // A delivery that is repeated has the same id.
    expect(new Set(about().map((event) => event.id)).size).toBe(1)
  })
}

function testExpiry(): void {
  test('a payment is found when its event is lost and the checkout expires while orders is down', async () => {
    const checkout = await fillCart()
    await payAndLoseEvent(await pageOf(checkout))
    await shop.sql(`update orders.payment_sessions set expires_at = now() - interval '2 minutes' where status = 'open'`)
    await shop.shop.services.orders.waitReady()
    await expectPaidOnce(checkout)
  })

  test('a checkout that has expired although it was paid becomes an order by reconciliation', async () => {
    const checkout = await fillCart()
    await payAndLoseEvent(await pageOf(checkout))
    // The session expires here without a request to the provider.
    await shop.sql(
      `update orders.payment_sessions set status = 'expired', expires_at = now() - interval '1 hour' where cart_id = $1`,
      [checkout.cartId],
    )
    await shop.shop.services.orders.waitReady()
    expect(await ordersOf(checkout)).toEqual([])
    const { response } = await retryUntilAvailable(() =>
      shop.admin.post('/admin/reconciliation', { settledAfterSeconds: 0 }),
    )
    expect(response.body).toMatchObject({ repaired: [{ kind: 'payment_found' }] })
    await expectPaidOnce(checkout)
  })

  test('a buyer who comes to pay after the expiry pays nothing, and the goods are released', async () => {
    const checkout = await fillCart()
    const url = await pageOf(checkout)
    await shop.sql(`update orders.payment_sessions set expires_at = now() - interval '2 minutes' where status = 'open'`)
    await shop.sql(`update orders.demo_sessions set expires_at = now() - interval '2 minutes' where status = 'open'`)
    await waitFor('the expiry', async () => (await sessionsOf(checkout))[0]?.status === 'expired', LATE_MS)
    await pay(url)
    expect(await ordersOf(checkout)).toEqual([])
    await waitFor('the goods', async () => {
      const [row] = await shop.sql<{ reserved: number }>('select reserved from catalog.stock where variant_id = $1', [
        checkout.variantId,
      ])
      return row?.reserved === 0
    })
    await pay(await pageOf(checkout))
    await expectPaidOnce(checkout)
  })
}

function testRefunding(): void {
  test.for(REFUNDING)(
    'a refund with one key is made once when orders is killed $name',
    async ({ lock, statement, isReturned }) => {
      const checkout = await fillCart()
      await pay(await pageOf(checkout))
      const id = await expectPaidOnce(checkout)
      const refund = () =>
        shop.admin.call('POST', `/admin/orders/${id}/refunds`, { restock: true }, { 'idempotency-key': `refund-${id}` })
      let releaseLock = await holdLock(shop, lock)
      const pending = refund().catch(() => undefined)
      await waitUntilBlocked('orders', statement)
      if (isReturned) {
        // The service continues after the provider, and is blocked where the reply is recorded.
        const releaseOrder = await holdLock(shop, `select 1 from orders.orders where id = '${id}' for update`)
        await releaseLock()
        releaseLock = releaseOrder
        await waitUntilBlocked('orders', 'for no key update')
      }
      const [before] = await shop.sql<{ made: number }>(
        'select count(*)::int as made from orders.demo_refunds d join orders.refunds r on r.id = d.id where r.order_id = $1',
        [id],
      )
      expect(before?.made).toBe(isReturned ? 1 : 0)
      await kill('orders')
      await releaseLock()
      await shop.shop.services.orders.waitReady()
      await pending
      // Ends the leases of the killed service.
      await shop.sql(`update orders.refunds set next_attempt_at = now() where status = 'pending'`)
      await shop.sql(`update orders.idempotency_keys set lease_until = now() where answer is null`)
      const { response } = await retryUntilAvailable(refund)
      expect(response.status).toBe(200)
      await waitFor('the refund', async () => (await ordersOf(checkout))[0]?.status === 'cancelled', LATE_MS)
      const refunds = await shop.sql('select status from orders.refunds where order_id = $1', [id])
      expect(refunds).toEqual([{ status: 'succeeded' }])
      expect(
        await shop.sql(
          `select count(*)::int as made from orders.demo_refunds d join orders.refunds r on r.id = d.id where r.order_id = $1`,
          [id],
        ),
      ).toEqual([{ made: 1 }])
      expect(await unitsOrdered(shop, checkout.variantId)).toBe(0)
    },
  )
}
