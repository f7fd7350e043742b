import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Order } from '@storefront/contracts'
import { amount, expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { testGroupSteps } from './crashes/group-steps.ts'
import { testPaymentSteps } from './crashes/payment-steps.ts'
import { testPurchaseSteps } from './crashes/purchase-steps.ts'
import { expectShopBalanced, stockOf, unitsOrdered } from './support/shop-balance.ts'
import { buyWithRetries, makeBuyers, type Buyer, type Outcome } from './support/buyers.ts'
import { holdLock } from './support/hold-lock.ts'
import { waitForPayment } from './support/paid-order.ts'
import { redeliverAfter } from './support/redelivery.ts'
import { openShopOfProcesses, stopAfter, type TestShop } from './support/shop.ts'

/** All crashes of single services happen in one shop, because to open one takes longer than most tests. */
let shop: TestShop
let round = 0

/** Whether each crash is tested with one buyer, or one kind of work, alone, so that nothing else can wake it. */
const ALONE = amount({ quick: false, long: true })

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

afterAll(() => stopAfter(expectShopBalanced(shop), shop))

/** Creates a product with five units. */
async function stockFive(): Promise<{ slug: string; variantId: string }> {
  const slug = `crash-${round++}`
  const product = await shop.stockProduct(slug, 5)
  return { slug, variantId: product.variants[0]?.id ?? '' }
}

describe('a crash of orders', () => {
  let lost: Sale
  let committed: Sale
  let committedOrder: Order

  interface Sale extends Buyer {
    variantId: string
  }
  async function prepare(quantity: number): Promise<Sale> {
    const { variantId } = await stockFive()
    const client = shop.client()
    return { variantId, client, cartId: (await client.cartWith(variantId, quantity)).id }
  }

  beforeAll(async () => {
    lost = await prepare(2)
    committed = await prepare(1)
    // While the relay is blocked, the order is committed and none of its events is published.
    const releaseRelay = await holdLock(shop, `select pg_advisory_xact_lock(hashtext('relay'), hashtext('orders'))`)
    committedOrder = Order.parse((await committed.client.checkOut(committed.cartId)).body)
    const releaseClaims = await holdLock(shop, 'lock table orders.claims in exclusive mode')
    const reply = lost.client.checkOut(lost.cartId)
    await waitFor('the reservation', async () => (await stockOf(shop, lost.variantId)).reserved === 2)
    await shop.shop.services.orders.kill('SIGKILL')
    expect((await reply).status).toBeGreaterThanOrEqual(500)
    await releaseClaims()
    await releaseRelay()
    await shop.shop.services.orders.waitReady()
  })

  test('after a crash between reservation and order the goods are released and the cart can be bought', async () => {
    const { client, cartId, variantId } = lost
    await waitFor('the goods to be released', async () => (await stockOf(shop, variantId)).reserved === 0)
    expect(await stockOf(shop, variantId)).toEqual({ onHand: 5, reserved: 0 })
    const order = Order.parse((await client.checkOut(cartId)).body)
    await waitFor('the sale', async () => (await stockOf(shop, variantId)).onHand === 3)
    expect(order.lines).toMatchObject([{ variantId, quantity: 2 }])
    expect(await stockOf(shop, variantId)).toEqual({ onHand: 3, reserved: 0 })
    await expectLedgerBalanced(shop)
  })

  test('an order survives a crash right after its commit: it is paid and published, and a retry finds it', async () => {
    const { client, cartId, variantId } = committed
    const { id, number } = committedOrder
    expect((await client.checkOut(cartId)).body).toMatchObject({ id })
    await waitForPayment(client, `/orders/${id}`)
    await waitFor('the sale', async () => (await stockOf(shop, variantId)).onHand === 4)
    await waitFor('order.paid', () => shop.receiver.received.find((event) => event['orderId'] === id))
    await waitFor('the mail', async () => (await shop.mailsFor(number)).length === 1)
    expect(await stockOf(shop, variantId)).toEqual({ onHand: 4, reserved: 0 })
  })
})

describe('a crash of catalog', () => {
  let variantId: string
  let unpublished: string
  let buyers: Buyer[]
  let outcomes: Promise<Outcome>[]

  beforeAll(async () => {
    ;({ variantId } = await stockFive())
    buyers = await makeBuyers(shop, variantId, 12)
    const releaseRelay = await holdLock(shop, `select pg_advisory_xact_lock(hashtext('relay'), hashtext('catalog'))`)
    unpublished = `crash-${round++}`
    await shop.stockProduct(unpublished, 1)
    outcomes = buyers.map(buyWithRetries)
    // The ledger shows every reservation; in the stock it may already have become a sale.
    await waitFor('the first reservation', async () => {
      const moves = await shop.sql(
        `select 1 from catalog.stock_movements where variant_id = $1 and kind = 'reserved'`,
        [variantId],
      )
      return moves.length > 0
    })
    await shop.shop.services.catalog.kill('SIGKILL')
    await releaseRelay()
    await shop.shop.services.catalog.waitReady()
  })

  test('an event of a catalog that is killed before it publishes is delivered after the restart', async () => {
    const about = () => shop.receiver.received.filter((event) => event['slug'] === unpublished)
    await waitFor('product.updated', () => about().find(({ type }) => type === 'product.updated'))
    expect(about()).toHaveLength(1)
  })

  test('twelve buyers who retry while catalog is killed buy all five units, and none is sold twice', async () => {
    const ended = await Promise.all(outcomes)
    const orders = ended.filter((outcome) => outcome.kind === 'order')
    const rejected = ended.filter((outcome) => outcome.kind === 'rejected')
    // The hold of a failed checkout makes the last unit look sold until it expires, so these buyers try again.
    await waitFor('every hold to be settled', async () => (await stockOf(shop, variantId)).reserved === 0)
    const left = (await stockOf(shop, variantId)).onHand
    expect(new Set(rejected.map(({ code }) => code))).toEqual(new Set(['out_of_stock']))
    const late = await Promise.all(
      buyers
        .filter((_buyer, index) => ended[index]?.kind === 'rejected')
        .slice(0, left)
        .map(buyWithRetries),
    )
    expect(late.filter(({ kind }) => kind === 'order')).toHaveLength(left)
    expect(orders.length + late.length).toBe(5)
    await waitFor('the sales', async () => (await stockOf(shop, variantId)).onHand === 0)
    expect(await unitsOrdered(shop, variantId)).toBe(5)
    await expectLedgerBalanced(shop)
  })
})

describe('a crash of notifier', () => {
  test('after notifier is killed during a delivery every event arrives, and no mail twice', async () => {
    const { slug, variantId } = await stockFive()
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
  testPurchaseSteps(() => shop, ALONE)
})

describe('what several purchases write together', () => {
  testGroupSteps(() => shop, ALONE)
})

// Last, because it changes how the shop is paid.
describe('each step of a payment page', () => {
  testPaymentSteps(() => shop, ALONE)
})
