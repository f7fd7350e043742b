import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cart, Order, type Product } from '@storefront/contracts'
import { amount, waitFor } from '@storefront/tools/testing'
import { expectShopBalanced, unitsOrdered } from './support/shop-balance.ts'
import { holdLock } from './support/hold-lock.ts'
import { openShop, stopAfter, type TestShop } from './support/shop.ts'
import type { TestResponse, TestClient } from './support/test-client.ts'

const UNITS = 500
const ROUNDS = amount({ quick: 6, long: 100 })

let shop: TestShop
let shirt: Product
let socks: Product
let buyers = 0

beforeAll(async () => {
  shop = await openShop()
  shirt = await shop.stockProduct('once-shirt', UNITS)
  socks = await shop.stockProduct('once-socks', UNITS)
})

afterAll(() => stopAfter(expectShopBalanced(shop), shop))

const variantOf = (product: Product) => product.variants[0]?.id ?? ''
const codeOf = ({ status, body }: TestResponse) => [status, status === 200 ? 'order' : Object(body).code]
const quantities = ({ lines }: Pick<Cart, 'lines'>) => lines.map((line) => [line.productSlug, line.quantity])

/** A customer with socks in their cart at home, and a guest cart with a shirt on their phone. */
async function customerWithTwoCarts() {
  const [home, guest, phone] = [shop.client(), shop.client(), shop.client()]
  await home.register(`once${buyers++}@example.com`)
  const own = await home.cartWith(variantOf(socks), 1)
  const guestCart = await guest.cartWith(variantOf(shirt), 2)
  phone.token = home.token
  return { home, guest, phone, own, guestCart }
}

const ordersOf = async (lineId: string) =>
  shop.sql<{ id: string }>(
    `select id from orders.orders, jsonb_array_elements(document->'lines') as line where line->>'id' = $1`,
    [lineId],
  )

/** Waits until this many guest checkouts have quote and goods, and wait for the lock of their cart. */
async function waitForPlacement(count: number): Promise<void> {
  await waitFor('a checkout that waits for the lock of its cart', async () => {
    const [row] = await shop.sql<{ waiting: number }>(
      `select count(*)::int as waiting from pg_locks
       where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return row?.waiting === count
  })
}

async function expectNothingBoughtIn(client: TestClient, lineId: string): Promise<Cart> {
  return waitFor('a cart without the bought goods', async () => {
    const cart = Cart.parse((await client.post('/carts', {})).body)
    return cart.lines.some((line) => line.id === lineId || line.productSlug === 'once-shirt') ? undefined : cart
  })
}

test('goods of a guest cart that is merged during its checkout are sold once, and leave the cart', async () => {
  const before = await unitsOrdered(shop, variantOf(shirt))
  const { home, guest, phone, own, guestCart } = await customerWithTwoCarts()
  const line = guestCart.lines[0]?.id ?? ''
  const release = await holdLock(shop, `select pg_advisory_xact_lock(hashtext('cart'), hashtext('${guestCart.id}'))`)
  const first = guest.checkOut(guestCart.id)
  await waitForPlacement(1)
  const merged = Cart.parse((await phone.get(`/carts/${guestCart.id}`)).body)
  expect([merged.id, quantities(merged)]).toEqual([
    own.id,
    [
      ['once-socks', 1],
      ['once-shirt', 2],
    ],
  ])
  const second = home.checkOut(own.id)
  await waitForPlacement(2)
  await release()

  const order = Order.parse((await first).body)
  expect(quantities(order)).toEqual([['once-shirt', 2]])
  expect(codeOf(await second)).toEqual([409, 'conflict'])
  expect(await ordersOf(line)).toEqual([{ id: order.id }])
  expect((await unitsOrdered(shop, variantOf(shirt))) - before).toBe(2)
  // The lines that were not bought can still be bought.
  expect(quantities(await expectNothingBoughtIn(home, line))).toEqual([['once-socks', 1]])
  const rest = Order.parse((await home.checkOut(own.id)).body)
  expect(quantities(rest)).toEqual([['once-socks', 1]])
})

test('units that are added to a bought line after the merge can be bought', async () => {
  const { home, guest, phone, own, guestCart } = await customerWithTwoCarts()
  const line = guestCart.lines[0]?.id ?? ''
  const release = await holdLock(shop, `select pg_advisory_xact_lock(hashtext('cart'), hashtext('${guestCart.id}'))`)
  const first = guest.checkOut(guestCart.id)
  await waitForPlacement(1)
  await phone.get(`/carts/${guestCart.id}`)
  await home.call('PATCH', `/carts/${own.id}/lines/${line}`, { quantity: 5 })
  await release()
  expect((await first).status).toBe(200)
  const rest = await waitFor('a cart without the bought goods', async () => {
    const cart = Cart.parse((await home.get(`/carts/${own.id}`)).body)
    return quantities(cart).some(([slug, quantity]) => slug === 'once-shirt' && quantity === 3) ? cart : undefined
  })
  expect(rest.lines.map(({ id }) => id)).not.toContain(line)
  const order = Order.parse((await home.checkOut(own.id)).body)
  expect(quantities(order)).toEqual([
    ['once-socks', 1],
    ['once-shirt', 3],
  ])
})

test('a guest checkout, a merge and a checkout of the customer at once sell each line only once', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { home, guest, phone, own, guestCart } = await customerWithTwoCarts()
    const line = guestCart.lines[0]?.id ?? ''
    const [asGuest, , asCustomer] = await Promise.all([
      guest.checkOut(guestCart.id),
      phone.get(`/carts/${guestCart.id}`),
      home.checkOut(own.id),
    ])
    for (const response of [asGuest, asCustomer])
      expect([
        [200, 'order'],
        [404, 'cart_not_found'],
        [409, 'conflict'],
      ]).toContainEqual(codeOf(response))
    const sold = await ordersOf(line)
    expect(sold.length).toBeLessThanOrEqual(1)
    if (sold.length === 1) await expectNothingBoughtIn(home, line)
  }
})
