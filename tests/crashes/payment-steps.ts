import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ServiceName } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { unitsOrdered } from '../support/shop-balance.ts'
import { retryUntilAvailable } from '../support/buyers.ts'
import { holdWatchedLock, type HeldLock } from '../support/hold-lock.ts'
import type { TestShop } from '../support/shop.ts'
import type { TestResponse, TestClient } from '../support/test-client.ts'
import { crashAtSteps, type StepToReach } from './crash-at-steps.ts'

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

interface OpenPage {
  checkout: Checkout
  url: string
}

async function openPage(): Promise<OpenPage> {
  const checkout = await fillCart()
  return { checkout, url: await pageOf(checkout) }
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a step before the crash has failed')
  return value
}

const checkOut = ({ client, cartId }: Checkout): Promise<TestResponse> =>
  client.checkOut(cartId, 'ada@example.com', {
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

/** Presses the button of the payment page, with as many retries as it takes. */
async function pay(url: string): Promise<void> {
  const path = new URL(url).pathname
  await retryUntilAvailable(async () => {
    const response = await fetch(`${shop.shop.url}${path}/pay`, { method: 'POST', redirect: 'manual' })
    return { status: response.status, headers: response.headers, body: await response.text() }
  })
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

interface Step {
  name: string
  lock: (checkout: Checkout) => string
  /** The service whose connection waits for the lock. */
  waiting: ServiceName
  /** A part of the statement that waits for the lock. */
  statement?: string
}

// The steps of a checkout in their order.
const QUOTE: Step = {
  name: 'the quote of the cart',
  lock: () => 'lock table cart.carts in access exclusive mode',
  waiting: 'cart',
}
const RESERVATION: Step = {
  name: 'the reservation',
  lock: () => 'lock table catalog.reservations in access exclusive mode',
  waiting: 'catalog',
}
const SESSION: Step = {
  name: 'the session',
  lock: () => 'lock table orders.payment_sessions in exclusive mode',
  waiting: 'orders',
  // The session is read with a lock before it is written.
  statement: 'for update',
}
const PAGE: Step = {
  name: 'the page at the provider',
  lock: () => 'lock table orders.demo_sessions in exclusive mode',
  waiting: 'orders',
}

// The steps of a payment in their order.
const RECEIPT: Step = {
  name: 'the receipt of the event',
  lock: () => 'lock table orders.provider_events in exclusive mode',
  waiting: 'orders',
  statement: 'insert into "provider_events"',
}
const SESSION_LOCK: Step = {
  name: 'the lock on its session',
  lock: ({ cartId }) => `select 1 from orders.payment_sessions where cart_id = '${cartId}' for update`,
  waiting: 'orders',
}
const DECISION: Step = {
  name: 'the decision about its goods',
  lock: () => 'lock table orders.claims in exclusive mode',
  waiting: 'orders',
  statement: 'insert into orders ',
}
const RECORD: Step = {
  name: 'the record of its payment',
  lock: () => 'lock table orders.payments in exclusive mode',
  waiting: 'orders',
}
const PUBLICATION: Step = {
  name: 'the publication of its order',
  lock: () => `select pg_advisory_xact_lock(hashtext('relay'), hashtext('orders'))`,
  waiting: 'orders',
}
const SALE: Step = {
  name: 'the sale',
  lock: () => 'lock table catalog.inbox in access exclusive mode',
  waiting: 'catalog',
}
const CLOSING: Step = {
  name: 'the closing of the cart',
  lock: () => 'lock table cart.inbox in access exclusive mode',
  waiting: 'cart',
}

interface Crash {
  victim: ServiceName
  /** What buyers wait for when the service is killed, the last step first. */
  paying?: readonly Step[]
  opening?: readonly Step[]
  /** Whether another buyer has a payment page open. */
  withPage?: boolean
}

const CRASHES: readonly Crash[] = [
  { victim: 'cart', paying: [CLOSING], opening: [QUOTE], withPage: true },
  { victim: 'catalog', paying: [SALE], opening: [RESERVATION], withPage: true },
  { victim: 'orders', opening: [PAGE, SESSION, RESERVATION] },
  { victim: 'orders', paying: [PUBLICATION, RECORD, SESSION_LOCK, RECEIPT], withPage: true },
]
/** Each buyer alone, so that no event of another one can wake what they wait for. */
const ALONE: readonly Crash[] = [
  ...CRASHES.flatMap(({ victim, paying = [], opening = [], withPage = false }): Crash[] => [
    ...paying.map((step) => ({ victim, paying: [step] })),
    ...opening.map((step) => ({ victim, opening: [step] })),
    ...(withPage ? [{ victim, withPage }] : []),
  ]),
  // The payment is recorded in the same transaction.
  { victim: 'orders', paying: [DECISION] },
]

/** The tests of this file, with the shop that is open when they start. @param alone whether each has its own crash */
export function testPaymentSteps(openShop: () => TestShop, alone: boolean): void {
  beforeAll(async () => {
    shop = openShop()
    const settings = await shop.admin.post('/admin/import', {
      mode: 'merge',
      settings: { checkout: { mode: 'redirect', provider: 'demo', createUrl: '' } },
    })
    expect(settings.status).toBe(200)
  })

  for (const crash of alone ? ALONE : CRASHES) {
    describe(`a crash of ${crash.victim}`, () => {
      testCrash(crash)
    })
  }
  describe('a payment whose event is lost', () => {
    testLostEvents()
  })
  describe('a crash during refunds', () => {
    testRefunding()
  })
}

function testCrash({ victim, paying = [], opening = [], withPage = false }: Crash): void {
  const payments: Checkout[] = []
  const checkouts: Checkout[] = []
  let open: OpenPage | undefined

  beforeAll(async () => {
    if (withPage) open = await openPage()
    const steps: StepToReach[] = []
    const begun: Promise<unknown>[] = []
    for (const step of paying) {
      const { checkout, url } = await openPage()
      payments.push(checkout)
      steps.push({
        ...step,
        lock: step.lock(checkout),
        begin: () => begun.push(pay(url)),
        // The publication is retried until the lock is free.
        isReached: step === PUBLICATION ? async () => (await ordersOf(checkout)).length > 0 : undefined,
      })
    }
    for (const step of opening) {
      const checkout = await fillCart()
      checkouts.push(checkout)
      const begin = () => begun.push(checkOut(checkout).catch(() => undefined))
      steps.push({ ...step, lock: step.lock(checkout), begin })
    }
    await crashAtSteps(shop, victim, steps)
    // Ends the lease of a minute on an event that was being processed.
    await shop.sql(`update orders.provider_events set next_attempt_at = now() where status = 'pending'`)
    await Promise.all(begun)
    // A service that is killed during the request to the provider leaves a session that blocks the next one for a
    // minute.
    await shop.sql(
      `update orders.payment_sessions set created_at = created_at - interval '61 seconds' where status = 'creating'`,
    )
  })

  for (const [index, step] of paying.entries()) {
    test(`a paid checkout becomes one paid order when ${victim} is killed at ${step.name}`, async () => {
      const id = await expectPaidOnce(present(payments[index]))
      if (step === PUBLICATION) await expectPublishedOnce(id)
    })
  }

  for (const [index, { name }] of opening.entries()) {
    test(`a buyer whose checkout meets a killed ${victim} at ${name} retries it, pays and gets one order`, async () => {
      const checkout = present(checkouts[index])
      await pay(await pageOf(checkout))
      await expectPaidOnce(checkout)
      expect((await sessionsOf(checkout)).filter(({ status }) => status === 'completed')).toHaveLength(1)
    })
  }

  if (!withPage) return
  test(`a payment page stays valid when ${victim} is killed: a retry returns the same page, and it is paid`, async () => {
    const { checkout, url } = present(open)
    expect(await pageOf(checkout)).toBe(url)
    await pay(url)
    await expectPaidOnce(checkout)
  })
}

async function expectPublishedOnce(id: string): Promise<void> {
  const about = () => shop.receiver.received.filter(({ type, orderId }) => type === 'order.paid' && orderId === id)
  await waitFor('order.paid', () => about()[0], LATE_MS)
  // A delivery that is repeated has the same id.
  expect(new Set(about().map((event) => event.id)).size).toBe(1)
}

function testLostEvents(): void {
  let lost: OpenPage
  let expired: OpenPage
  let late: OpenPage

  beforeAll(async () => {
    ;[lost, expired, late] = [await openPage(), await openPage(), await openPage()]
    const begun: Promise<void>[] = []
    // Orders is killed before it has processed the events of the payments.
    await crashAtSteps(
      shop,
      'orders',
      [lost, expired].map(({ checkout, url }) => ({
        ...SESSION_LOCK,
        lock: SESSION_LOCK.lock(checkout),
        begin: () => begun.push(pay(url)),
      })),
      async () => {
        await shop.sql('delete from orders.provider_events')
        const past = `expires_at = now() - interval '2 minutes'`
        const carts = [[lost.checkout.cartId, late.checkout.cartId]]
        await shop.sql(`update orders.payment_sessions set ${past} where cart_id = any($1)`, carts)
        await shop.sql(
          `update orders.demo_sessions set ${past} where session_id in
             (select id from orders.payment_sessions where cart_id = $1)`,
          [late.checkout.cartId],
        )
        // The session expires here without a request to the provider.
        await shop.sql(
          `update orders.payment_sessions set status = 'expired', expires_at = now() - interval '1 hour' where cart_id = $1`,
          [expired.checkout.cartId],
        )
      },
    )
    await Promise.all(begun)
  })

  test('a payment is found when its event is lost and the checkout expires while orders is down', async () => {
    await expectPaidOnce(lost.checkout)
  })

  test('a checkout that has expired although it was paid becomes an order by reconciliation', async () => {
    expect(await ordersOf(expired.checkout)).toEqual([])
    const { response } = await retryUntilAvailable(() =>
      shop.admin.post('/admin/reconciliation', { settledAfterSeconds: 0 }),
    )
    expect(response.body).toMatchObject({ repaired: [{ kind: 'payment_found' }] })
    await expectPaidOnce(expired.checkout)
  })

  test('a buyer who comes to pay after the expiry pays nothing, and the goods are released', async () => {
    const { checkout, url } = late
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

/** The moments of a refund, the last one first. */
const REFUNDING = [
  {
    name: 'after the provider has returned the money',
    lock: 'lock table orders.demo_refunds in exclusive mode',
    statement: 'insert into',
    isReturned: true,
  },
  {
    name: 'during the request to the provider',
    lock: 'lock table orders.demo_refunds in exclusive mode',
    statement: 'insert into',
    isReturned: false,
  },
  {
    name: 'before the refund is recorded',
    lock: 'lock table orders.refunds in exclusive mode',
    statement: 'insert into refunds',
    isReturned: false,
  },
]

const refund = (id: string) =>
  shop.admin.call('POST', `/admin/orders/${id}/refunds`, { restock: true }, { 'idempotency-key': `refund-${id}` })

/** How many refunds of an order the provider has made. */
async function refundsMade(id: string): Promise<number | undefined> {
  const [row] = await shop.sql<{ made: number }>(
    'select count(*)::int as made from orders.demo_refunds d join orders.refunds r on r.id = d.id where r.order_id = $1',
    [id],
  )
  return row?.made
}

function testRefunding(): void {
  const paid: { checkout: Checkout; id: string }[] = []

  beforeAll(async () => {
    const held: HeldLock[] = []
    const pending: Promise<unknown>[] = []
    for (const { checkout, url } of [await openPage(), await openPage(), await openPage()]) {
      await pay(url)
      paid.push({ checkout, id: await expectPaidOnce(checkout) })
    }
    try {
      for (const [index, { lock, statement, isReturned }] of REFUNDING.entries()) {
        const { id } = present(paid[index])
        const before = await holdWatchedLock(shop, lock)
        held.push(before)
        pending.push(refund(id).catch(() => undefined))
        await waitFor('the refund to be blocked', () => before.blocks('orders', statement))
        if (!isReturned) continue
        // The service continues after the provider, and is blocked where the reply is recorded.
        const after = await holdWatchedLock(shop, `select 1 from orders.orders where id = '${id}' for update`)
        held.splice(-1, 1, after)
        await before.release()
        await waitFor('the record to be blocked', () => after.blocks('orders', 'for no key update'))
      }
      const made = await Promise.all(paid.map(({ id }) => refundsMade(id)))
      expect(made).toEqual(REFUNDING.map(({ isReturned }) => (isReturned ? 1 : 0)))
      await shop.shop.services.orders.kill('SIGKILL')
    } finally {
      await Promise.all(held.map((lock) => lock.release()))
    }
    await shop.shop.services.orders.waitReady()
    await Promise.all(pending)
    // Ends the leases of the killed service.
    await shop.sql(`update orders.refunds set next_attempt_at = now() where status = 'pending'`)
    await shop.sql(`update orders.idempotency_keys set lease_until = now() where answer is null`)
  })

  for (const [index, { name }] of REFUNDING.entries()) {
    test(`a refund with one key is made once when orders is killed ${name}`, async () => {
      const { checkout, id } = present(paid[index])
      const { response } = await retryUntilAvailable(() => refund(id))
      expect(response.status).toBe(200)
      await waitFor('the refund', async () => (await ordersOf(checkout))[0]?.status === 'cancelled', LATE_MS)
      const refunds = await shop.sql('select status from orders.refunds where order_id = $1', [id])
      expect(refunds).toEqual([{ status: 'succeeded' }])
      expect(await refundsMade(id)).toBe(1)
      expect(await unitsOrdered(shop, checkout.variantId)).toBe(0)
    })
  }
}
