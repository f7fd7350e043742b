import { Customer, Timestamp, type CustomerAddress } from '@storefront/contracts'
import type { z } from 'zod'
import { toCustomer, type Account } from '../accounts/account.ts'

/** A customer in the merchant's list. */
export const ShopCustomer = Customer.extend({
  createdAt: Timestamp.describe('When the account was created.'),
}).meta({ id: 'ShopCustomer' })
export type ShopCustomer = z.output<typeof ShopCustomer>

export interface DatedAccount extends Account {
  created_at: Date
}

export function toShopCustomer(account: DatedAccount, addresses: CustomerAddress[]): ShopCustomer {
  return { ...toCustomer(account, addresses), createdAt: account.created_at.toISOString() }
}
