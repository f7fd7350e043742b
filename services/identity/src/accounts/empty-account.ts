import { publish } from '@storefront/messaging'
import { CustomerReclaimed } from '@storefront/contracts'
import { deleteAllAddresses } from '../addresses/addresses.queries.ts'
import type { Tx } from '../database.ts'
import { removeAllEntries } from '../wishlist/remove-entries.ts'
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
  await removeAllEntries(tx, customerId, now)
  await deleteAllAddresses(tx, customerId)
  await clearDetails(tx, customerId)
  await publish(tx, CustomerReclaimed, { customerId }, now)
  return { ...account, first_name: '', last_name: '', phone: null }
}
