import { expect } from 'vitest'
import type { TestShop } from './shop.ts'

/** Sets how shoppers pay, which later checkouts use. */
export async function setCheckout({ admin }: Pick<TestShop, 'admin'>, checkout: object): Promise<void> {
  expect((await admin.call('PATCH', '/admin/storefront', { checkout })).status).toBe(200)
}
