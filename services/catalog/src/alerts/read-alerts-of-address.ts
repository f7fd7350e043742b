import { replyTo } from '@storefront/messaging'
import { MAX_EXPORTED_ALERTS, ReadAlertsOfAddress } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { alertRecord } from './alert-record.ts'
import { findAlertsAfter } from './alerts.queries.ts'

/** Requested by orders for the data of a guest. */
export function replyToReadAlertsOfAddress(context: CatalogContext): void {
  replyTo(context, ReadAlertsOfAddress, async ({ email }) => {
    const alerts = await findAlertsAfter(context.db, email, { after: '', limit: MAX_EXPORTED_ALERTS })
    return { alerts: alerts.map(alertRecord) }
  })
}
