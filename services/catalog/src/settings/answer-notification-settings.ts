import { answer, type ActorVerifier, type Log, type Messaging } from '@storefront/chassis'
import { ReadNotificationSettings } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { boardSettingsOf } from './board-settings.ts'
import { findSettings } from './settings.queries.ts'

/** Notifier asks how mails look and who sends them. */
export function answerNotificationSettings(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
}): void {
  answer(context, ReadNotificationSettings, async () => {
    const settings = await findSettings(context.db)
    const { version, storeName, locale, currency } = boardSettingsOf(settings)
    const { store, notifications = {} } = settings.document
    return {
      version,
      storeName,
      ...(store?.address == null ? {} : { storeAddress: store.address }),
      locale,
      currency,
      notifications,
    }
  })
}
