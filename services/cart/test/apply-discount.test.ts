import { manualClock } from '@storefront/service/testing'
import type { DiscountInput } from '@storefront/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDiscount } from './discounts.ts'
import { cartOf, contentOf, createShop, errorOf, usd, type Shop } from './shop.ts'

const DAY_MS = 24 * 3600 * 1000
const clock = manualClock(new Date())
let shop: Shop

beforeAll(async () => {
  shop = await createShop({ clock })
})
afterAll(() => shop.stop())

beforeEach(async () => {
  await shop.shelf.put('var_m', { price: usd(4000), published: true, categories: ['shirts'] })
  await shop.shelf.put('var_l', { price: usd(5000), published: true, categories: ['coats'], productSlug: 'wool-coat' })
  await shop.shelf.configure({ commerce: {} })
})

let counter = 0

/** Writes a discount with a code of its own. */
const discount = (change?: Partial<DiscountInput>) => addDiscount(shop, `SAVE${++counter}`, change)

const change = (code: string, body: object) =>
  shop.call('PATCH', `/admin/discounts/${code}`, body, shop.suite.headers.admin(['discounts:write']))
const get = async (id: string, headers?: object) => cartOf(await shop.call('GET', `/carts/${id}`, undefined, headers))
const apply = (id: string, code: string, headers?: object) =>
  shop.call('POST', `/carts/${id}/discount`, { code }, headers)

describe('a discount code of a cart', () => {
  test('returns the whole cart at its new price, and so does every later read', async () => {
    const code = await discount({ label: 'Summer' })
    const { id } = await shop.cartWith({ var_m: 2 })
    const applied = cartOf(await apply(id, code))
    expect(applied).toMatchObject({
      id,
      subtotal: usd(8000),
      discount: usd(800),
      total: usd(7200),
      discountCode: { code, label: 'Summer' },
    })
    expect(await get(id)).toEqual(applied)
    const more = cartOf(await shop.call('POST', `/carts/${id}/lines`, { variant_id: 'var_l', quantity: 1 }))
    expect(more).toMatchObject({ discount: usd(1300), discountCode: { code } })
  })

  test('without conditions stays while the cart is empty', async () => {
    const code = await discount()
    const { id, lines } = await shop.cartWith({ var_m: 1 })
    cartOf(await apply(id, code))
    const empty = cartOf(await shop.call('DELETE', `/carts/${id}/lines/${lines[0]?.id}`))
    expect(empty).toMatchObject({ lines: [], discount: usd(0), total: usd(0), discountCode: { code } })
    const filled = cartOf(await shop.call('POST', `/carts/${id}/lines`, { variant_id: 'var_l', quantity: 1 }))
    expect(filled).toMatchObject({ discount: usd(500), discountCode: { code } })
  })

  test('is found in any case and with white space around it', async () => {
    const code = await discount()
    const { id } = await shop.cartWith({ var_m: 1 })
    expect(cartOf(await apply(id, `  ${code.toLowerCase()}\t`)).discountCode?.code).toBe(code)
  })

  test('replaces the previous one, and an empty one removes it', async () => {
    const [first, second] = [await discount(), await discount({ kind: 'fixed', value: 500 })]
    const { id } = await shop.cartWith({ var_m: 1 })
    await apply(id, first)
    expect(cartOf(await apply(id, second))).toMatchObject({ discount: usd(500), discountCode: { code: second } })
    for (const empty of ['', '   ']) {
      const cleared = cartOf(await apply(id, empty))
      expect(cleared).not.toHaveProperty('discountCode')
      expect(cleared.total).toEqual(usd(4000))
    }
    expect(await get(id)).not.toHaveProperty('discountCode')
  })

  test('extends the life of the cart', async () => {
    const code = await discount()
    const { id } = await shop.cartWith({ var_m: 1 })
    clock.advance(29 * DAY_MS)
    cartOf(await apply(id, code))
    clock.advance(29 * DAY_MS)
    expect((await get(id)).discountCode?.code).toBe(code)
    clock.advance(-58 * DAY_MS)
  })

  test('and thirty items that are sent at the same time are all in the cart', async () => {
    const code = await discount()
    const { id } = await shop.cartWith({ var_m: 1 })
    await shop.shelf.put('var_m', { inventory: 100 })
    const add = () => shop.call('POST', `/carts/${id}/lines`, { variant_id: 'var_m', quantity: 1 })
    const addOther = () => shop.call('POST', `/carts/${id}/lines`, { variant_id: 'var_l', quantity: 1 })
    const responses = await Promise.all([
      ...Array.from({ length: 15 }, add),
      apply(id, code),
      addOther(),
      ...Array.from({ length: 15 }, add),
    ])
    for (const response of responses) expect(response.status).toBe(200)
    const cart = await get(id)
    expect(contentOf(cart)).toEqual([
      ['var_m', 31],
      ['var_l', 1],
    ])
    expect(cart).toMatchObject({ discount: usd(12_900), discountCode: { code } })
  })

  test('of another customer’s cart is not found', async () => {
    const code = await discount()
    const { id } = await shop.cartWith({ var_m: 1 }, shop.suite.headers.customer('cus_ada'))
    expect(errorOf(await apply(id, code))).toMatchObject({ status: 404, code: 'cart_not_found' })
    expect(errorOf(await apply('cart_nothing', ''))).toMatchObject({ status: 404, code: 'cart_not_found' })
  })
})

describe('a code is rejected, and the cart keeps the code that it has,', () => {
  const invalid = (reason: string) => ({ status: 422, code: 'invalid_discount', detail: { reason } })

  async function expectRejected(code: string, reason: string, lines: Record<string, number> = { var_m: 1 }) {
    const old = await discount()
    const { id } = await shop.cartWith(lines)
    const before = cartOf(await apply(id, old))
    const rejected = errorOf(await apply(id, code))
    expect(rejected).toMatchObject(invalid(reason))
    expect(await get(id)).toEqual(before)
    return rejected.message
  }

  test('when it does not exist, is switched off or not valid yet, all with the same message', async () => {
    const later = new Date(clock.now().getTime() + DAY_MS).toISOString()
    const messages = [
      await expectRejected('NOTHING', 'unknown'),
      await expectRejected(await discount({ active: false }), 'unknown'),
      await expectRejected(await discount({ startsAt: later }), 'unknown'),
      await expectRejected('x'.repeat(1000), 'unknown'),
      await expectRejected(`' or 1=1 -- 💥`, 'unknown'),
    ]
    expect(new Set(messages)).toEqual(new Set(['This discount code does not exist. Please check its spelling.']))
  })

  test('when it has expired', async () => {
    const endsAt = new Date(clock.now().getTime()).toISOString()
    await expectRejected(await discount({ endsAt }), 'expired')
  })

  test('below its minimum, with the amount in the format of the shop', async () => {
    await shop.shelf.configure({ locale: 'de-DE' })
    const message = await expectRejected(await discount({ minSubtotal: 120_050 }), 'below_minimum')
    expect(message).toContain('1.200,50')
    await shop.shelf.configure({ locale: 'en-US' })
  })

  test('when it applies to no item in the cart', async () => {
    await expectRejected(await discount({ categories: ['coats'], products: ['hat'] }), 'nothing_eligible')
    const { id } = await shop.cartWith()
    const shirts = await discount({ categories: ['shirts'] })
    expect(errorOf(await apply(id, shirts))).toMatchObject(invalid('nothing_eligible'))
  })
})

describe('a code is removed, and stays removed,', () => {
  async function expectToFallOff(
    code: string,
    stop: (id: string) => Promise<unknown>,
    restore: () => Promise<unknown>,
  ) {
    const { id } = await shop.cartWith({ var_m: 1, var_l: 1 })
    expect(cartOf(await apply(id, code)).discountCode?.code).toBe(code)
    await stop(id)
    expect(await get(id)).not.toHaveProperty('discountCode')
    await restore()
    expect(await get(id)).not.toHaveProperty('discountCode')
    expect((await shop.suite.sql('select discount_code from cart.carts where id = $1', [id]))[0]).toEqual({
      discount_code: null,
    })
  }

  test('when it is switched off', async () => {
    const code = await discount()
    await expectToFallOff(
      code,
      () => change(code, { active: false }),
      () => change(code, { active: true }),
    )
  })

  test('when it is deleted, even when one of that name is created again', async () => {
    const code = await discount()
    const admin = shop.suite.headers.admin(['discounts:write'])
    await expectToFallOff(
      code,
      () => shop.call('DELETE', `/admin/discounts/${code}`, undefined, admin),
      () => shop.call('POST', '/admin/discounts', { code, kind: 'percent', value: 10 }, admin),
    )
  })

  test('when it expires', async () => {
    const endsAt = new Date(clock.now().getTime() + DAY_MS).toISOString()
    const code = await discount({ endsAt })
    await expectToFallOff(
      code,
      async () => clock.advance(DAY_MS),
      async () => clock.advance(-DAY_MS),
    )
  })

  test('when the cart is too small for it after a change', async () => {
    const code = await discount({ minSubtotal: 9000 })
    const { id, lines } = await shop.cartWith({ var_m: 1, var_l: 1 })
    cartOf(await apply(id, code))
    const line = `/carts/${id}/lines/${lines[0]?.id}`
    expect(cartOf(await shop.call('DELETE', line))).not.toHaveProperty('discountCode')
    cartOf(await shop.call('POST', `/carts/${id}/lines`, { variant_id: 'var_m', quantity: 5 }))
    expect(await get(id)).not.toHaveProperty('discountCode')
  })

  test('when its product was withdrawn', async () => {
    const code = await discount({ products: ['wool-coat'] })
    await expectToFallOff(
      code,
      () => shop.shelf.put('var_l', { published: false }),
      () => shop.shelf.put('var_l', { published: true }),
    )
  })
})

test("a cart is priced by the merchant's latest change of its code", async () => {
  const code = await discount()
  const { id } = await shop.cartWith({ var_m: 1 })
  await apply(id, code)
  expect((await change(code, { value: 50, label: 'Half' })).status).toBe(200)
  expect(await get(id)).toMatchObject({ discount: usd(2000), discountCode: { code, label: 'Half' } })
})
