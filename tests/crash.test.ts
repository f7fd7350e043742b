import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Order } from '@storefront/contracts'
import { amount, expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { testGroupSteps } from './crashes/group-steps.ts'
import { testPaymentSteps } from './crashes/payment-steps.ts'
import { testPurchaseSteps } from './crashes/purchase-steps.ts'
import { expectShopBalanced, unitsOrdered } from './support/shop-balance.ts'
import { buyWithRetries } from './support/buyers.ts'
import { holdLock } from './support/hold-lock.ts'
import { redeliverAfter } from './support/redelivery.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'

/** All crashes of single services happen in one shop, because to open one takes longer than most tests. */
let shop: TestShop
let variantId: string
let slug: string
let round = 0

/** Whether to repeat crashes that have the effect of another one. */
const WITH_MORE = amount({ quick: false, long: true })

beforeAll(async () => {
  // A short reservation, so that the goods of a crashed checkout are released during the test.
  shop = await openShopOfProcesses({
    serviceEnvironment: {
      orders: { PAYMENT_SESSION_TTL_SECONDS: '600', RESERVATION_TTL_SECONDS: '3' },
      notifier: { CLAIM_LEASE_MS: '3000' },
    },
  })
  await redeliverAfter(shop, 3)
})

afterAll(async () => {
  try {
    await expectShopBalanced(shop)
  } finally {
    await shop.stop()
  }
})

const stock = async () => {
  const [row] = await shop.sql<{ on_hand: number; reserved: number }>(
    'select on_hand, reserved from catalog.stock where variant_id = $1',
    [variantId],
  )
  return { onHand: row?.on_hand, reserved: row?.reserved }
}

describe('a crash', () => {
  beforeEach(async () => {
    slug = `crash-${round++}`
    const product = await shop.stockProduct(slug, 5)
    variantId = product.variants[0]?.id ?? ''
  })

  test('after a crash between reservation and order the goods are released and the cart can be bought', async () => {
    const client = shop.client()
    const cart = await client.cartWith(variantId, 2)
    const releaseLock = await holdLock(shop, 'lock table orders.claims in exclusive mode')
    const lost = client.checkOut(cart.id)
    await waitFor('the reservation', async () => (await stock()).reserved === 2)
    await shop.shop.services.orders.kill('SIGKILL')
    expect((await lost).status).toBeGreaterThanOrEqual(500)
    await releaseLock()
    await shop.shop.services.orders.waitReady()

    await waitFor('the goods to be released', async () => (await stock()).reserved === 0)
    expect(await stock()).toEqual({ onHand: 5, reserved: 0 })
    const order = Order.parse((await client.checkOut(cart.id)).body)
    await waitFor('the sale', async () => (await stock()).onHand === 3)
    expect(order.lines).toMatchObject([{ variantId, quantity: 2 }])
    expect(await stock()).toEqual({ onHand: 3, reserved: 0 })
    await expectLedgerBalanced(shop)
  })

  test('an order survives a crash right after its commit: it is paid and published, and a retry finds it', async () => {
    const client = shop.client()
    const cart = await client.cartWith(variantId)
    // While the relay is blocked, the order is committed and none of its events is published.
    const releaseLock = await holdLock(shop, `select pg_advisory_xact_lock(hashtext('relay'), hashtext('orders'))`)
    const order = Order.parse((await client.checkOut(cart.id)).body)
    await shop.shop.services.orders.kill('SIGKILL')
    await releaseLock()
    await shop.shop.services.orders.waitReady()

    expect((await client.checkOut(cart.id)).body).toMatchObject({ id: order.id })
    await waitFor(
      'the payment',
      async () => Order.parse((await client.get(`/orders/${order.id}`)).body).status === 'paid',
    )
    await waitFor('the sale', async () => (await stock()).onHand === 4)
    await waitFor('order.paid', () => shop.receiver.received.find((event) => event['orderId'] === order.id))
    await waitFor('the mail', async () => (await shop.mailsFor(order.number)).length === 1)
    expect(await stock()).toEqual({ onHand: 4, reserved: 0 })
  })

  test('an event of a catalog that is killed before it publishes is delivered after the restart', async () => {
    const releaseLock = await holdLock(shop, `select pg_advisory_xact_lock(hashtext('relay'), hashtext('catalog'))`)
    const other = `${slug}-new`
    await shop.stockProduct(other, 1)
    await shop.shop.services.catalog.kill('SIGKILL')
    await releaseLock()
    await shop.shop.services.catalog.waitReady()
    await waitFor('product.updated', () =>
      shop.receiver.received.find((event) => event.type === 'product.updated' && event['slug'] === other),
    )
    expect(shop.receiver.received.filter((event) => event['slug'] === other)).toHaveLength(1)
  })

  test('twelve buyers who retry while catalog is killed buy all five pieces, and none is sold twice', async () => {
    const carts = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const client = shop.client()
        return { client, cart: await client.cartWith(variantId) }
      }),
    )
    const outcomes = carts.map(({ client, cart }) => buyWithRetries({ client, cartId: cart.id }))
    // The ledger shows every reservation; in the stock it may already have become a sale.
    await waitFor('the first reservation', async () => {
      const moves = await shop.sql(
        `select 1 from catalog.stock_movements where variant_id = $1 and kind = 'reserved'`,
        [variantId],
      )
      return moves.length > 0
    })
    await shop.shop.services.catalog.kill('SIGKILL')
    const ended = await Promise.all(outcomes)
    // All pieces may have been sold before it was killed, so that no buyer waited for its return.
    await shop.shop.services.catalog.waitReady()
    const orders = ended.filter((outcome) => outcome.kind === 'order')
    const rejected = ended.filter((outcome) => outcome.kind === 'rejected')
    // The hold of a failed checkout makes the last piece look sold until it expires, so these buyers try again.
    await waitFor('every hold to be settled', async () => (await stock()).reserved === 0)
    const left = (await stock()).onHand ?? 0
    expect(new Set(rejected.map(({ code }) => code))).toEqual(new Set(['out_of_stock']))
    const late = await Promise.all(
      carts
        .filter((_cart, index) => ended[index]?.kind === 'rejected')
        .slice(0, left)
        .map(({ client, cart }) => buyWithRetries({ client, cartId: cart.id })),
    )
    expect(late.filter(({ kind }) => kind === 'order')).toHaveLength(left)
    expect(orders.length + late.length).toBe(5)
    await waitFor('the sales', async () => (await stock()).onHand === 0)
    expect(await unitsOrdered(shop, variantId)).toBe(5)
    await expectLedgerBalanced(shop)
  })

  test('after notifier is killed during a delivery every event arrives, and no mail twice', async () => {
    const client = shop.client()
    const holding = shop.receiver.hold()
    const order = await client.buy(variantId)
    await waitFor('a delivery in progress', () => holding.arrived() > 0)
    await shop.shop.services.notifier.kill('SIGKILL')
    holding.release()
    await shop.shop.services.notifier.waitReady()
    await waitFor('order.paid', () => shop.receiver.received.find((event) => event['orderId'] === order.id))
    await waitFor(
      'inventory.updated',
      () => shop.receiver.received.find((event) => event.type === 'inventory.updated' && event['slug'] === slug),
      60_000,
    )
    const phase = await waitFor(
      'the outcome of the mail',
      async () => {
        const [mail] = await shop.sql<{ phase: string }>(
          `select phase from notifier.mails where reference = $1 and kind = 'orderPlaced' and settled_at is not null`,
          [order.number],
        )
        return mail?.phase
      },
      60_000,
    )
    // After a crash between sending a mail and its confirmation the outcome is unknown: such a mail is never sent
    // again.
    expect(['sent', 'uncertain']).toContain(phase)
    const mails = (await shop.mailsFor(order.number)).length
    expect(phase === 'sent' ? [1] : [0, 1]).toContain(mails)
    // A repeated delivery has the same id as the first.
    const ids = new Set(
      shop.receiver.received.filter((event) => event['orderId'] === order.id).map((event) => event.id),
    )
    expect(ids.size).toBe(1)
  })
})

describe('each step of a purchase', () => {
  testPurchaseSteps(() => shop, WITH_MORE)
})

describe('what several purchases write together', () => {
  testGroupSteps(() => shop)
})

// Last, because it changes how the shop is paid.
describe('each step of a payment page', () => {
  testPaymentSteps(() => shop, WITH_MORE)
})
