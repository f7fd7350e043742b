import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '@storefront/tools/testing'
import { expectBooksBalanced } from './support/books.ts'
import { openShop, type TestShop } from './support/shop.ts'
import { goShopping } from './support/shopping.ts'

const UNITS = 100_000
const KILLS = 4

let shop: TestShop

beforeAll(async () => {
  shop = await openShop({ copies: { cart: 2 } })
})

afterAll(() => shop.stop())

test('copies of cart are killed in turn under load: no request fails and none is done twice', async () => {
  const product = await shop.stockProduct('killed', UNITS)
  const variantId = product.variants[0]?.id ?? ''
  const shopping = goShopping({ url: shop.shop.url, variantId, slug: 'killed', shoppers: 6 })
  for (let kill = 0; kill < KILLS; kill++) {
    const before = shopping.answered()
    await waitFor('more answers', () => shopping.answered() > before + 20)
    const copy = shop.shop.copies.cart[kill % 2]
    await copy?.kill('SIGKILL')
    await copy?.waitReady()
  }
  await shopping.stop()
  expect(shopping.failures).toEqual([])
  expect(shopping.orders.length).toBeGreaterThan(0)
  await expectBooksBalanced(shop, new Map([[variantId, UNITS]]))
})
