import { sendRequest, type Messaging } from '@storefront/messaging'
import { counter, type Log, type RedisClient, shareReads } from '@storefront/service'
import { isOutage } from '@storefront/postgres'
import {
  PRICE_FIELDS,
  PriceFacts,
  priceEntryKey,
  PriceSettings,
  priceSettingsKey,
  ReadPrices,
  type PriceEntry,
} from '@storefront/contracts'

export interface PriceReading {
  entries: Map<string, PriceEntry>
  settings: PriceSettings
  /** Variants that could not be read, which is different from variants that do not exist. */
  unread: ReadonlySet<string>
}

export interface PriceReader {
  /** @throws DependencyUnavailable when the settings can be read from neither Redis nor catalog */
  read(variantIds: readonly string[]): Promise<PriceReading>
}

const reads = counter(
  'storefront_price_projection_reads_total',
  'Reads of the price projection by outcome: hit in Redis, miss or without_redis (requested from catalog), unavailable',
  ['outcome'],
)

/** Variants whose parsed facts are in memory at once. */
const MAX_REMEMBERED = 20_000
const NOTHING: ReadonlySet<string> = new Set()

/**
 * Reads the price projection in one round trip to Redis. What is missing there, or everything when Redis is down, is
 * read from catalog, and so are facts without a SKU, which an earlier version of catalog wrote.
 */
export function openPriceReader(context: {
  redis: RedisClient
  messaging: Messaging
  namespace: string
  log: Log
}): PriceReader {
  const { messaging } = context
  const readRedis = redisReader(context)

  return {
    async read(variantIds) {
      const found = await readRedis(variantIds)
      const entries = found?.entries ?? new Map<string, PriceEntry>()
      const missing = variantIds.filter((id) => entries.get(id)?.facts.sku === undefined)
      if (missing.length === 0 && found?.settings) {
        reads.inc({ outcome: 'hit' })
        return { entries, settings: found.settings, unread: NOTHING }
      }
      try {
        const reply = await sendRequest(messaging, ReadPrices, { variantIds: missing })
        reads.inc({ outcome: found ? 'miss' : 'without_redis' })
        for (const id of missing) entries.delete(id)
        for (const entry of reply.entries) entries.set(entry.variantId, entry)
        return { entries, settings: reply.settings, unread: NOTHING }
      } catch (error) {
        reads.inc({ outcome: 'unavailable' })
        // Without catalog, a line that has no entry is shown as the cart stored it, and facts without a SKU are used
        // without it. Without the settings no cart can be priced.
        const unread = new Set(missing.filter((id) => !entries.has(id)))
        if (isOutage(error) && found?.settings) return { entries, settings: found.settings, unread }
        throw error
      }
    },
  }
}

/**
 * Each text is parsed once in a process, because most carts hold the same few products. It is compared itself, and not
 * its version, which comes again with another text when a standby was promoted without the last changes.
 * @returns a function that reads what Redis has, or undefined when Redis cannot be read
 */
function redisReader({ redis, namespace, log }: { redis: RedisClient; namespace: string; log: Log }) {
  const remembered = new Map<string, { text: string; facts: PriceFacts }>()
  const readSettings = shareReads(() => redis.hmget(priceSettingsKey(namespace), 'version', 'settings'))
  let settings: { text: string; parsed: PriceSettings } | undefined

  function parsedFacts(variantId: string, text: string): PriceFacts {
    const known = remembered.get(variantId)
    if (known?.text === text) return known.facts
    const facts = PriceFacts.parse(JSON.parse(text))
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(variantId, { text, facts })
    return facts
  }

  return async (variantIds: readonly string[]): Promise<Partial<PriceReading> | undefined> => {
    if (redis.status !== 'ready') return undefined
    const { facts, factsVersion, stock, stockVersion } = PRICE_FIELDS
    try {
      const [settingsRow, ...rows] = await Promise.all([
        readSettings(),
        ...variantIds.map((id) => redis.hmget(priceEntryKey(namespace, id), factsVersion, facts, stockVersion, stock)),
      ])
      const entries = new Map<string, PriceEntry>()
      rows.forEach(([version, text, stockVersionText, inventory], index) => {
        const variantId = variantIds[index]
        if (!variantId || !version || !text || !stockVersionText || !inventory) return
        entries.set(variantId, {
          variantId,
          facts: parsedFacts(variantId, text),
          factsVersion: Number(version),
          inventory: Number(inventory),
          stockVersion: Number(stockVersionText),
        })
      })
      const [version, text] = settingsRow
      if (version && text && settings?.text !== text) settings = { text, parsed: PriceSettings.parse(JSON.parse(text)) }
      return { entries, ...(version && settings ? { settings: settings.parsed } : {}) }
    } catch (error) {
      log.warn({ err: error }, 'the price projection cannot be read from Redis; the prices are requested from catalog')
      return undefined
    }
  }
}
