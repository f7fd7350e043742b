import { afterAll, beforeAll, expect, test } from 'vitest'
import { amount, waitFor } from '@storefront/tools/testing'
import { expectShopBalanced } from './support/shop-balance.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'
import { goShopping } from './support/shopping.ts'

const UNITS = 100_000
/** Both replicas of orders are killed. A gateway that is killed drops its connections: compose.test.ts tests that. */
const KILLED = ['orders', 'cart', 'catalog', 'identity', 'notifier', 'orders'] as const

let shop: TestShop

beforeAll(async () => {
  shop = await openShopOfProcesses({ replicas: { catalog: 2, cart: 2, orders: 2, identity: 2, notifier: 2 } })
})

afterAll(() => shop.stop())

test('no request fails or is executed twice while replicas are killed in turn under load', async () => {
  const product = await shop.stockProduct('killed', UNITS)
  const variantId = product.variants[0]?.id ?? ''
  const { linesAbout } = shop
  const shopping = goShopping({
    url: shop.shop.url,
    variantId,
    slug: 'killed',
    shoppers: 3,
    pauseMs: amount({ quick: 150, long: 0 }),
    linesAbout,
  })
  // A registration during the crash of identity may fail, because it must not be retried: so all shoppers register
  // first.
  await waitFor('every shopper to have bought something', () => shopping.orders.length > 3)
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
