import { processRequests } from '@storefront/jobs'
import { transaction } from '@storefront/postgres'
import { MINUTE_MS, type Clock, type Timer } from '@storefront/service'
import { newId } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import { takeMailRequest } from '../confirmations/mail-requests.queries.ts'
import { requestConfirmation } from '../confirmations/request-confirmation.ts'
import type { Tx } from '../database.ts'
import { insertSubscriber } from './newsletter.queries.ts'

/** The pause between mails until a link is opened: anyone can enter any address. */
const BETWEEN_MAILS_MS = 10 * MINUTE_MS

/** Stores subscriptions after the response to their request, see `subscribeRoute`. */
export function processNewsletterRequests({ db, clock, log }: Pick<IdentityContext, 'db' | 'clock' | 'log'>): Timer {
  return processRequests('newsletter requests', log, () => transaction(db, (tx) => processOne(tx, clock)))
}

/** @returns false when there was nothing to do */
async function processOne(tx: Tx, clock: Clock): Promise<boolean> {
  const request = await takeMailRequest(tx, 'newsletter_requests')
  if (!request) return false
  // Older versions accepted addresses that no mail can be sent to.
  if (!request.email) return true
  const now = clock.now()
  const sentBefore = new Date(now.getTime() - BETWEEN_MAILS_MS)
  const subscriber = { id: newId('subscriber'), email: request.email, subscribedAt: request.requestedAt }
  const email = await insertSubscriber(tx, subscriber, { now, sentBefore })
  if (email) await requestConfirmation(tx, { purpose: 'newsletter', email, senders: request.senders }, now)
  return true
}
