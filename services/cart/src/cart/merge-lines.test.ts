import { describe, expect, test } from 'vitest'
import { mergeLines } from './merge-lines.ts'
import type { StoredLine } from './stored-cart.ts'

const remembered = {
  productSlug: 'linen-shirt',
  title: 'Linen shirt',
  options: {},
  image: { url: '/media/shirt.svg', alt: 'A linen shirt' },
  price: { amount: 4000, currency: 'USD' },
}
const line = (id: string, variantId: string, quantity: number, formerIds?: string[]): StoredLine => ({
  id,
  variantId,
  quantity,
  remembered,
  ...(formerIds && { formerIds }),
})
const quantityOf = (own: number, guests: number, inventory?: number) =>
  mergeLines(
    [line('line_own', 'var_m', own)],
    [line('line_guest', 'var_m', guests)],
    new Map(inventory === undefined ? [] : [['var_m', { inventory }]]),
  )[0]?.quantity

describe('the lines of two carts', () => {
  test('are joined, the customer’s first, and keep their ids', () => {
    const merged = mergeLines([line('line_a', 'var_a', 1)], [line('line_b', 'var_b', 2)], new Map())
    expect(merged).toEqual([line('line_a', 'var_a', 1), line('line_b', 'var_b', 2)])
  })

  test('of one variant become the customer’s line, which keeps the former ids of both', () => {
    const merged = mergeLines(
      [line('line_a', 'var_m', 1, ['line_x'])],
      [line('line_b', 'var_m', 2, ['line_y'])],
      new Map([['var_m', { inventory: 10 }]]),
    )
    expect(merged).toEqual([line('line_a', 'var_m', 3, ['line_x', 'line_y', 'line_b'])])
  })

  test('remember the newest twenty former ids', () => {
    const former = Array.from({ length: 20 }, (_, nth) => `line_${nth}`)
    const [merged] = mergeLines([line('line_a', 'var_m', 1, former)], [line('line_b', 'var_m', 1)], new Map())
    expect(merged?.formerIds).toEqual([...former.slice(1), 'line_b'])
  })

  test.each([
    ['the stock', 4, 4, 6, 6],
    ['the whole stock', 3, 3, 6, 6],
    ['999', 600, 600, 5000, 999],
    ['999, of a product that is no longer sold', 600, 600, undefined, 999],
  ])('add up to %s', (_limit, own, guests, inventory, quantity) => {
    expect(quantityOf(own, guests, inventory)).toBe(quantity)
  })

  test.each([
    [5, 2, 3, 5],
    [2, 5, 3, 5],
    [1, 1, 0, 1],
  ])('are never less than the larger of %i and %i, though only %i are left', (own, guests, inventory, quantity) => {
    expect(quantityOf(own, guests, inventory)).toBe(quantity)
  })

  test('are a hundred at most: all of the customer’s, then the newest of the guest’s', () => {
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, nth) => line(`line_${name}${nth}`, `var_${name}${nth}`, 1))
    const own = many('own', 97)
    const merged = mergeLines(own, many('guest', 5), new Map())
    expect(merged.slice(0, 97)).toEqual(own)
    expect(merged.slice(97).map(({ id }) => id)).toEqual(['line_guest2', 'line_guest3', 'line_guest4'])
    expect(mergeLines(many('own', 100), many('guest', 5), new Map())).toEqual(many('own', 100))
  })
})
