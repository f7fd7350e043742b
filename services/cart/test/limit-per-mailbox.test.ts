import { createHash } from 'node:crypto'
import { readConfig } from '@storefront/service'
import type { Messaging } from '@storefront/messaging'
import { CustomerDeleted } from '@storefront/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CartConfig } from '../src/config.ts'
import { createBuyerHasher } from '../src/discounts/buyer-hash.ts'
import { startCart } from '../src/start.ts'
import { addDiscount, cartWithDiscount } from './discounts.ts'
import { consumed, publishEvent } from './events.ts'
import { simulateOrders, rejectionOf, type Orders } from './orders.ts'
import { cartOf, createShop, type Shop } from './shop.ts'

const PREVIOUS_KEY = 'the key of buyers before'
const USED_BEFORE = { status: 422, code: 'invalid_discount', detail: { reason: 'used_before' } }

let shop: Shop
let orders: Orders
let identity: Messaging

beforeAll(async () => {
  shop = await createShop({ env: { BUYER_HASH_KEY_PREVIOUS: PREVIOUS_KEY } })
  await shop.shelf.put('var_m')
  orders = await simulateOrders(shop)
  identity = await shop.suite.openMessaging('identity')
})
afterAll(() => shop.stop())

const as = (customerId: string) => shop.suite.headers.customer(customerId)

const discount = (code: string) => addDiscount(shop, code, { perCustomerLimit: 1 })

const cartWithCode = (code: string, headers?: object) => cartWithDiscount(shop, code, headers)

/** Redeems a code as a checkout does that becomes an order. */
async function redeem(code: string, email: string, customerId?: string): Promise<void> {
  const headers = customerId === undefined ? undefined : as(customerId)
  const id = await cartWithCode(code, headers)
  const { discountClaim } = await orders.hold(id, { email, ...(headers && { headers }) })
  await orders.placed(id, discountClaim, { email, ...(customerId !== undefined && { customerId }) })
}

const deleteCustomer = async (customerId: string) =>
  consumed(shop, await publishEvent(identity, CustomerDeleted, { customerId }))

/** A redemption as the previous version stored it, or one of another key. */
async function storeRedemption(code: string, columns: { digest: Buffer | null; hash: Buffer | null }): Promise<void> {
  await shop.suite.sql(
    `insert into cart.discount_redemptions
       (id, generation, discount_id, code, cart_id, email_digest, buyer_hash, status, held_at, expires_at)
     select 'use_' || md5($1), 1, id, code, 'cart_of_' || $1, $2, $3, 'used', now(), now() from cart.discounts where code = $1`,
    [code, columns.digest, columns.hash],
  )
  await shop.suite.sql('update cart.discounts set used = used + 1 where code = $1', [code])
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

describe('the limit per customer of a discount', () => {
  test('applies after the account was deleted: to the next account, to a guest, and to an address with a plus', async () => {
    const code = await discount('AGAIN')
    await redeem(code, 'ada@mail.example', 'cus_first')
    await deleteCustomer('cus_first')
    const next = await cartWithCode(code, as('cus_second'))
    const asSecond = { headers: as('cus_second') }
    expect(await rejectionOf(orders.hold(next, { email: 'Ada@mail.example', ...asSecond }))).toMatchObject(USED_BEFORE)
    const guest = await cartWithCode(code)
    expect(await rejectionOf(orders.hold(guest, { email: 'ada+more@mail.example' }))).toMatchObject(USED_BEFORE)
    expect(await orders.hold(guest, { email: 'bea@mail.example' })).toHaveProperty('discountClaim')
  })

  test('leaves the account out of an order whose event comes after its deletion', async () => {
    const code = await discount('LATE')
    const id = await cartWithCode(code, as('cus_late'))
    const { discountClaim } = await orders.hold(id, { email: 'late@mail.example', headers: as('cus_late') })
    await deleteCustomer('cus_late')
    await orders.placed(id, discountClaim, { email: 'late@mail.example', customerId: 'cus_late' })
    const redemption = 'select status, customer_id from cart.discount_redemptions where code = $1'
    expect(await shop.suite.sql(redemption, [code])).toEqual([{ status: 'used', customer_id: null }])
    const guest = await cartWithCode(code)
    expect(await rejectionOf(orders.hold(guest, { email: 'late@mail.example' }))).toMatchObject(USED_BEFORE)
  })

  test('counts a guest and an account together, whichever comes first', async () => {
    const code = await discount('BOTH')
    await redeem(code, 'carl@mail.example')
    const cart = await cartWithCode(code, as('cus_carl'))
    const holding = { email: 'carl@mail.example', headers: as('cus_carl') }
    expect(await rejectionOf(orders.hold(cart, holding))).toMatchObject(USED_BEFORE)
  })

  test('counts the account of a customer who has another open cart than the guest cart that is sold', async () => {
    const code = await discount('BESIDE')
    await redeem(code, 'bo@mail.example', 'cus_bo')
    await shop.cartWith({ var_m: 1 }, as('cus_bo'))
    const guest = await cartWithCode(code)
    const holding = { email: 'bo.at.work@mail.example', headers: as('cus_bo') }
    expect(await rejectionOf(orders.hold(guest, holding))).toMatchObject(USED_BEFORE)
  })

  test('rejects each checkout until the cart is read or changed, which removes the code; it can be set again', async () => {
    const code = await discount('STAYS')
    await redeem(code, 'cy@mail.example')
    const cart = await cartWithCode(code)
    const rejected = async () =>
      expect(await rejectionOf(orders.hold(cart, { email: 'cy@mail.example' }))).toMatchObject(USED_BEFORE)
    await rejected()
    await rejected()
    expect(cartOf(await shop.call('GET', `/carts/${cart}`))).not.toHaveProperty('discountCode')
    expect(await orders.hold(cart, { email: 'cy@mail.example' })).not.toHaveProperty('discountClaim')
    const body = { code }
    cartOf(await shop.call('POST', `/carts/${cart}/discount`, body))
    expect(cartOf(await shop.call('GET', `/carts/${cart}`))).toHaveProperty('discountCode')
    await rejected()
    const changed = cartOf(await shop.call('POST', `/carts/${cart}/lines`, { variant_id: 'var_m', quantity: 1 }))
    expect(changed).not.toHaveProperty('discountCode')
  })

  test('stores neither an address nor a digest that could be found by trying addresses', async () => {
    const code = await discount('NAMELESS')
    await redeem(code, 'dora@mail.example', 'cus_dora')
    await deleteCustomer('cus_dora')
    const rows = await shop.suite.sql('select u::text as row from cart.discount_redemptions u where code = $1', [code])
    const text = JSON.stringify(rows)
    expect(text).not.toContain('dora')
    expect(text).not.toContain(sha256('dora@mail.example').toString('hex'))
  })

  test('counts redemptions of previous versions, and replaces their digests when cart starts', async () => {
    const code = await discount('OLD')
    await storeRedemption(code, { digest: sha256('old@mail.example'), hash: null })
    const cart = await cartWithCode(code)
    expect(await rejectionOf(orders.hold(cart, { email: 'old@mail.example' }))).toMatchObject(USED_BEFORE)
    const replica = await startCart(readConfig(CartConfig, { ...shop.suite.env('cart'), PORT: '0' }), shop.suite.log)
    await replica.stop()
    const digests = 'select 1 from cart.discount_redemptions where code = $1 and email_digest is not null'
    expect(await shop.suite.sql(digests, [code])).toEqual([])
    expect(await rejectionOf(orders.hold(cart, { email: 'old+x@mail.example' }))).toMatchObject(USED_BEFORE)
  })

  test('counts what was redeemed under the previous key', async () => {
    const code = await discount('ROTATED')
    const hash = createBuyerHasher(PREVIOUS_KEY).ofDigest(sha256('eve@mail.example'))
    await storeRedemption(code, { digest: null, hash })
    const cart = await cartWithCode(code)
    expect(await rejectionOf(orders.hold(cart, { email: 'eve@mail.example' }))).toMatchObject(USED_BEFORE)
    expect(await orders.hold(cart, { email: 'fay@mail.example' })).toHaveProperty('discountClaim')
  })
})
