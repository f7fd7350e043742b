import type { Adapter } from '../adapter.ts'
import { check, itemsOf, listAt, objectAt, productAt, textAt, type Json } from '../replies.ts'
import { ADDRESS, buyable, failureOf, fails, type Steps } from './step.ts'

const PASSWORD = 'a long enough password'

export function account(shop: Adapter): Steps {
  const email = `ada-${Math.random().toString(36).slice(2)}@example.com`
  let address: Json = {}
  return [
    ['a visitor is not signed in', () => fails(() => shop.getMe(), 401, 'unauthenticated')],
    [
      'a password of six characters is rejected with a sentence for a person',
      () => registerWithShortPassword(shop, email),
    ],
    [
      'a customer registers',
      async () => void (await shop.register({ email, password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' })),
    ],
    [
      'a second account with the same address is rejected',
      () =>
        fails(() => shop.register({ email, password: PASSWORD, firstName: 'A', lastName: 'B' }), 409, 'email_taken'),
    ],
    [
      'a customer changes the account and saves an address',
      async () => {
        await shop.updateMe({ firstName: 'Augusta' })
        const { addresses } = await shop.saveAddress(ADDRESS)
        address = objectAt(listAt(addresses, 'addresses')[0], 'an address')
        const saved = await shop.saveAddress({ ...address, city: 'Bath' })
        check(JSON.stringify(saved).includes('Bath'), 'PATCH /me/addresses/:id', 'the whole customer', saved)
      },
    ],
    ['a customer saves a product and removes it', () => saveInWishlist(shop)],
    ['a customer buys and sees the order', () => buyAndListOrders(shop, email)],
    ['an address is deleted', async () => void (await shop.deleteAddress(textAt(address['id'], 'address.id')))],
    ['a customer signs out', async () => void (await shop.logout())],
    [
      'a wrong password is rejected',
      () => fails(() => shop.login({ email, password: 'wrong and long' }), 401, 'invalid_credentials'),
    ],
    [
      'a customer signs in again, and out',
      async () => {
        await shop.login({ email, password: PASSWORD })
        await shop.getMe()
        await shop.logout()
        await fails(() => shop.getMe(), 401, 'unauthenticated')
      },
    ],
  ]
}

async function registerWithShortPassword(shop: Adapter, email: string): Promise<void> {
  const failure = await failureOf(() => shop.register({ email, password: 'abc123', firstName: 'Ada', lastName: 'L' }))
  check(
    failure.status === 422 && /8 characters/.test(failure.message),
    'POST /auth/register',
    'a sentence',
    failure.message,
  )
}

async function saveInWishlist(shop: Adapter): Promise<void> {
  const [product] = itemsOf(await shop.listProducts({ per_page: 1 }), 'products')
  const slug = textAt(product?.['slug'], 'slug')
  await shop.addToWishlist(slug)
  const saved = await shop.getWishlist()
  productAt(saved[0], 'a saved product')
  await shop.removeFromWishlist(slug)
}

async function buyAndListOrders(shop: Adapter, email: string): Promise<void> {
  shop.dropCart()
  await shop.addToCart(await buyable(shop), 1)
  const { id } = await shop.checkout({ email, shippingAddress: ADDRESS, shippingMethod: 'express' })
  const orders = await shop.listOrders()
  check(
    orders.some((order) => order['id'] === id),
    'GET /orders',
    'the new order',
    orders.length,
  )
}
