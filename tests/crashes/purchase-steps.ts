import { beforeAll, expect, test } from 'vitest'
import type { ServiceName } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { expectShopBalanced, unitsOrdered } from '../support/shop-balance.ts'
import { buyWithRetries, retryUntilAvailable } from '../support/buyers.ts'
import { holdLock } from '../support/hold-lock.ts'
import type { TestShop } from '../support/shop.ts'

interface Step {
  name: string
  /** A service that reaches this step is blocked while this lock is held. */
  lock: string
  /** The service whose connection waits for it; without one the step is retried until the lock is free. */
  waiting?: ServiceName
  victims: readonly ServiceName[]
  /** Those whose crash has the effect of another one's here, or in another test. */
  moreVictims?: readonly ServiceName[]
}

/** The writes of a purchase in their order. The time before a step is the time after the previous one. */
const STEPS: readonly Step[] = [
  {
    name: 'the quote',
    lock: 'lock table cart.carts in access exclusive mode',
    waiting: 'cart',
    victims: ['cart', 'orders', 'gateway'],
  },
  {
    name: 'the reservation',
    lock: 'lock table catalog.reservations in access exclusive mode',
    waiting: 'catalog',
    victims: ['catalog', 'orders'],
  },
  {
    name: 'the order',
    lock: 'lock table orders.claims in exclusive mode',
    waiting: 'orders',
    victims: ['orders', 'catalog'],
    // Like catalog, it has done its part.
    moreVictims: ['cart'],
  },
  {
    name: 'the publication of its events',
    lock: `select pg_advisory_xact_lock(hashtext('relay'), hashtext('orders'))`,
    victims: [],
    // The test of an order that survives a crash right after its commit does this, too.
    moreVictims: ['orders'],
  },
  {
    name: 'the sale',
    lock: 'lock table catalog.inbox in access exclusive mode',
    waiting: 'catalog',
    victims: ['catalog', 'orders'],
  },
  {
    name: 'the payment',
    lock: 'lock table orders.inbox in access exclusive mode',
    waiting: 'orders',
    victims: ['orders'],
    // As before the sale, it has an event to process.
    moreVictims: ['catalog'],
  },
  {
    name: 'the closing of the cart',
    lock: 'lock table cart.inbox in access exclusive mode',
    waiting: 'cart',
    victims: ['cart'],
  },
]
const casesOf = (withMore: boolean) =>
  STEPS.flatMap(({ victims, moreVictims = [], ...step }) =>
    [...victims, ...(withMore ? moreVictims : [])].map((victim) => ({ ...step, victim })),
  )
const UNITS = 6

let shop: TestShop
const units = new Map<string, number>()
let round = 0

/** Waits until a purchase is blocked at a step. */
async function waitUntilBlocked({ waiting }: Pick<Step, 'waiting'>, cartId: string): Promise<void> {
  await waitFor('the purchase to reach the step', async () => {
    const rows =
      waiting === undefined
        ? await shop.sql('select 1 from orders.orders where cart_id = $1', [cartId])
        : await shop.sql(
            `select 1 from pg_stat_activity where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
            [waiting],
          )
    return rows.length > 0
  })
}

/** The tests of this file, with the shop that is open when they start. @param withMore whether to kill all victims */
export function testPurchaseSteps(openShop: () => TestShop, withMore: boolean): void {
  beforeAll(() => {
    shop = openShop()
  })

  test.for(casesOf(withMore))(
    'a purchase is completed once although $victim is killed at $name',
    async ({ victim, ...step }) => {
      const product = await shop.stockProduct(`saga-${round++}`, UNITS)
      const variantId = product.variants[0]?.id ?? ''
      units.set(variantId, UNITS)
      const client = shop.client()
      const cart = await client.cartWith(variantId, 2)
      const releaseLock = await holdLock(shop, step.lock)
      const bought = buyWithRetries({ client, cartId: cart.id })
      await waitUntilBlocked(step, cart.id)
      await shop.shop.services[victim].kill('SIGKILL')
      await releaseLock()
      await shop.shop.services[victim].waitReady()

      const outcome = await bought
      if (outcome.kind !== 'order') throw new Error(`rejected: ${outcome.code}`)
      const { order } = outcome
      await waitFor('the payment', async () => {
        const { response } = await retryUntilAvailable(() => client.get(`/orders/${order.id}`))
        return Object(response.body).status === 'paid'
      })
      await waitFor('the cart to be closed', async () => (await client.get(`/carts/${cart.id}`)).status === 404)
      await expectShopBalanced(shop, units)
      expect(await unitsOrdered(shop, variantId)).toBe(2)
      await waitFor('order.paid', () => shop.receiver.received.find((event) => event['orderId'] === order.id))
    },
  )
}
