import { Order, type Product } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import type { TestShop } from './shop.ts'
import { ADDRESS, type TestClient } from './test-client.ts'

/**
 * Places an order that was paid at the merchant's own checkout.
 * @param wanted products, each with one variant, and how many of each
 */
export async function placePaidOrder(
  { admin, client }: Pick<TestShop, 'admin' | 'client'>,
  name: string,
  wanted: readonly (readonly [Product, number])[],
): Promise<Order> {
  const buyer = client()
  const [first, ...others] = wanted.map(([{ variants }, quantity]) => ({ variant_id: variants[0]?.id ?? '', quantity }))
  if (!first) throw new Error('an order has a line')
  const cart = await buyer.cartWith(first.variant_id, first.quantity)
  for (const line of others) await buyer.post(`/carts/${cart.id}/lines`, line)
  const { body } = await admin.post('/admin/orders', {
    cart_id: cart.id,
    email: 'buyer@example.com',
    shipping_address: { ...ADDRESS, name },
    shipping_method: 'standard',
    payment: { status: 'captured', provider: 'till' },
  })
  return Order.parse(body)
}

/** Waits until an order is paid. @param path of the order, for a customer or an admin */
export function waitForPayment(client: TestClient, path: string): Promise<Order> {
  return waitFor('the payment', async () => {
    const order = Order.parse((await client.get(path)).body)
    return order.status === 'paid' && order
  })
}

export async function readOrder({ admin }: Pick<TestShop, 'admin'>, id: string): Promise<Order> {
  return Order.parse((await admin.get(`/admin/orders/${id}`)).body)
}
