import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openShopOfProcesses()
})

afterAll(async () => {
  try {
    await expectLedgerBalanced(shop)
  } finally {
    await shop.stop()
  }
})

test('forty shoppers want one of seven: seven get an order, the others hear what is missing', async () => {
  const product = await shop.stockProduct('seven', 7)
  const variantId = product.variants[0]?.id ?? ''
  const carts = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const visitor = shop.visitor()
      return { visitor, cart: await visitor.cartWith(variantId) }
    }),
  )
  const answers = await Promise.all(carts.map(({ visitor, cart }) => visitor.checkOut(cart.id)))

  const refused = answers.filter((answer) => answer.status !== 200)
  expect(answers).toHaveLength(40)
  expect(refused).toHaveLength(33)
  for (const { status, body } of refused) {
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

test('one cart checked out eight times at once is one order, and the browser may open it', async () => {
  const product = await shop.stockProduct('eight', 20)
  const visitor = shop.visitor()
  const cart = await visitor.cartWith(product.variants[0]?.id ?? '', 2)
  const answers = await Promise.all(Array.from({ length: 8 }, () => visitor.checkOut(cart.id)))
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 200))
  const ids = new Set(answers.map(({ body }) => JSON.stringify(body).match(/order_[0-9a-f]+/)?.[0]))
  expect(ids.size).toBe(1)
  const [id] = ids
  expect((await visitor.get(`/orders/${id}`)).status).toBe(200)
  await waitFor('the stock', async () => (await visitor.inventory('eight')) === 18)
  const again = await visitor.checkOut(cart.id)
  expect(again.body).toMatchObject({ id })
  expect((await shop.visitor().checkOut(cart.id)).status).toBe(404)
  await expectLedgerBalanced(shop)
})
