import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Cart } from '@storefront/contracts'
import { cartOf, contentOf, createShop, errorOf, usd, type Shop } from './shop.ts'

let shop: Shop
let cart: Cart

beforeAll(async () => {
  shop = await createShop()
  await shop.shelf.put('var_m', { inventory: 10 })
  await shop.shelf.put('var_l', { inventory: 3, price: usd(5000) })
  await shop.shelf.put('var_many', { inventory: 5000, price: usd(1) })
  await shop.shelf.put('var_none', { inventory: 0 })
  await shop.shelf.put('var_draft', { published: false })
})
afterAll(() => shop.stop())

beforeEach(async () => {
  cart = await shop.cartWith()
})

const add = (variantId: string, quantity?: number) =>
  shop.call('POST', `/carts/${cart.id}/lines`, { variant_id: variantId, quantity })
const content = async () => contentOf(cartOf(await shop.call('GET', `/carts/${cart.id}`)))

describe('adding a variant', () => {
  test('returns the whole cart, repriced', async () => {
    await add('var_m', 2)
    const result = cartOf(await add('var_l', 1))
    expect(contentOf(result)).toEqual([
      ['var_m', 2],
      ['var_l', 1],
    ])
    expect(result.total).toEqual(usd(13_000))
    expect(result).toEqual(cartOf(await shop.call('GET', `/carts/${cart.id}`)))
  })

  test('adds one if no quantity is given', async () => {
    expect(contentOf(cartOf(await add('var_m')))).toEqual([['var_m', 1]])
  })

  test('adds up on one line, which keeps its id', async () => {
    const [before] = cartOf(await add('var_m', 2)).lines
    const [after, ...others] = cartOf(await add('var_m', 3)).lines
    expect(after).toMatchObject({ id: before?.id, quantity: 5 })
    expect(others).toEqual([])
  })

  test('counts every one of 50 simultaneous requests', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => add('var_many', 1)))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect(await content()).toEqual([['var_many', 50]])
  })

  test('keeps every line when different variants are added at once', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `var_each_${index}`)
    await Promise.all(ids.map((id) => shop.shelf.put(id)))
    await Promise.all(ids.map((id) => add(id, 1)))
    expect(new Map(await content())).toEqual(new Map(ids.map((id) => [id, 1])))
  })

  test('never exceeds the stock, however many requests arrive at once', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => add('var_m', 1)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10)
    for (const rejected of responses.filter(({ status }) => status !== 200)) {
      expect(errorOf(rejected)).toMatchObject({
        status: 409,
        code: 'insufficient_inventory',
        detail: { available: 10 },
      })
    }
    expect(await content()).toEqual([['var_m', 10]])
  })
})

describe('adding is rejected', () => {
  test.each([
    ['is unknown', 'var_nothing'],
    ['is not published', 'var_draft'],
    ['is a property of every object', '__proto__'],
  ])('with variant_not_found when the variant %s', async (_what, variantId) => {
    const { status, code } = errorOf(await add(variantId, 1))
    expect({ status, code }).toEqual({ status: 404, code: 'variant_not_found' })
    expect(await content()).toEqual([])
  })

  test('with out_of_stock when there is none', async () => {
    expect(errorOf(await add('var_none', 1))).toEqual({
      status: 409,
      code: 'out_of_stock',
      message: 'This item is sold out.',
      detail: { available: 0 },
    })
  })

  test('with the available quantity when more are requested than there are, also together with those in the cart', async () => {
    const rejected = {
      status: 409,
      code: 'insufficient_inventory',
      message: 'Only 3 left in that size.',
      detail: { available: 3 },
    }
    expect(errorOf(await add('var_l', 4))).toEqual(rejected)
    cartOf(await add('var_l', 2))
    expect(errorOf(await add('var_l', 2))).toEqual(rejected)
    expect(await content()).toEqual([['var_l', 2]])
  })

  test('above 999 of a variant, at once or in parts', async () => {
    const message = 'You can order at most 999 of one item.'
    expect(errorOf(await add('var_many', 1000))).toEqual({
      status: 422,
      code: 'validation_failed',
      message,
      detail: { issues: [{ path: 'quantity', message: 'must be at most 999' }] },
    })
    cartOf(await add('var_many', 999))
    expect(errorOf(await add('var_many', 1))).toEqual({
      status: 409,
      code: 'insufficient_inventory',
      message,
      detail: { available: 999 },
    })
    expect(await content()).toEqual([['var_many', 999]])
  })

  test('with the available quantity, and not with the limit, when there are fewer than 999', async () => {
    await shop.shelf.put('var_some', { inventory: 998 })
    cartOf(await add('var_some', 990))
    expect(errorOf(await add('var_some', 10))).toMatchObject({
      code: 'insufficient_inventory',
      message: 'Only 998 left in that size.',
      detail: { available: 998 },
    })
  })

  test('above 100 different variants', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => `var_row_${index}`)
    await Promise.all(ids.map((id) => shop.shelf.put(id)))
    cartOf(await add('var_row_0', 1))
    // The line of each of the next ones, without a request for each.
    await shop.suite.sql(
      `update cart.carts set lines = (
         select jsonb_agg(lines->0 || jsonb_build_object('id', 'line_row_' || each, 'variantId', 'var_row_' || each) order by each)
         from generate_series(0, 98) as each) where id = $1`,
      [cart.id],
    )
    expect(contentOf(cartOf(await add('var_row_99', 1)))).toHaveLength(100)
    expect(errorOf(await add('var_row_100', 1))).toMatchObject({
      status: 422,
      code: 'validation_failed',
      message: 'A cart holds at most 100 different items. Please remove one first.',
    })
    expect(contentOf(cartOf(await add('var_row_0', 1)))).toHaveLength(100)
  })

  test('in a cart that does not exist', async () => {
    cart = { ...cart, id: 'cart_nothing' }
    expect(errorOf(await add('var_m', 1))).toMatchObject({ status: 404, code: 'cart_not_found' })
  })
})

describe('a change that is sent twice under one Idempotency-Key', () => {
  const once = { 'idempotency-key': 'once' }
  const addOnce = (variantId: string) =>
    shop.call('POST', `/carts/${cart.id}/lines`, { variant_id: variantId, quantity: 1 }, once)

  test('is made once, however many requests arrive at once', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => addOnce('var_m')))
    expect(responses.map(cartOf).map((response) => response.lines.map((line) => line.quantity))).toEqual(
      Array.from({ length: 8 }, () => [1]),
    )
    expect((await content()).length).toBe(1)
    const isReplay = responses.map(({ headers }) => headers['idempotent-replayed'] === 'true')
    expect(isReplay.filter(Boolean)).toHaveLength(7)
  })

  test('is rejected, and not made, when the second request is another change', async () => {
    const first = await addOnce('var_m')
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    expect(errorOf(await addOnce('var_l'))).toMatchObject({ status: 409, code: 'idempotency_mismatch' })
    expect(await content()).toHaveLength(1)
    expect((await addOnce('var_m')).headers).toMatchObject({ 'idempotent-replayed': 'true' })
  })

  test('is known by the hash that an earlier version stored, which has no hash of the key alone', async () => {
    await addOnce('var_m')
    await shop.suite.sql('update cart.carts set recent_keys = recent_keys[1:1] where id = $1', [cart.id])
    await addOnce('var_m')
    expect((await content()).length).toBe(1)
  })

  test('is made each time without a key, or with an empty one', async () => {
    const add = () => shop.call('POST', `/carts/${cart.id}/lines`, { variant_id: 'var_m' }, { 'idempotency-key': '' })
    await add()
    expect(cartOf(await add()).lines).toMatchObject([{ quantity: 2 }])
  })

  test('returns the cart both times when it removes a line', async () => {
    const [line] = cartOf(await addOnce('var_m')).lines
    const key = { 'idempotency-key': 'remove once' }
    const remove = () => shop.call('DELETE', `/carts/${cart.id}/lines/${line?.id}`, undefined, key)
    await remove()
    expect(cartOf(await remove()).lines).toEqual([])
  })
})
