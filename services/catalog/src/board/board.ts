import type { Result } from 'ioredis'
import type { Log, RedisClient } from '@storefront/chassis'
import {
  BOARD_FIELDS,
  boardEntryKey,
  boardSettingsKey,
  type BoardEntry,
  type BoardSettings,
} from '@storefront/contracts'

/** Writes a value and its version unless what is there is newer: two writers may come in any order. */
const SET_IF_NEWER = `
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known and tonumber(known) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
return 1`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    setIfNewer(
      key: string,
      versionField: string,
      version: number,
      valueField: string,
      value: string | number,
    ): Result<number, Context>
  }
}

type Write = readonly [key: string, versionField: string, version: number, valueField: string, value: string | number]

export interface Board {
  writeEntries(entries: readonly BoardEntry[]): Promise<void>
  writeStock(changes: readonly { variantId: string; inventory: number; version: number }[]): Promise<void>
  writeSettings(settings: BoardSettings): Promise<void>
  /** Versions on the board, in the order asked for; undefined where an entry is missing. @throws when Redis is gone */
  readVersions(variantIds: readonly string[]): Promise<({ facts: number; stock: number } | undefined)[]>
}

/**
 * The writing side of the price board. A write that fails is only logged: carts then ask catalog itself, and the sweep
 * puts things right.
 */
export function openBoard(redis: RedisClient, namespace: string, log: Log): Board {
  redis.defineCommand('setIfNewer', { numberOfKeys: 1, lua: SET_IF_NEWER })
  const { facts, factsVersion, stock, stockVersion } = BOARD_FIELDS

  async function write(writes: readonly Write[]): Promise<void> {
    if (writes.length === 0 || redis.status !== 'ready') return
    try {
      await Promise.all(writes.map((each) => redis.setIfNewer(...each)))
    } catch (error) {
      log.warn({ err: error, entries: writes.length }, 'the price board could not be written; the sweep repairs it')
    }
  }

  return {
    writeEntries: (entries) =>
      write(
        entries.flatMap((entry) => {
          const key = boardEntryKey(namespace, entry.variantId)
          return [
            [key, factsVersion, entry.factsVersion, facts, JSON.stringify(entry.facts)] as const,
            [key, stockVersion, entry.stockVersion, stock, entry.inventory] as const,
          ]
        }),
      ),
    writeStock: (changes) =>
      write(
        changes.map((change) => [
          boardEntryKey(namespace, change.variantId),
          stockVersion,
          change.version,
          stock,
          change.inventory,
        ]),
      ),
    writeSettings: (settings) =>
      write([[boardSettingsKey(namespace), 'version', settings.version, 'settings', JSON.stringify(settings)]]),
    async readVersions(variantIds) {
      const rows = await Promise.all(
        variantIds.map((variantId) => redis.hmget(boardEntryKey(namespace, variantId), factsVersion, stockVersion)),
      )
      return rows.map(([factsText, stockText]) =>
        factsText && stockText ? { facts: Number(factsText), stock: Number(stockText) } : undefined,
      )
    },
  }
}
