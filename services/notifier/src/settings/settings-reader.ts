import type { z } from 'zod'
import { sendRequest, type Messaging } from '@storefront/messaging'
import type { Log } from '@storefront/service'
import { ReadNotificationSettings } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findKnownSettings, keepSettings } from './settings.queries.ts'

/** The part of the storefront configuration that concerns mails, with the name, locale and currency of the shop. */
export type ShopSettings = z.output<typeof ReadNotificationSettings.reply>

/** The settings are unknown and no earlier ones are stored: mails wait. */
export class SettingsUnavailable extends Error {}

export interface SettingsReader {
  /**
   * The current settings; while catalog is down the last known ones.
   * @throws SettingsUnavailable
   */
  read(): Promise<ShopSettings>
}

/**
 * Requests the settings from catalog, one request at a time for all mails, and stores them for the time when catalog
 * is down.
 */
export function createSettingsReader({
  db,
  messaging,
  log,
}: {
  db: Database
  messaging: Messaging
  log: Log
}): SettingsReader {
  let kept: ShopSettings | undefined
  let underWay: Promise<ShopSettings> | undefined
  let next: Promise<ShopSettings> | undefined

  function begin(): Promise<ShopSettings> {
    next = undefined
    const reading = readNow().finally(() => {
      if (underWay === reading) underWay = undefined
    })
    underWay = reading
    return reading
  }

  async function readNow(): Promise<ShopSettings> {
    let settings: ShopSettings
    try {
      settings = await sendRequest(messaging, ReadNotificationSettings, {})
    } catch (error) {
      const known = kept ?? (await readKept())
      if (!known) throw new SettingsUnavailable('the settings of the shop could not be requested', { cause: error })
      log.debug({ err: error }, 'the settings cannot be requested, the last known ones are used')
      return known
    }
    if (kept?.version !== settings.version) {
      await keepSettings(db, { version: settings.version, answer: JSON.stringify(settings) })
      kept = settings
    }
    return settings
  }

  async function readKept(): Promise<ShopSettings | undefined> {
    const known = ReadNotificationSettings.reply.safeParse(await findKnownSettings(db))
    return known.data
  }

  return {
    read() {
      if (!underWay) return begin()
      // The running request may be older than what the caller knows: calls that arrive meanwhile share the next one.
      next ??= underWay.then(begin, begin)
      return next
    },
  }
}
