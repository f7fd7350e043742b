import { mailboxOf } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { deleteAlertRequests } from './alert-requests.queries.ts'
import { deleteAlertsOf, lockMailboxes } from './alerts.queries.ts'

/** Deletes all alerts of people whose data is deleted. @param emails in canonical form */
export async function deleteAlerts(tx: Tx, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return
  // Otherwise a request that is being processed could become an alert after the others are deleted.
  await lockMailboxes(tx, emails.map(mailboxOf))
  await deleteAlertRequests(tx, emails)
  await deleteAlertsOf(tx, emails)
}
