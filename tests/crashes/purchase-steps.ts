import { beforeAll, describe, expect, test } from 'vitest'
import type { ServiceName } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { expectShopBalanced, unitsOrdered } from '../support/shop-balance.ts'
import { buyWithRetries, retryUntilAvailable, type Outcome } from '../support/buyers.ts'
import type { TestShop } from '../support/shop.ts'
import type { TestClient } from '../support/test-client.ts'
import { crashAtSteps, type StepToReach } from './crash-at-steps.ts'

interface Step {
  name: string
  /** A service that reaches this step is blocked while this lock is held. */
  lock: string
  /** The service whose connection waits for it. */
  waiting: ServiceName
  /** Whether the order exists when the step is reached, which is retried until the lock is free. */
  isOrdered?: true
}

// The writes of a purchase in their order. The time before a step is the time after the previous one.
const QUOTE: Step = { name: 'the quote', lock: 'lock table cart.carts in access exclusive mode', waiting: 'cart' }
const RESERVATION: Step = {
  name: 'the reservation',
  lock: 'lock table catalog.reservations in access exclusive mode',
  waiting: 'catalog',
}
const ORDER: Step = { name: 'the order', lock: 'lock table orders.claims in exclusive mode', waiting: 'orders' }
const PUBLICATION: Step = {
  name: 'the publication of its events',
  lock: `select pg_advisory_xact_lock(hashtext('relay'), hashtext('orders'))`,
  waiting: 'orders',
  isOrdered: true,
}
const SALE: Step = {
  name: 'the sale',
  lock: 'lock table catalog.inbox in access exclusive mode',
  waiting: 'catalog',
}
const PAYMENT: Step = {
  name: 'the payment',
  lock: 'lock table orders.inbox in access exclusive mode',
  waiting: 'orders',
}
const CLOSING: Step = {
  name: 'the closing of the cart',
  lock: 'lock table cart.inbox in access exclusive mode',
  waiting: 'cart',
}

interface Crash {
  victim: ServiceName
  /** The last one first. A purchase waits at each of them. */
  steps: readonly Step[]
}

const CRASHES: readonly Crash[] = [
  { victim: 'gateway', steps: [QUOTE] },
  { victim: 'cart', steps: [CLOSING, ORDER, QUOTE] },
  { victim: 'catalog', steps: [PAYMENT, SALE, ORDER, RESERVATION] },
  { victim: 'orders', steps: [PAYMENT, SALE, PUBLICATION, ORDER, RESERVATION] },
  // A reservation waits for a tenth of a second only, and its next attempt would wait at the quote.
  { victim: 'orders', steps: [QUOTE] },
]
/** Each purchase alone, so that no event of another one can wake what it waits for. */
const ALONE = CRASHES.flatMap(({ victim, steps }) => steps.map((step) => ({ victim, steps: [step] })))

/** Of each purchase. */
const UNITS = 2

let shop: TestShop
const units = new Map<string, number>()
let round = 0

/** The tests of this file, with the shop that is open when they start. @param alone whether each has its own crash */
export function testPurchaseSteps(openShop: () => TestShop, alone: boolean): void {
  beforeAll(() => {
    shop = openShop()
  })
  for (const crash of alone ? ALONE : CRASHES) {
    describe(`a crash of ${crash.victim}`, () => {
      testCrash(crash)
    })
  }
}

/** A buyer of two units, who retries. */
class Purchase {
  readonly client: TestClient
  readonly cartId: string
  #outcome: Promise<Outcome> | undefined

  constructor(client: TestClient, cartId: string) {
    this.client = client
    this.cartId = cartId
  }

  begin(): void {
    this.#outcome = buyWithRetries(this)
  }

  async isOrdered(): Promise<boolean> {
    return (await shop.sql('select 1 from orders.orders where cart_id = $1', [this.cartId])).length > 0
  }

  async expectComplete(): Promise<void> {
    const outcome = await this.#outcome
    if (outcome?.kind !== 'order') throw new Error(`rejected: ${outcome?.code}`)
    const { id } = outcome.order
    await waitFor('the payment', async () => {
      const { response } = await retryUntilAvailable(() => this.client.get(`/orders/${id}`))
      return Object(response.body).status === 'paid'
    })
    await waitFor('the cart to be closed', async () => (await this.client.get(`/carts/${this.cartId}`)).status === 404)
    await waitFor('order.paid', () => shop.receiver.received.find((event) => event['orderId'] === id))
    expect(await shop.sql('select status from orders.orders where cart_id = $1', [this.cartId])).toEqual([
      { status: 'paid' },
    ])
  }
}

function testCrash({ victim, steps }: Crash): void {
  const purchases: Purchase[] = []
  let variantId = ''

  beforeAll(async () => {
    const stocked = UNITS * (steps.length + 1)
    const product = await shop.stockProduct(`saga-${round++}`, stocked)
    variantId = product.variants[0]?.id ?? ''
    units.set(variantId, stocked)
    const toReach: StepToReach[] = []
    for (const { isOrdered, ...step } of steps) {
      const client = shop.client()
      const purchase = new Purchase(client, (await client.cartWith(variantId, UNITS)).id)
      purchases.push(purchase)
      toReach.push({
        ...step,
        begin: () => purchase.begin(),
        isReached: isOrdered && (() => purchase.isOrdered()),
      })
    }
    await crashAtSteps(shop, victim, toReach)
  })

  for (const [index, { name }] of steps.entries()) {
    test(`a purchase is completed once although ${victim} is killed at ${name}`, async () => {
      await purchases[index]?.expectComplete()
      expect(purchases).toHaveLength(steps.length)
    })
  }

  test('each unit of these purchases is sold once', async () => {
    await expectShopBalanced(shop, units)
    expect(await unitsOrdered(shop, variantId)).toBe(UNITS * steps.length)
  })
}
