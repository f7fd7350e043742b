import { afterAll, beforeAll, expect, test } from 'vitest'
import { amount, waitFor } from '@storefront/tools/testing'
import { expectShopBalanced } from './support/shop-balance.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'
import { goShopping } from './support/shopping.ts'

const UNITS = 100_000
/** Of orders both. A gateway that dies takes its connections along: compose.test.ts. */
const KILLED = ['orders', 'cart', 'catalog', 'identity', 'notifier', 'orders'] as const

let shop: TestShop

beforeAll(async () => {
  shop = await openShopOfProcesses({ replicas: { catalog: 2, cart: 2, orders: 2, identity: 2, notifier: 2 } })
})

afterAll(() => shop.stop())

test('copies are killed in turn under load: no request fails and none is done twice', async () => {
  const product = await shop.stockProduct('killed', UNITS)
  const variantId = product.variants[0]?.id ?? ''
  const { linesAbout } = shop
  const shopping = goShopping({
    url: shop.shop.url,
    variantId,
    slug: 'killed',
    shoppers: 3,
    pauseMs: amount({ quick: 80, long: 0 }),
    linesAbout,
  })
  // Somebody who registers while identity dies is told to try again: nobody may register him twice.
  await waitFor('everybody to have bought something', () => shopping.orders.length > 3)
  for (const [kill, name] of KILLED.entries()) {
    const before = shopping.orders.length
    await waitFor('more orders', () => shopping.orders.length > before + 2)
    const replica = shop.shop.replicas[name][kill < 5 ? 0 : 1]
    await replica?.kill('SIGKILL')
    await replica?.waitReady()
  }
  await shopping.stop()
  expect(shopping.failures).toEqual([])
  await expectShopBalanced(shop, new Map([[variantId, UNITS]]))
})
