import { publish, publishAll } from '@storefront/chassis'
import { CustomerReclaimed, WishlistRemoved } from '@storefront/contracts'
import { deleteAllAddresses } from '../addresses/addresses.queries.ts'
import type { Tx } from '../database.ts'
import { deleteAllEntries } from '../wishlist/wishlist.queries.ts'
import { clearDetails, type LockedAccount } from './accounts.queries.ts'

/**
 * Takes out of an account what was put into it before its address was proven, by somebody who may have registered an address of
 * another person: an address book would send their parcels elsewhere. Orders stay, because the ledger needs their owner.
 * @param account locked
 * @returns the account as it is now
 */
export async function emptyAccount(tx: Tx, account: LockedAccount, now: Date): Promise<LockedAccount> {
  const { id: customerId } = account
  const wishes = await deleteAllEntries(tx, customerId)
  const removals = wishes.map(({ id, productId }) => ({ entryId: id, productId }))
  await publishAll(tx, WishlistRemoved, removals, now)
  await deleteAllAddresses(tx, customerId)
  await clearDetails(tx, customerId)
  await publish(tx, CustomerReclaimed, { customerId }, now)
  return { ...account, first_name: '', last_name: '', phone: null }
}
