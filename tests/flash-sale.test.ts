import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Cart } from '@storefront/contracts'
import { expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { retryUntilAvailable } from './support/buyers.ts'
import { openShop, stopAfter, type TestShop } from './support/shop.ts'
import type { TestClient } from './support/test-client.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openShop()
})

afterAll(() => stopAfter(expectLedgerBalanced(shop), shop))

test('of forty buyers of seven units seven get an order, the others an error that names the product', async () => {
  const product = await shop.stockProduct('seven', 7)
  const variantId = product.variants[0]?.id ?? ''
  const carts: { client: TestClient; cart: Cart }[] = []
  // One after the other: only the checkouts compete for the units.
  for (let buyer = 0; buyer < 40; buyer++) {
    const client = shop.client()
    carts.push({ client, cart: await client.cartWith(variantId) })
  }
  // On a busy machine one of forty at the same moment may get a 503, and tries again.
  const checkOut = async ({ client, cart }: (typeof carts)[number]) =>
    (await retryUntilAvailable(() => client.checkOut(cart.id))).response
  const responses = await Promise.all(carts.map(checkOut))

  const rejected = responses.filter((response) => response.status !== 200)
  expect(responses).toHaveLength(40)
  expect(rejected).toHaveLength(33)
  for (const { status, body } of rejected) {
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'out_of_stock',
      message: expect.stringContaining('Shirt seven'),
      requestId: expect.any(String),
      detail: { lines: [{ variantId, title: 'Shirt seven', options: { Size: 'M' }, wanted: 1, available: 0 }] },
    })
  }
  const [orders] = await shop.sql<{ count: number }>(
    `select count(*)::int as count from orders.orders where document->'lines'->0->>'variantId' = $1`,
    [variantId],
  )
  expect(orders?.count).toBe(7)
  await waitFor('the sales', async () => {
    const [row] = await shop.sql<{ on_hand: number; reserved: number }>(
      'select on_hand, reserved from catalog.stock where variant_id = $1',
      [variantId],
    )
    return row?.on_hand === 0 && row.reserved === 0
  })
  await expectLedgerBalanced(shop)
})

test('one cart checked out eight times at once becomes one order, which the browser can open', async () => {
  const product = await shop.stockProduct('eight', 20)
  const client = shop.client()
  const cart = await client.cartWith(product.variants[0]?.id ?? '', 2)
  const checkOut = async () => (await retryUntilAvailable(() => client.checkOut(cart.id))).response
  const responses = await Promise.all(Array.from({ length: 8 }, checkOut))
  expect(responses.map((response) => response.status)).toEqual(Array.from({ length: 8 }, () => 200))
  const ids = new Set(responses.map(({ body }) => JSON.stringify(body).match(/order_[0-9a-f]+/)?.[0]))
  expect(ids.size).toBe(1)
  const [id] = ids
  expect((await client.get(`/orders/${id}`)).status).toBe(200)
  await waitFor('the stock', async () => (await client.inventory('eight')) === 18)
  const again = await client.checkOut(cart.id)
  expect(again.body).toMatchObject({ id })
  expect((await shop.client().checkOut(cart.id)).status).toBe(404)
  await expectLedgerBalanced(shop)
})
