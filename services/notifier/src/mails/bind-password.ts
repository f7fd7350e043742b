import { isOutage } from '@storefront/postgres'
import { every, type Timer } from '@storefront/service'
import type { WorkerContext } from '../context.ts'
import { SettingsUnavailable } from '../settings/settings-reader.ts'

const BIND_MS = 2000

/**
 * Binds a password to the mail server that is configured when it is set, and not at the time of the next mail, which
 * may be much later.
 */
export function bindNewPassword(context: WorkerContext): Timer {
  return every(BIND_MS, 'bind the password of the mail server', context.log, () => bindOnce(context))
}

async function bindOnce({ settings, transport }: WorkerContext): Promise<void> {
  if (transport.isPasswordBound()) return
  try {
    await transport.bindPassword((await settings.read()).notifications)
  } catch (error) {
    // Failing is harmless: without the settings or the database, no mail is sent either.
    if (!(error instanceof SettingsUnavailable) && !isOutage(error)) throw error
  }
}
