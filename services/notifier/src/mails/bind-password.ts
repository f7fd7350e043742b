import { isOutage } from '@storefront/chassis'
import { SettingsUnavailable, type SettingsReader } from '../settings/settings-reader.ts'
import type { MailTransport } from './mail-transport.ts'

/**
 * A password is for the mail server that is in force when it is handed over, and not for the one of the first mail
 * afterwards, which may come much later.
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
    // Later is early enough: until then no mail goes out either.
    if (!(error instanceof SettingsUnavailable) && !isOutage(error)) throw error
  }
}
