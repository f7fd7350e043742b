import type { Clock } from '@storefront/service'
import type { EmailAddress } from '@storefront/contracts'
import { findLockedAccount, type LockedAccount } from '../accounts/accounts.queries.ts'
import type { Connection, Tx } from '../database.ts'
import { invalidToken } from '../errors.ts'
import { isOpen, type Confirmation, type Purpose } from './confirmation.ts'
import { findConfirmation, markUsed } from './confirmations.queries.ts'

export interface Link {
  purpose: Purpose
  id: string
}

/** @throws HttpError `invalid_token` when it is used, expired or does not exist */
export async function requireOpenConfirmation(connection: Connection, link: Link, now: Date): Promise<Confirmation> {
  const confirmation = await findConfirmation(connection, link.id)
  if (!confirmation || confirmation.purpose !== link.purpose || !isOpen(confirmation, now)) throw invalidToken()
  return confirmation
}

/**
 * Uses a confirmation of an account, once, and locks the account.
 * @returns the account, the address that the link was sent to, and the time, which is read under the lock so that the
 * events of one account have increasing times
 * @throws HttpError `invalid_token`
 */
export async function useConfirmation(
  tx: Tx,
  link: Link,
  clock: Clock,
): Promise<{ account: LockedAccount; email: EmailAddress; now: Date }> {
  const confirmation = await requireOpenConfirmation(tx, link, clock.now())
  const { customer_id: customerId, email: typed, email_canonical: canonical } = confirmation
  // The account is locked before its confirmations, as in every transaction, to prevent deadlocks.
  const account = customerId === null ? undefined : await findLockedAccount(tx, customerId)
  const now = clock.now()
  // Without a canonical form the link was sent by an older version, and it is unknown where its mail went.
  if (!account || canonical === null || !(await markUsed(tx, link.id, now))) throw invalidToken()
  return { account, email: { typed, canonical }, now }
}
