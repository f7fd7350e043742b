import { beforeAll, expect, test } from 'vitest'
import { Cart, Order, type Product } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import type { TestShop } from '../support/shop.ts'
import type { TestClient } from '../support/test-client.ts'

const UNITS = 10

let shop: TestShop
let shirt: Product
let socks: Product

const variantOf = (product: Product) => product.variants[0]?.id ?? ''
const quantities = ({ lines }: Pick<Cart, 'lines'>) => lines.map((line) => [line.productSlug, line.quantity])
const cartOf = async (client: TestClient, id: string) => Cart.parse((await client.get(`/carts/${id}`)).body)

/** A customer with an account at home, and their phone, which is not signed in yet. */
async function atHomeAndOutside(email: string): Promise<{ home: TestClient; phone: TestClient }> {
  const [home, phone] = [shop.client(), shop.client()]
  await home.register(email)
  return { home, phone }
}

/** The tests of this file, with the shop that is open when they start. */
export function testCartsAtSignIn(opened: () => TestShop): void {
  beforeAll(async () => {
    shop = opened()
    shirt = await shop.stockProduct('merge-shirt', UNITS)
    socks = await shop.stockProduct('merge-socks', UNITS)
  })

  test('a guest cart is merged into that of the customer at sign-in, and keeps its id until the order', async () => {
    const { home, phone } = await atHomeAndOutside('merge@example.com')
    const own = await home.cartWith(variantOf(shirt), 1)
    const guest = await phone.cartWith(variantOf(shirt), 2)
    await phone.post(`/carts/${guest.id}/lines`, { variant_id: variantOf(socks), quantity: 1 })
    phone.token = home.token

    const merged = await cartOf(phone, guest.id)
    expect(merged.id).toBe(own.id)
    expect(quantities(merged)).toEqual([
      ['merge-shirt', 3],
      ['merge-socks', 1],
    ])
    // From now on both ids refer to the same cart, on both devices.
    for (const client of [home, phone]) {
      for (const id of [own.id, guest.id]) expect(await cartOf(client, id)).toEqual(merged)
    }
    expect((await phone.post('/carts', {})).body).toEqual(merged)
    const sock = merged.lines.find((line) => line.productSlug === 'merge-socks')
    const changed = await phone.call('PATCH', `/carts/${guest.id}/lines/${sock?.id}`, { quantity: 2 })
    expect(changed.body).toMatchObject({ id: own.id })
    expect(quantities(await cartOf(home, own.id))).toContainEqual(['merge-socks', 2])

    // No other customer has access to it, by either id.
    const outsider = shop.client()
    await outsider.register('outsider@example.com')
    for (const other of [outsider, shop.client()]) {
      for (const id of [own.id, guest.id]) {
        for (const response of [await other.get(`/carts/${id}`), await other.checkOut(id)]) {
          expect(response).toMatchObject({ status: 404, body: { code: 'cart_not_found' } })
        }
      }
    }

    // Concurrent checkouts with both ids make one order.
    const responses = await Promise.all([phone.checkOut(guest.id), home.checkOut(own.id), phone.checkOut(guest.id)])
    expect(responses.map(({ status, body }) => [status, Object(body).code])).toEqual(
      responses.map(() => [200, undefined]),
    )
    const orders = responses.map(({ body }) => Order.parse(body))
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
    expect(orders.map(quantities)).toEqual(
      orders.map(() => [
        ['merge-shirt', 3],
        ['merge-socks', 2],
      ]),
    )
    await waitFor('the cart to close', async () => (await phone.get(`/carts/${guest.id}`)).status === 404)
    for (const [client, id] of [
      [phone, guest.id],
      [home, own.id],
    ] as const) {
      expect((await client.checkOut(id)).body).toMatchObject({ id: orders[0]?.id })
    }
    expect((await home.get('/orders')).body).toMatchObject({ total: 1, items: [{ id: orders[0]?.id }] })
  })

  test('quantities are added up to the stock, and the discount code of the guest is kept', async () => {
    const code = { code: 'MERGED', kind: 'fixed', value: 500 }
    expect((await shop.admin.post('/admin/discounts', code)).status).toBe(200)
    const { home, phone } = await atHomeAndOutside('full@example.com')
    // The previous test bought three.
    const left = UNITS - 3
    await waitFor('the sale to be shown', async () => (await shop.client().inventory('merge-shirt')) === left)
    const own = await home.cartWith(variantOf(shirt), left - 1)
    const guest = await phone.cartWith(variantOf(shirt), left - 1)
    expect((await phone.post(`/carts/${guest.id}/discount`, { code: 'merged' })).status).toBe(200)
    phone.token = home.token
    const merged = Cart.parse((await phone.post(`/carts/${guest.id}/lines`, { variant_id: variantOf(socks) })).body)
    expect(merged.id).toBe(own.id)
    expect(quantities(merged)).toEqual([
      ['merge-shirt', left],
      ['merge-socks', 1],
    ])
    expect(merged).toMatchObject({ discountCode: { code: 'MERGED' }, discount: { amount: 500 } })
  })

  test('a guest cart becomes that of a customer who has none, with its own id', async () => {
    const client = shop.client()
    const guest = await client.cartWith(variantOf(socks), 1)
    await client.register('taken@example.com')
    expect(await cartOf(client, guest.id)).toEqual(guest)
    expect((await client.post('/carts', {})).body).toEqual(guest)
    client.token = undefined
    // After sign-out it is not accessible: the next customer at this browser gets a new cart.
    expect((await client.get(`/carts/${guest.id}`)).status).toBe(404)
  })

  test('a cart that was bought as a guest stays bought, and is not merged into that of the customer', async () => {
    const { home, phone } = await atHomeAndOutside('bought@example.com')
    const own = await home.cartWith(variantOf(socks), 1)
    const guest = await phone.cartWith(variantOf(socks), 1)
    const order = Order.parse((await phone.checkOut(guest.id)).body)
    phone.token = home.token
    expect((await phone.get(`/carts/${guest.id}`)).status).toBe(404)
    expect(quantities(await cartOf(phone, own.id))).toEqual([['merge-socks', 1]])
    // The session takes precedence over the browser, and the address of the order is not verified.
    expect((await phone.get(`/orders/${order.id}`)).status).toBe(404)
    phone.token = undefined
    expect((await phone.get(`/orders/${order.id}`)).status).toBe(200)
  })
}
