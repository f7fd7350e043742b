import { replyTo } from '@storefront/messaging'
import { ReadNotificationSettings } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { settingsInForce } from './settings-in-force.ts'
import { findSettings } from './settings.queries.ts'

/** Replies to notifier with the templates and senders of mails. */
export function replyToReadNotificationSettings(context: CatalogContext): void {
  replyTo(context, ReadNotificationSettings, async ({ knownVersion }) => {
    const { version, document } = await findSettings(context.db)
    if (version === knownVersion) return { version, isUnchanged: true as const }
    const { storeName, locale, currency, notifications } = settingsInForce(document)
    const storeAddress = document.store?.address ?? undefined
    const timeZone = document.commerce?.timeZone ?? undefined
    return {
      version,
      storeName,
      ...(storeAddress && { storeAddress }),
      locale,
      ...(timeZone !== undefined && { timeZone }),
      currency,
      notifications,
    }
  })
}
