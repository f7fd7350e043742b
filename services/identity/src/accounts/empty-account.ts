import { publish, publishAll } from '@storefront/messaging'
import { CustomerReclaimed, WishlistRemoved } from '@storefront/contracts'
import { deleteAllAddresses } from '../addresses/addresses.queries.ts'
import type { Tx } from '../database.ts'
import { deleteAllEntries } from '../wishlist/wishlist.queries.ts'
import { clearDetails, type LockedAccount } from './accounts.queries.ts'

/**
 * Removes what was added to an account before its address was verified, possibly by a person who registered another
 * person's address: an address book would send parcels to the wrong place. Orders stay, because accounting needs their
 * owner.
 * @param account locked
 * @returns the account after the change
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
