import { replyTo } from '@storefront/messaging'
import { ReadAlertLinks } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { CONFIRMABLE_MS } from './alert.ts'
import { findLinkedAlert } from './alerts.queries.ts'

/** Requested by notifier at the moment it writes the mail, so that no event and no queue ever contains a token. */
export function replyToReadAlertLinks(context: CatalogContext): void {
  replyTo(context, ReadAlertLinks, async ({ alertId }) => {
    const { db, clock, alertTokens } = context
    const alert = await findLinkedAlert(db, alertId)
    if (!alert) return {}
    const unsubscribeToken = alertTokens.make('alertEnd', alertId)
    const confirmBefore = new Date(alert.confirmation_sent_at.getTime() + CONFIRMABLE_MS)
    if (alert.confirmed_at !== null || confirmBefore <= clock.now()) return { unsubscribeToken }
    const confirmToken = alertTokens.make('alertConfirm', alertId)
    return { unsubscribeToken, confirmToken, confirmBefore: confirmBefore.toISOString() }
  })
}
