import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Cart } from '@storefront/contracts'
import { cartOf, contentOf, createShop, errorOf, usd, type Shop } from './shop.ts'

let shop: Shop
let cart: Cart

beforeAll(async () => {
  shop = await createShop()
})
afterAll(() => shop.stop())

beforeEach(async () => {
  await shop.shelf.put('var_m', { inventory: 10, published: true })
  await shop.shelf.put('var_l', { inventory: 10, price: usd(5000) })
  cart = await shop.cartWith({ var_m: 5, var_l: 1 })
})

const lineOf = (variantId: string) => cart.lines.find((line) => line.variantId === variantId)?.id ?? ''
const change = (variantId: string, quantity: unknown) =>
  shop.call('PATCH', `/carts/${cart.id}/lines/${lineOf(variantId)}`, { quantity })
const content = async () => contentOf(cartOf(await shop.call('GET', `/carts/${cart.id}`)))

describe('changing the quantity of a line', () => {
  test('sets it, and returns the whole cart repriced', async () => {
    const changed = cartOf(await change('var_m', 7))
    expect(contentOf(changed)).toEqual([
      ['var_m', 7],
      ['var_l', 1],
    ])
    expect(changed.total).toEqual(usd(33_000))
    expect(changed.lines[0]?.id).toBe(lineOf('var_m'))
  })

  test('removes the line at 0', async () => {
    expect(contentOf(cartOf(await change('var_m', 0)))).toEqual([['var_l', 1]])
    expect(errorOf(await change('var_m', 1))).toMatchObject({ status: 404, code: 'line_not_found' })
  })

  test('is rejected beyond the stock, and leaves the line unchanged', async () => {
    expect(errorOf(await change('var_m', 11))).toMatchObject({
      status: 409,
      code: 'insufficient_inventory',
      message: 'Only 10 left in that size.',
      detail: { available: 10 },
    })
    expect((await content())[0]).toEqual(['var_m', 5])
  })

  test('may decrease although the stock is even lower, but not increase', async () => {
    await shop.shelf.put('var_m', { inventory: 2 })
    expect(contentOf(cartOf(await change('var_m', 4)))[0]).toEqual(['var_m', 4])
    expect(errorOf(await change('var_m', 5))).toMatchObject({
      code: 'insufficient_inventory',
      detail: { available: 2 },
    })
    await shop.shelf.put('var_m', { inventory: 0 })
    expect(errorOf(await change('var_m', 5))).toMatchObject({ code: 'out_of_stock' })
    expect(contentOf(cartOf(await change('var_m', 1)))[0]).toEqual(['var_m', 1])
  })

  test('of a withdrawn product may decrease and be removed, but not increase', async () => {
    await shop.shelf.put('var_m', { published: false })
    expect(errorOf(await change('var_m', 6))).toMatchObject({ status: 404, code: 'variant_not_found' })
    expect(cartOf(await change('var_m', 2)).lines[0]).toMatchObject({ quantity: 2, available: false })
    expect(contentOf(cartOf(await change('var_m', 0)))).toEqual([['var_l', 1]])
  })

  test.each([-1, 1000, 1.5, '2', null, undefined, true, [1], 1e9])('is rejected for %j', async (quantity) => {
    expect(errorOf(await change('var_m', quantity))).toMatchObject({ status: 422, code: 'validation_failed' })
    expect((await content())[0]).toEqual(['var_m', 5])
  })

  test('does not find a line of another cart', async () => {
    const other = await shop.cartWith({ var_m: 1 })
    const url = `/carts/${other.id}/lines/${lineOf('var_m')}`
    expect(errorOf(await shop.call('PATCH', url, { quantity: 0 }))).toMatchObject({
      status: 404,
      code: 'line_not_found',
    })
    expect((await content())[0]).toEqual(['var_m', 5])
  })

  test('ends in one of the quantities that were requested at once', async () => {
    const wanted = [1, 2, 3, 4, 6, 7, 8, 9]
    const responses = await Promise.all(wanted.map((quantity) => change('var_m', quantity)))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect(wanted).toContain((await content())[0]?.[1])
  })
})
