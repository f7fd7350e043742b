import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cartOf, contentOf, createShop, errorOf, usd, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  await shop.shelf.put('var_m')
  await shop.shelf.put('var_l', { price: usd(5000) })
})
afterAll(() => shop.stop())

describe('removing a line', () => {
  test('returns the cart without it, and the second time that it does not exist', async () => {
    const cart = await shop.cartWith({ var_m: 2, var_l: 1 })
    const url = `/carts/${cart.id}/lines/${cart.lines[0]?.id}`
    const left = cartOf(await shop.call('DELETE', url))
    expect(contentOf(left)).toEqual([['var_l', 1]])
    expect(left.total).toEqual(usd(5000))
    expect(errorOf(await shop.call('DELETE', url))).toEqual({
      status: 404,
      code: 'line_not_found',
      message: 'This item is no longer in your cart.',
      detail: undefined,
    })
  })

  test('works for a product that was deleted', async () => {
    await shop.shelf.put('var_gone')
    const cart = await shop.cartWith({ var_gone: 1 })
    await shop.shelf.remove('var_gone')
    expect(cartOf(await shop.call('DELETE', `/carts/${cart.id}/lines/${cart.lines[0]?.id}`)).lines).toEqual([])
  })

  test('does not find a line of another cart, or a cart that does not exist', async () => {
    const one = await shop.cartWith({ var_m: 1 })
    const other = await shop.cartWith({ var_m: 1 })
    const lineId = one.lines[0]?.id ?? ''
    expect(errorOf(await shop.call('DELETE', `/carts/${other.id}/lines/${lineId}`))).toMatchObject({
      code: 'line_not_found',
    })
    expect(errorOf(await shop.call('DELETE', `/carts/cart_nothing/lines/${lineId}`))).toMatchObject({
      code: 'cart_not_found',
    })
    expect(contentOf(cartOf(await shop.call('GET', `/carts/${one.id}`)))).toEqual([['var_m', 1]])
  })

  test('happens once when it is requested many times at once', async () => {
    const cart = await shop.cartWith({ var_m: 1, var_l: 1 })
    const url = `/carts/${cart.id}/lines/${cart.lines[0]?.id}`
    const responses = await Promise.all(Array.from({ length: 8 }, () => shop.call('DELETE', url)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(7)
  })
})
