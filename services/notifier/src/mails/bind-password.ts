import { isOutage } from '@storefront/postgres'
import { SettingsUnavailable, type SettingsReader } from '../settings/settings-reader.ts'
import type { MailTransport } from './mail-transport.ts'

/**
 * Binds a password to the mail server that is configured when it is set, and not at the time of the next mail, which
 * may be much later.
 */
export async function bindNewPassword({
  settings,
  transport,
}: {
  settings: SettingsReader
  transport: MailTransport
}): Promise<void> {
  if (transport.isPasswordBound()) return
  try {
    await transport.bindPassword((await settings.read()).notifications)
  } catch (error) {
    // Failing is harmless: without the settings or the database, no mail is sent either.
    if (!(error instanceof SettingsUnavailable) && !isOutage(error)) throw error
  }
}
