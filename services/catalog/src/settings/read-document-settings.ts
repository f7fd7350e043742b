import { replyTo } from '@storefront/messaging'
import { ReadDocumentSettings } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { filled, settingsInForce } from './settings-in-force.ts'
import { findSettings } from './settings.queries.ts'

/** Replies to orders with the data of the shop in its documents. */
export function replyToReadDocumentSettings(context: CatalogContext): void {
  replyTo(context, ReadDocumentSettings, async () => {
    const { document } = await findSettings(context.db)
    const { storeName, commerce } = settingsInForce(document)
    const storeAddress = document.store?.address ?? undefined
    const storeEmail = filled(document.store?.email)
    return {
      storeName,
      ...(storeAddress && { storeAddress }),
      ...(storeEmail !== undefined && { storeEmail }),
      timeZone: commerce.timeZone ?? 'UTC',
      shippingMethods: (commerce.shippingMethods ?? []).map(({ id, label }) => ({ id, label: label ?? id })),
    }
  })
}
