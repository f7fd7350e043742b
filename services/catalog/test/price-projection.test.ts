import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  record,
  type Arbitrary,
} from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { chunksOf, createLog, openRedis, type RedisClient } from '@storefront/service'
import {
  PRICE_FIELDS,
  PriceFacts,
  priceEntryKey,
  priceSettingsKey,
  type PriceEntry,
  type PriceSettings,
} from '@storefront/contracts'
import { amount, startOwnRedis, waitFor, type OwnRedis } from '@storefront/tools/testing'
import { openPriceProjection, type PriceProjection } from '../src/price-projection/price-projection.ts'
import { anyText } from './any-text.ts'
import { usd } from './catalog.ts'

const log = createLog({ service: 'test', level: 'silent' })

let server: OwnRedis
/** Two replicas of the service, each with its own connection. */
let redis: RedisClient
let otherRedis: RedisClient
let namespace: string
let projection: PriceProjection
let other: PriceProjection
let namespaces = 0

beforeAll(async () => {
  server = await startOwnRedis()
  redis = openRedis({ url: server.url, name: 'projection', log })
  otherRedis = openRedis({ url: server.url, name: 'other-projection', log })
  await isReady()
  clean()
})

afterEach(() => vi.restoreAllMocks())

afterAll(async () => {
  redis.disconnect()
  otherRedis.disconnect()
  await server.remove()
})

/** From now on, an empty price projection. */
function clean(): void {
  namespace = `projection${namespaces++}`
  projection = openPriceProjection(redis, namespace, log)
  other = openPriceProjection(otherRedis, namespace, log)
}

const isReady = () => waitFor('the connections', () => redis.status === 'ready' && otherRedis.status === 'ready')

/** The content of an entry follows from its versions, so that a reader can check that both belong together. */
function entryOf(variantId: string, factsVersion = 1, stockVersion = 1, more: Partial<PriceFacts> = {}): PriceEntry {
  return {
    variantId,
    facts: {
      productId: `prod_${variantId}`,
      productSlug: 'linen-shirt',
      sku: `LS-${variantId}`,
      title: `Shirt, edition ${factsVersion}`,
      options: { Size: 'M', Color: 'Ecru' },
      image: { url: 'http://shop.test/media/shirt.jpg', alt: 'A shirt' },
      price: usd(4000),
      categories: ['shirts'],
      published: true,
      ...more,
    },
    factsVersion,
    inventory: stockVersion % 1000,
    stockVersion,
  }
}

const stockOf = (variantId: string, version: number) => ({ variantId, inventory: version % 1000, version })

const many = (count: number, version = 1) =>
  Array.from({ length: count }, (_, nth) => entryOf(`var_${nth}`, version, version))

/** A hash of the price projection as a cart would read it. */
async function inProjection(variantId: string) {
  const { facts, factsVersion, stock, stockVersion } = PRICE_FIELDS
  const row = await redis.hgetall(priceEntryKey(namespace, variantId))
  const text = row[facts]
  return {
    ...(text !== undefined && { facts: PriceFacts.parse(JSON.parse(text)), factsVersion: Number(row[factsVersion]) }),
    ...(row[stock] !== undefined && { inventory: Number(row[stock]), stockVersion: Number(row[stockVersion]) }),
  }
}

/** How many scripts Redis has run since the last call. */
async function calls(): Promise<number> {
  const stats = await redis.info('commandstats')
  await redis.config('RESETSTAT')
  return [...stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** The logged failed writes, as numbers of entries. */
function failures(): { counted: () => number[] } {
  const warn = vi.spyOn(log, 'warn')
  return {
    counted: () =>
      warn.mock.calls.flatMap(([given, sentence]: unknown[]) =>
        String(sentence).includes('price projection') && given instanceof Object && 'entries' in given
          ? [Number(given.entries)]
          : [],
      ),
  }
}

describe('versions', () => {
  interface Write {
    variant: number
    /** None when only the stock is written. */
    facts: number | undefined
    stock: number
  }
  // Numbers that sort differently as texts, and the limits of integers.
  const versions = oneof(integer({ min: 0, max: 12 }), constantFrom(99, 100, 2 ** 31, Number.MAX_SAFE_INTEGER))
  const writes = (variants: number): Arbitrary<Write> =>
    record({
      variant: integer({ min: 0, max: variants - 1 }),
      facts: oneof({ weight: 3, arbitrary: versions }, { weight: 1, arbitrary: constant(undefined) }),
      stock: versions,
    })
  const lots = oneof(
    array(array(writes(4), { maxLength: 6 }), { maxLength: 8 }),
    array(array(writes(130), { minLength: 90, maxLength: 160, size: 'max' }), { minLength: 1, maxLength: 3 }),
  )

  async function apply(lot: readonly Write[], to: PriceProjection): Promise<void> {
    const entries = lot.flatMap(({ variant, facts, stock }) =>
      facts === undefined ? [] : [entryOf(`var_${variant}`, facts, stock)],
    )
    const changes = lot.filter(({ facts }) => facts === undefined)
    await Promise.all([
      to.writeEntries(entries),
      to.writeStock(changes.map(({ variant, stock }) => stockOf(`var_${variant}`, stock))),
    ])
  }

  test('the newest facts and the newest stock of each variant stay, in whatever order and combination they were written', async () => {
    await assert(
      asyncProperty(lots, boolean(), async (written, isTogether) => {
        clean()
        if (isTogether) await Promise.all(written.map((lot, nth) => apply(lot, nth % 2 === 0 ? projection : other)))
        else for (const [nth, lot] of written.entries()) await apply(lot, nth % 2 === 0 ? projection : other)

        const newest = new Map<string, { facts: number; stock: number }>()
        for (const { variant, facts = -1, stock } of written.flat()) {
          const known = newest.get(`var_${variant}`) ?? { facts: -1, stock: -1 }
          newest.set(`var_${variant}`, { facts: Math.max(known.facts, facts), stock: Math.max(known.stock, stock) })
        }
        for (const [variantId, { facts, stock }] of newest) {
          const { factsVersion, ...expected } = entryOf(variantId, facts, stock)
          const { variantId: _, facts: given, ...numbers } = expected
          expect(await inProjection(variantId)).toEqual({
            ...numbers,
            ...(facts >= 0 && { facts: given, factsVersion }),
          })
        }
        const ids = [...newest.keys()]
        expect(await projection.readVersions(ids)).toEqual(
          ids.map((id) => ((newest.get(id)?.facts ?? -1) < 0 ? undefined : newest.get(id))),
        )
      }),
      { numRuns: amount({ quick: 12, long: 150 }) },
    )
  })

  test('facts and stock are compared separately', async () => {
    clean()
    await projection.writeStock([stockOf('var_a', 7)])
    await projection.writeEntries([entryOf('var_a', 1, 5)])
    expect(await inProjection('var_a')).toMatchObject({ factsVersion: 1, stockVersion: 7, inventory: 7 })
    await projection.writeEntries([entryOf('var_a', 2, 6)])
    expect(await inProjection('var_a')).toMatchObject({ factsVersion: 2, stockVersion: 7, inventory: 7 })
    await projection.writeEntries([entryOf('var_a', 1, 8)])
    expect(await inProjection('var_a')).toMatchObject({ factsVersion: 2, stockVersion: 8, inventory: 8 })
    expect((await inProjection('var_a')).facts?.title).toBe('Shirt, edition 2')
  })

  test('of a withdrawn entry only the version stays, for an hour, until a newer one comes', async () => {
    clean()
    const key = priceEntryKey(namespace, 'var_a')
    await projection.writeEntries([entryOf('var_a', 3, 3), entryOf('var_b', 3, 3)])
    await other.withdraw([{ variantId: 'var_a', factsVersion: 4 }])
    expect(await redis.hgetall(key)).toEqual({ [PRICE_FIELDS.factsVersion]: '4' })
    expect(await redis.ttl(key)).toBeGreaterThan(3000)
    expect(await projection.readVersions(['var_a', 'var_b'])).toEqual([undefined, { facts: 3, stock: 3 }])
    await projection.writeEntries([entryOf('var_a', 3, 9)])
    expect(await inProjection('var_a')).not.toHaveProperty('facts')
    await projection.writeEntries([entryOf('var_a', 5, 9)])
    expect(await projection.readVersions(['var_a'])).toEqual([{ facts: 5, stock: 9 }])
    expect(await redis.ttl(key)).toBe(-1)
    await other.withdraw([{ variantId: 'var_a', factsVersion: 4 }])
    expect(await projection.readVersions(['var_a'])).toEqual([{ facts: 5, stock: 9 }])
  })

  test('facts that the previous version wrote without a SKU get it under the same version', async () => {
    clean()
    await projection.writeEntries([entryOf('var_a', 3, 3, { sku: undefined })])
    expect((await inProjection('var_a')).facts).not.toHaveProperty('sku')
    await projection.writeEntries([entryOf('var_a', 3, 3)])
    expect(await inProjection('var_a')).toMatchObject({ facts: { sku: 'LS-var_a' }, factsVersion: 3 })
    await projection.writeEntries([entryOf('var_a', 2, 3, { sku: 'OLD' })])
    expect(await inProjection('var_a')).toMatchObject({ facts: { sku: 'LS-var_a' }, factsVersion: 3 })
  })

  test('of settings decide which settings stay', async () => {
    clean()
    const settings = (version: number): PriceSettings => ({
      version,
      currency: 'USD',
      locale: `edition-${version}`,
      commerce: {},
      checkoutMode: 'demo',
      numberPrefix: 'SF-',
      checkoutProvider: 'demo',
      storeName: 'Shop',
      restockOnRefund: true,
    })
    await Promise.all([9, 11, 10, 2].map((version) => projection.writeSettings(settings(version))))
    await other.writeSettings(settings(9))
    const row = await redis.hgetall(priceSettingsKey(namespace))
    expect([row['version'], JSON.parse(row['settings'] ?? '')]).toEqual(['11', settings(11)])
  })

  test('of an entry without facts or without stock do not exist', async () => {
    clean()
    await projection.writeStock([stockOf('var_a', 1)])
    await projection.writeEntries([entryOf('var_c', 2, 3)])
    expect(await projection.readVersions(['var_a', 'var_b', 'var_c'])).toEqual([
      undefined,
      undefined,
      { facts: 2, stock: 3 },
    ])
  })
})

describe('many entries', () => {
  // While other test files keep the processors busy, half a second may pass before a command is processed.
  beforeAll(() => {
    const usual = redis.options.commandTimeout
    for (const client of [redis, otherRedis]) client.options.commandTimeout = 20_000
    return () => {
      for (const client of [redis, otherRedis]) client.options.commandTimeout = usual
    }
  })

  /** Read in pages, as the sweep does: a command times out if it waits for thousands of others. */
  async function versionsOf(ids: readonly string[]) {
    const pages = []
    for (const page of chunksOf(ids, 500)) pages.push(await projection.readVersions(page))
    return pages.flat()
  }

  test.each([0, 1, 49, 50, 51, 137, 1000, 1001, 3120])('%i are all written completely', async (count) => {
    clean()
    const entries = many(count)
    await projection.writeEntries(entries)
    const ids = entries.map(({ variantId }) => variantId)
    expect(await versionsOf(ids)).toEqual(ids.map(() => ({ facts: 1, stock: 1 })))
    for (const nth of new Set([0, 49, 50, count - 1])) {
      const entry = entries[nth]
      if (!entry) continue
      const { variantId, ...expected } = entry
      expect(await inProjection(variantId)).toEqual(expected)
    }
    await other.writeStock(ids.map((variantId) => stockOf(variantId, 2)))
    expect(await versionsOf(ids)).toEqual(ids.map(() => ({ facts: 1, stock: 2 })))
  })

  test('are written in few calls, and none of them is long', async () => {
    clean()
    await projection.writeEntries(many(1))
    await calls()
    await projection.writeEntries(many(2000, 2))
    const made = await calls()
    expect(made).toBeGreaterThanOrEqual(2000 / 100)
    expect(made).toBeLessThanOrEqual(2000 / 25)
  })

  test('are stored unchanged, whatever characters they have', async () => {
    await assert(
      asyncProperty(array(anyText(40), { minLength: 1, maxLength: 5 }), async (texts) => {
        clean()
        const entries = texts.map((text, nth) =>
          entryOf(`var_${nth}`, 1, 1, { title: text, options: { Size: text }, categories: texts }),
        )
        await projection.writeEntries(entries)
        for (const { variantId, facts } of entries) expect((await inProjection(variantId)).facts).toEqual(facts)
      }),
      { numRuns: amount({ quick: 16, long: 100 }) },
    )
  })

  test('are written when Redis no longer has the script', async () => {
    clean()
    await projection.writeEntries(many(120))
    await redis.script('FLUSH')
    const warned = failures()
    await projection.writeEntries(many(120, 2))
    expect(warned.counted()).toEqual([])
    expect(await projection.readVersions(['var_0', 'var_119'])).toEqual([
      { facts: 2, stock: 2 },
      { facts: 2, stock: 2 },
    ])
  })
})

describe('the memory of an entry', () => {
  const facts = (bytes: number) => {
    const bare = JSON.stringify(entryOf('var_a', 1, 1, { title: '' }).facts)
    return { title: 'x'.repeat(bytes - bare.length) }
  }

  test('is small with facts of usual length in the Redis that is started here', async () => {
    clean()
    await projection.writeEntries([entryOf('var_a', 1, 1, facts(450))])
    const key = priceEntryKey(namespace, 'var_a')
    expect(await redis.object('ENCODING', key)).toBe('listpack')
    expect(await redis.memory('USAGE', key)).toBeLessThan(680)
  })

  test('is larger with long facts, which are still stored', async () => {
    clean()
    const { variantId, ...expected } = entryOf('var_a', 1, 1, facts(5000))
    await projection.writeEntries([entryOf(variantId, 1, 1, facts(5000))])
    expect(await inProjection(variantId)).toEqual(expected)
  })
})

describe('a Redis that fails', () => {
  const LARGE = 40_000

  test('in the middle of a write is only logged, and later writes are stored', async () => {
    clean()
    const warned = failures()
    const calls = vi.spyOn(redis, 'setNewer')
    const writing = projection.writeEntries(many(LARGE))
    // Another connection would see an entry before its writer gets the reply. (The client calls itself with no reply
    // yet.)
    await waitFor('the first reply', () =>
      calls.mock.settledResults.some(({ type, value }) => type === 'fulfilled' && value === null),
    )
    await server.kill()
    const written = await writing
    const [missed = 0, ...others] = warned.counted()
    expect(missed).toBeGreaterThan(0)
    expect(written).toBe(LARGE - missed)
    expect(written).toBeGreaterThan(0)
    expect(others).toEqual([])

    await projection.writeStock([stockOf('var_0', 5)])
    await projection.writeEntries([entryOf('var_0', 5, 5)])
    await expect(projection.readVersions(['var_0'])).rejects.toThrow()
    await server.start()
    await isReady()
    // More than three times as many as may be under way at once.
    await projection.writeEntries(many(3001, 3))
    const ids = [0, 1, 50, 999, 1000, 3000].map((nth) => `var_${nth}`)
    expect(await projection.readVersions(ids)).toEqual(ids.map(() => ({ facts: 3, stock: 3 })))
  })

  test('to reply delays nothing, and is written to when it continues', async () => {
    clean()
    await projection.writeEntries([entryOf('var_0')])
    expect(server.pid).toBeDefined()
    const warned = failures()
    process.kill(server.pid ?? 0, 'SIGSTOP')
    try {
      // Redis is paused until this write has ended.
      await projection.writeEntries(many(1000, 2))
    } finally {
      process.kill(server.pid ?? 0, 'SIGCONT')
    }
    expect(warned.counted()).toEqual([1000])
    await waitFor('the connection', async () => (await projection.writeEntries(many(1000, 2))) === 1000)
    expect(await other.readVersions(['var_0', 'var_999'])).toEqual([
      { facts: 2, stock: 2 },
      { facts: 2, stock: 2 },
    ])
  })
})
