import { sendRequest, type Messaging } from '@storefront/messaging'
import { Address, newId, QuoteCart, type Quote } from '@storefront/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDiscount } from './discounts.ts'
import { rejectionOf } from './orders.ts'
import { createShop, usd, type Shop } from './shop.ts'

const COMMERCE = {
  shippingMethods: [
    { id: 'standard', price: usd(600) },
    { id: 'express', price: usd(1500) },
  ],
  countries: ['US'],
  freeShippingOver: 20_000,
  tax: {
    defaultRate: 0,
    rates: [{ country: 'US', region: 'CA', rate: 800 }],
    pricesIncludeTax: false,
    shippingTaxed: true,
  },
}
const CALIFORNIA = { name: 'Ada', line1: '1 Way', city: 'LA', region: 'CA', postalCode: '90001', country: 'US' }
const GOODS = { var_m: 2, var_l: 1 }

let shop: Shop
let orders: Messaging
let draftId: string

beforeAll(async () => {
  shop = await createShop()
  orders = await shop.suite.openMessaging('orders')
  await addDiscount(shop, 'TENOFF', { usageLimit: 1 })
  await addDiscount(shop, 'ONCE', { perCustomerLimit: 1 })
})
afterAll(() => shop.stop())

beforeEach(async () => {
  draftId = newId('draftOrder')
  await shop.shelf.put('var_m', { price: usd(4000), published: true, title: 'Linen shirt', inventory: 5 })
  await shop.shelf.put('var_l', { price: usd(5000), published: true, title: 'Wool coat', inventory: 5 })
  await shop.shelf.configure({ commerce: COMMERCE, checkoutMode: 'demo', numberPrefix: 'SF-' })
})

const linesOf = (goods: Record<string, number>) =>
  Object.entries(goods).map(([variantId, quantity]) => ({ id: newId('line'), variantId, quantity }))

interface Sale {
  email?: string
  goods?: Record<string, number>
  discountCode?: string
  hold?: { email: string; ttlSeconds: number }
}

function quoteGoods({ goods = GOODS, discountCode, hold, email }: Sale = {}): Promise<Quote> {
  return sendRequest(orders, QuoteCart, {
    cartId: draftId,
    address: Address.parse(CALIFORNIA),
    shippingMethod: 'express',
    goods: { lines: linesOf(goods), ...(discountCode !== undefined && { discountCode }) },
    ...(hold && { hold }),
    ...(email !== undefined && { email }),
  })
}

async function quoteCartWith({ goods = GOODS, discountCode }: Sale = {}): Promise<Quote> {
  const cart = await shop.cartWith(goods)
  if (discountCode !== undefined) await shop.call('POST', `/carts/${cart.id}/discount`, { code: discountCode })
  const address = Address.parse(CALIFORNIA)
  return sendRequest(orders, QuoteCart, { cartId: cart.id, address, shippingMethod: 'express' })
}

/** A quote without the ids of what was quoted. */
function amountsOf({ lines, cartId: _cartId, ...quote }: Quote) {
  return { ...quote, lines: lines.map(({ id: _id, ...line }) => line) }
}

test('goods without a cart cost the same as in a cart, with tax, shipping and discount', async () => {
  const quote = await quoteGoods({ discountCode: 'TENOFF' })
  expect(quote).toMatchObject({ cartId: draftId, discount: usd(1300), shipping: usd(1500), total: usd(14_256) })
  expect(amountsOf(quote)).toEqual(amountsOf(await quoteCartWith({ discountCode: 'TENOFF' })))
  expect(amountsOf(await quoteGoods())).toEqual(amountsOf(await quoteCartWith()))
})

test('a discount redemption is held for the goods, and no other checkout gets it', async () => {
  const hold = { email: 'ada@mail.example', ttlSeconds: 60 }
  const { discountClaim } = await quoteGoods({ discountCode: 'TENOFF', hold })
  expect(discountClaim).toEqual(expect.any(String))
  expect((await quoteGoods({ discountCode: 'TENOFF', hold })).discountClaim).toBe(discountClaim)
  draftId = newId('draftOrder')
  await expect(quoteGoods({ discountCode: 'TENOFF', hold })).rejects.toMatchObject({ code: 'invalid_discount' })
})

test('a code that the mailbox has used is rejected before anything is held', async () => {
  const hold = { email: 'ada@mail.example', ttlSeconds: 60 }
  await quoteGoods({ discountCode: 'ONCE', hold })
  // The goods that have the redemption keep it.
  expect(await quoteGoods({ discountCode: 'ONCE', email: 'ada@mail.example' })).toMatchObject({ discount: usd(1300) })
  draftId = newId('draftOrder')
  const again = quoteGoods({ discountCode: 'ONCE', email: 'Ada+desk@mail.example' })
  await expect(again).rejects.toMatchObject({ code: 'invalid_discount', detail: { reason: 'used_before' } })
  expect(await quoteGoods({ discountCode: 'ONCE', email: 'bea@mail.example' })).toMatchObject({ discount: usd(1300) })
})

test('unknown goods, withdrawn goods, no goods and an unknown code are rejected', async () => {
  const codeFor = async (sale: Sale) => (await rejectionOf(quoteGoods(sale))).code
  expect(await codeFor({ goods: { var_none: 1 } })).toBe('variant_not_found')
  expect(await codeFor({ goods: {} })).toBe('empty_cart')
  expect(await codeFor({ discountCode: 'NOTHING' })).toBe('invalid_discount')
  await shop.shelf.put('var_m', { published: false })
  await expect(quoteGoods()).rejects.toMatchObject({
    code: 'out_of_stock',
    message: 'Linen shirt is not for sale at the moment.',
  })
  await shop.shelf.put('var_l', { inventory: 1 })
  await expect(quoteGoods({ goods: { var_m: 2, var_l: 3 } })).rejects.toMatchObject({
    code: 'out_of_stock',
    message: '2 items are not for sale in that quantity at the moment.',
    detail: {
      lines: [
        { variantId: 'var_m', available: 0 },
        { variantId: 'var_l', wanted: 3, available: 1 },
      ],
    },
  })
})
