import { consume, type Consumer } from '@storefront/messaging'
import { BuyerErased } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { deleteAlerts } from './delete-alerts.ts'

/** Deletes the alerts of a guest whose data was deleted. */
export function consumeBuyerErased(context: CatalogContext): Consumer {
  return consume(context, BuyerErased, async (tx, events) => {
    await deleteAlerts(
      tx,
      events.map(({ data }) => data.email),
    )
  })
}
