import type { DiscountInput } from '@storefront/contracts'
import { expect } from 'vitest'
import { cartOf, type Shop } from './shop.ts'

/** Creates a discount of ten percent, with what a test changes. @returns its code */
export async function addDiscount(shop: Shop, code: string, change: Partial<DiscountInput> = {}): Promise<string> {
  const body = { code, kind: 'percent', value: 10, ...change }
  const made = await shop.call('POST', '/admin/discounts', body, shop.suite.headers.admin(['discounts:write']))
  expect(made.status).toBe(200)
  return code
}

/** A new cart with one shirt and this discount code. @returns its id */
export async function cartWithDiscount(shop: Shop, code: string, headers: object = {}): Promise<string> {
  const { id } = await shop.cartWith({ var_m: 1 }, headers)
  cartOf(await shop.call('POST', `/carts/${id}/discount`, { code }, headers))
  return id
}
