import type { Result } from 'ioredis'
import { chunksOf, type Log, type RedisClient } from '@storefront/service'
import {
  PRICE_FIELDS,
  priceEntryKey,
  priceSettingsKey,
  type PriceEntry,
  type PriceSettings,
} from '@storefront/contracts'

/**
 * Writes versioned values into many hashes, unless a stored value is newer, because writers may arrive in any order. A
 * value of the same version is written again, because the previous version of the service wrote the same facts without
 * the SKU. ARGV: the number of values per hash; the version field and the value field of each; then, key by key, the
 * version and the content of each value. If there are several, the first, which has the facts, restores a withdrawn
 * entry.
 */
const SET_NEWER = `
local last = 2 * ARGV[1]
local at = last + 2
for _, key in ipairs(KEYS) do
  for field = 2, last, 2 do
    local known = redis.call('HGET', key, ARGV[field])
    if not known or tonumber(known) <= tonumber(ARGV[at]) then
      redis.call('HSET', key, ARGV[field], ARGV[at], ARGV[field + 1], ARGV[at + 1])
      if last > 2 and field == 2 then redis.call('PERSIST', key) end
    end
    at = at + 2
  end
end`

/**
 * Reduces many hashes to the version of their facts for a limited time, so that late writes, which have older versions,
 * are ignored. ARGV: the time in seconds, the version field, then for each key a version.
 */
const WITHDRAW = `
for at, key in ipairs(KEYS) do
  local known = redis.call('HGET', key, ARGV[2])
  if not known or tonumber(known) < tonumber(ARGV[at + 2]) then
    redis.call('DEL', key)
    redis.call('HSET', key, ARGV[2], ARGV[at + 2])
    redis.call('EXPIRE', key, ARGV[1])
  end
end`

/** Longer than any write of an entry may take. */
const WITHDRAWN_SECONDS = 3600

/** Hashes per call, which blocks Redis for 0.2 ms. A call for each hash took catalog six times as long. */
const BATCH = 50

/**
 * The maximum number of hashes in flight. Serializing them blocks catalog for about 4 ms. With a whole catalog in
 * flight, the last call would time out.
 */
const UNDER_WAY = 20 * BATCH

declare module 'ioredis' {
  interface RedisCommander<Context> {
    setNewer(numberOfKeys: number, ...keysAndArguments: (string | number)[]): Result<null, Context>
    withdraw(numberOfKeys: number, ...keysAndArguments: (string | number)[]): Result<null, Context>
  }
}

/** A hash, and the values to write into it: a version and a value for each pair of fields. */
interface Row {
  key: string
  values: readonly (string | number)[]
}

/** A deleted variant, and the version of its facts at the deletion. */
export interface WithdrawnVariant {
  variantId: string
  factsVersion: number
}

/** The versions of an entry. */
export interface ProjectedVersions {
  facts: number
  stock: number
}

/** Each write returns how many were written. */
export interface PriceProjection {
  writeEntries(entries: readonly PriceEntry[]): Promise<number>
  /** Removes variants from the price projection. Carts then request them from catalog, which no longer has them. */
  withdraw(variants: readonly WithdrawnVariant[]): Promise<number>
  writeStock(changes: readonly { variantId: string; inventory: number; version: number }[]): Promise<number>
  writeSettings(settings: PriceSettings): Promise<number>
  /**
   * Versions in the price projection, in the requested order; undefined where an entry is missing. @throws when Redis
   * is down
   */
  readVersions(variantIds: readonly string[]): Promise<(ProjectedVersions | undefined)[]>
  /** The version of the settings in the price projection; 0 where there are none. @throws when Redis is down */
  readSettingsVersion(): Promise<number>
  /** Carts then request these entries from catalog, until they are written again. @throws when Redis is down */
  dropEntries(variantIds: readonly string[]): Promise<void>
  /** The same for the settings. @throws when Redis is down */
  dropSettings(): Promise<void>
}

/**
 * Writes the price projection. A failed write is only logged, because carts then request entries from catalog, and the
 * sweep repairs the projection.
 */
export function openPriceProjection(redis: RedisClient, namespace: string, log: Log): PriceProjection {
  redis.defineCommand('setNewer', { lua: SET_NEWER })
  redis.defineCommand('withdraw', { lua: WITHDRAW })
  const { facts, factsVersion, stock, stockVersion } = PRICE_FIELDS
  const context = { redis, log }

  const write = <Item>(
    fields: readonly string[],
    items: readonly Item[],
    rowOf: (item: Item) => Row,
  ): Promise<number> =>
    inBatches(context, items, (batch) => {
      const rows = batch.map(rowOf)
      const values = rows.flatMap((row) => row.values)
      return redis.setNewer(rows.length, ...rows.map(({ key }) => key), fields.length / 2, ...fields, ...values)
    })

  return {
    writeEntries: (entries) =>
      write([factsVersion, facts, stockVersion, stock], entries, (entry) => ({
        key: priceEntryKey(namespace, entry.variantId),
        values: [entry.factsVersion, JSON.stringify(entry.facts), entry.stockVersion, entry.inventory],
      })),
    withdraw: (variants) =>
      inBatches(context, variants, (batch) => {
        const keys = batch.map(({ variantId }) => priceEntryKey(namespace, variantId))
        const versions = batch.map((variant) => variant.factsVersion)
        return redis.withdraw(keys.length, ...keys, WITHDRAWN_SECONDS, factsVersion, ...versions)
      }),
    writeStock: (changes) =>
      write([stockVersion, stock], changes, (change) => ({
        key: priceEntryKey(namespace, change.variantId),
        values: [change.version, change.inventory],
      })),
    writeSettings: (settings) =>
      write(['version', 'settings'], [settings], () => ({
        key: priceSettingsKey(namespace),
        values: [settings.version, JSON.stringify(settings)],
      })),
    async readVersions(variantIds) {
      const rows = await Promise.all(
        variantIds.map((variantId) => redis.hmget(priceEntryKey(namespace, variantId), factsVersion, stockVersion)),
      )
      return rows.map(([factsText, stockText]) =>
        factsText && stockText ? { facts: Number(factsText), stock: Number(stockText) } : undefined,
      )
    },
    readSettingsVersion: async () => Number(await redis.hget(priceSettingsKey(namespace), 'version')),
    async dropEntries(variantIds) {
      await Promise.all(variantIds.map((variantId) => redis.del(priceEntryKey(namespace, variantId))))
    },
    dropSettings: async () => void (await redis.del(priceSettingsKey(namespace))),
  }
}

async function inBatches<Item>(
  { redis, log }: { redis: RedisClient; log: Log },
  items: readonly Item[],
  send: (batch: readonly Item[]) => Promise<unknown>,
): Promise<number> {
  if (redis.status !== 'ready') return 0
  let missed = 0
  let fault: unknown
  const sendBatch = async (batch: readonly Item[]): Promise<void> => {
    try {
      await send(batch)
    } catch (error) {
      missed += batch.length
      fault = error
    }
  }
  for (let start = 0; start < items.length; start += UNDER_WAY) {
    if (redis.status !== 'ready') {
      missed += items.length - start
      break
    }
    await Promise.all(chunksOf(items.slice(start, start + UNDER_WAY), BATCH).map(sendBatch))
  }
  if (missed > 0) {
    log.warn({ err: fault, entries: missed }, 'the price projection could not be written; the sweep repairs it')
  }
  return items.length - missed
}
