import type { z } from 'zod'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { isDatabaseTimeout, isOutage } from '@storefront/postgres'
import type { Log } from '@storefront/service'
import { ReadNotificationSettings, ShopInMails } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findKnownSettings, keepSettings } from './settings.queries.ts'

/** The part of the storefront configuration that concerns mails, with the name, locale and currency of the shop. */
export type ShopSettings = z.output<typeof ShopInMails>

/** The settings are unknown and no earlier ones are stored: mails wait. */
export class SettingsUnavailable extends Error {}

export type SettingsReader = ReturnType<typeof createSettingsReader>

/**
 * Requests the settings from catalog, one request at a time for all mails, and stores them for the time when catalog
 * is down.
 */
export function createSettingsReader({ db, messaging, log }: { db: Database; messaging: Messaging; log: Log }) {
  let kept: ShopSettings | undefined
  let storedVersion: number | undefined
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
    let reply: z.output<typeof ReadNotificationSettings.reply>
    try {
      reply = await sendRequest(messaging, ReadNotificationSettings, { knownVersion: kept?.version })
    } catch (error) {
      const known = kept ?? (await readKept(db))
      if (!known) throw new SettingsUnavailable('the settings of the shop could not be requested', { cause: error })
      log.debug({ err: error }, 'the settings cannot be requested; the last known ones are used')
      return known
    }
    if ('isUnchanged' in reply) {
      if (kept?.version !== reply.version) throw new SettingsUnavailable('catalog named a version that is not known')
    } else kept = reply
    if (storedVersion !== kept.version) await store(kept)
    return kept
  }

  /** A database that is not available fails no mail: the next read tries it again. */
  async function store(settings: ShopSettings): Promise<void> {
    try {
      await keepSettings(db, { version: settings.version, settings: JSON.stringify(settings) })
      storedVersion = settings.version
    } catch (error) {
      log.warn({ err: error }, 'the settings of the shop could not be stored for the time when catalog is down')
    }
  }

  return {
    /** The current settings; while catalog is down the last known ones. @throws SettingsUnavailable */
    read(): Promise<ShopSettings> {
      if (!underWay) return begin()
      // The running request may be older than what the caller knows: calls that arrive meanwhile share the next one.
      next ??= underWay.then(begin, begin)
      return next
    },
  }
}

async function readKept(db: Database): Promise<ShopSettings | undefined> {
  try {
    return ShopInMails.safeParse(await findKnownSettings(db)).data
  } catch (error) {
    if (!isOutage(error) && !isDatabaseTimeout(error)) throw error
    throw new SettingsUnavailable('the last known settings of the shop could not be read', { cause: error })
  }
}
