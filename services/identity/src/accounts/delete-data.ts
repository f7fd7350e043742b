import { publish } from '@storefront/messaging'
import { CustomerDeleted, MailRequested } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { deleteMailRequests } from '../confirmations/mail-requests.queries.ts'
import { deleteNewsletterLinks, deleteSubscription } from '../personal-data/personal-data.queries.ts'
import type { Revoked } from '../sessions/revoked.ts'
import { endCustomerSessions } from '../sessions/sessions.queries.ts'
import { removeAllEntries } from '../wishlist/remove-entries.ts'
import { deleteCustomer, type LockedAccount } from './accounts.queries.ts'

/**
 * Deletes an account with its data. The sessions stay, revoked and without the customer, until their tokens have
 * expired: Redis may be down now, or lose its data later.
 * @param account locked
 * @returns the sessions that this call ended
 */
export async function deleteData(tx: Tx, account: LockedAccount, at: Date): Promise<Revoked[]> {
  const { id: customerId, email_canonical: canonical } = account
  await removeAllEntries(tx, customerId, at)
  const isVerified = account.email_verified_at !== null
  if (canonical !== null) await deleteKeptUnderAddress(tx, { canonical, isVerified })
  const revoked = await endCustomerSessions(tx, customerId, at)
  await deleteCustomer(tx, customerId)
  // An address that was never verified may belong to someone else.
  const verifiedEmail = isVerified && canonical !== null ? canonical : undefined
  await publish(tx, CustomerDeleted, { customerId, email: verifiedEmail }, at)
  if (verifiedEmail === undefined) return revoked
  // Without the customer's id, because notifier deletes everything with this id, and this mail must still be sent.
  const name = account.first_name === '' ? {} : { name: account.first_name }
  await publish(tx, MailRequested, { kind: 'accountDeleted', to: verifiedEmail, ...name }, at)
  return revoked
}

async function deleteKeptUnderAddress(tx: Tx, own: { canonical: string; isVerified: boolean }): Promise<void> {
  await deleteSubscription(tx, own)
  await deleteMailRequests(tx, 'password_reset_requests', own.canonical)
  if (!own.isVerified) return
  await deleteNewsletterLinks(tx, own.canonical)
  await deleteMailRequests(tx, 'newsletter_requests', own.canonical)
}
