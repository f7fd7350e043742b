import type { z } from 'zod'
import { ask, type Log, type Messaging } from '@storefront/chassis'
import { ReadNotificationSettings } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findKnownSettings, keepSettings } from './settings.queries.ts'

/** The part of the storefront configuration that rules mails, with the name, locale and currency of the shop. */
export type ShopSettings = z.output<typeof ReadNotificationSettings.answer>

/** Nobody can say what the settings are, and nobody ever did: mails wait. */
export class SettingsUnavailable extends Error {}

export interface SettingsReader {
  /**
   * The settings as they are in force now; while catalog is away those that were known last.
   * @throws SettingsUnavailable
   */
  read(): Promise<ShopSettings>
}

/** Asks catalog for the settings, one question at a time for all mails, and keeps them for the time when catalog is away. */
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
    const question = readNow().finally(() => {
      if (underWay === question) underWay = undefined
    })
    underWay = question
    return question
  }

  async function readNow(): Promise<ShopSettings> {
    let settings: ShopSettings
    try {
      settings = await ask(messaging, ReadNotificationSettings, {})
    } catch (error) {
      const known = kept ?? (await readKept())
      if (!known) throw new SettingsUnavailable('the settings of the shop could not be asked for', { cause: error })
      log.debug({ err: error }, 'settings cannot be asked for, those that were known last are used')
      return known
    }
    if (kept?.version !== settings.version) {
      await keepSettings(db, { version: settings.version, answer: JSON.stringify(settings) })
      kept = settings
    }
    return settings
  }

  async function readKept(): Promise<ShopSettings | undefined> {
    const known = ReadNotificationSettings.answer.safeParse(await findKnownSettings(db))
    return known.data
  }

  return {
    read() {
      if (!underWay) return begin()
      // The question under way may be older than what the caller knows: those who come meanwhile share the next one.
      next ??= underWay.then(begin, begin)
      return next
    },
  }
}
