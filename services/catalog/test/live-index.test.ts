import { createDatabase } from '@storefront/postgres'
import { ProductList } from '@storefront/contracts'
import { amount, createSuite, expectLedgerBalanced, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CatalogConfig } from '../src/config.ts'
import type { CatalogTables, Database } from '../src/database.ts'
import { LiveIndex } from '../src/listings/live-index.ts'
import { Superseded } from '../src/listings/superseded.ts'
import { term } from '../src/listings/terms.ts'
import type { RunningCatalog } from '../src/start.ts'
import { fill, shirt, startTestCatalog, usd } from './catalog.ts'

/** At least six: each combination of an order, a tag and a word. */
const SAVES = amount({ quick: 8, long: 60 })
/** Each save is an import with its lists, on a machine that may be busy with something else. */
const MANY_SAVES_MS = 180_000

let suite: Suite
/** Two replicas of the service on one database: one is written to, and the other is read. */
let writer: RunningCatalog
let reader: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  writer = await startTestCatalog(suite)
  reader = await startTestCatalog(suite)
  await save(
    [...Array(40).keys()].map((nth) => shirt(`plain-${nth}`, { price: usd(1000 + nth), categories: ['tops'] })),
  )
})

afterAll(async () => {
  await expectLedgerBalanced(suite)
  await reader.stop()
  await writer.stop()
  await suite.stop()
})

const save = (products: unknown[]) =>
  fill(writer.app, suite, { products, categories: [{ slug: 'tops', name: 'Tops' }] })

async function list(query: Record<string, string>, replica = reader): Promise<ProductList> {
  const response = await replica.app.inject({ url: '/products', query: { per_page: '48', ...query } })
  expect(response.statusCode, response.payload.slice(0, 500)).toBe(200)
  return ProductList.parse(response.json())
}

const slugs = ({ items }: ProductList) => items.map(({ slug }) => slug)

describe('a replica that did not write', () => {
  test(
    'returns the state after the previous write, in its filters, orders, facets and words',
    async () => {
      for (let nth = 0; nth < SAVES; nth++) {
        const amount = nth % 2 === 0 ? 500 + nth : 90_000 + nth
        const tag = nth % 3 === 0 ? 'odd' : 'even'
        const word = `ware${['alpha', 'beta', 'gamma'][nth % 3]}`
        await save([shirt('mover', { title: `Some ${word}`, price: usd(amount), tags: [tag], categories: ['tops'] })])
        const sorted = await list({ sort: nth % 2 === 0 ? 'price-asc' : 'price-desc', category: 'tops' })
        expect(slugs(sorted)[0], `save ${nth}`).toBe('mover')
        expect(sorted.facets.priceRange[nth % 2 === 0 ? 'min' : 'max']).toBe(amount)
        expect(sorted.facets.tags).toEqual([tag])
        expect(slugs(await list({ tags: tag }))).toEqual(['mover'])
        expect((await list({ q: word })).items.map(({ slug }) => slug)).toEqual(['mover'])
        expect(slugs(await list({ q: word.slice(0, -1) }))).toEqual(['mover'])
      }
    },
    MANY_SAVES_MS,
  )

  test('reads everything again when it is further behind than changes are kept', async () => {
    for (let nth = 0; nth < 3; nth++) {
      await Promise.all([
        save([shirt('late', { title: `Late ${nth}`, price: usd(100 + nth), published: nth !== 1 })]),
        suite.sql('delete from catalog.listing_changes'),
      ])
      await suite.sql('delete from catalog.listing_changes')
      expect(slugs(await list({ q: 'late' })), `save ${nth}`).toEqual(nth === 1 ? [] : ['late'])
      expect(slugs(await list({ sort: 'price-asc' }))[0]).toBe(nth === 1 ? 'plain-0' : 'late')
    }
  })

  test(
    'never shows a mix of two states while another replica writes continuously',
    async () => {
      let isWriting = true
      let responses = 0
      const writing = (async () => {
        // A busy machine may read less often than it writes: it writes on until there are enough reads.
        for (let nth = 0; nth < SAVES / 2 || (responses <= 10 && nth < SAVES * 10); nth++) {
          const movers = [1, 2, 3].map((place) =>
            shirt(`swing-${place}`, {
              title: nth % 2 === 0 ? `Swing high ${place}` : `Swing low ${place}`,
              price: usd(nth % 2 === 0 ? 50_000 : 10),
            }),
          )
          await save(movers)
        }
      })().finally(() => {
        isWriting = false
      })
      const read = async () => {
        while (isWriting) {
          const { items, total, facets } = await list({ sort: 'price-asc' })
          const prices = items.map(({ price }) => price.amount)
          expect(prices).toEqual(prices.toSorted((one, other) => one - other))
          expect(items).toHaveLength(Math.min(total, 48))
          expect(facets.priceRange.min).toBe(prices[0])
          for (const word of ['high', 'low']) {
            const found = await list({ q: `swing ${word}` })
            expect([0, 3]).toContain(found.total)
            for (const { title, price } of found.items) {
              expect(title).toContain(word)
              expect(price.amount).toBe(word === 'high' ? 50_000 : 10)
            }
          }
          responses++
        }
      }
      await Promise.all([writing, read(), read()])
      expect(responses).toBeGreaterThan(10)
      // The search does find them, which the reads above did not require.
      expect((await list({ q: 'swing' })).total).toBe(3)
    },
    MANY_SAVES_MS,
  )
})

describe('an index', () => {
  let db: Database
  let lists: LiveIndex

  beforeAll(() => {
    const url = CatalogConfig.shape.DATABASE_URL.parse(suite.env('catalog')['DATABASE_URL'])
    db = createDatabase<CatalogTables>({ url, poolSize: 4, name: 'catalog index', log: suite.log })
    lists = new LiveIndex(db, (read) => read(db), suite.log)
  })

  afterAll(async () => {
    await db.destroy()
  })

  const tagged = (tag: string) => shirt('tagged', { id: 'prod_tagged', title: `Tagged ${tag}`, tags: [tag] })

  test('that changed while a reader waited makes the reader start again, so that it sees one state', async () => {
    await save([tagged('first')])
    let tries = 0
    const seen = await lists.read(async (moment) => {
      tries++
      if (tries === 1) {
        await save([tagged('second')])
        await lists.follow()
      }
      const { items } = await moment.items.find(moment.db, ['prod_tagged'])
      const { listings } = moment.index()
      return {
        item: String(items[0]?.json),
        sizes: ['first', 'second'].map((tag) => listings.itemsWith(term.tag(tag)).size),
      }
    })
    expect(tries).toBe(2)
    expect(seen.item).toContain('Tagged second')
    expect(seen.sizes).toEqual([0, 1])
  })

  test('read without a snapshot makes the reader start again with one, when a statement saw more than the index', async () => {
    await save([tagged('third')])
    let tries = 0
    const seen = await lists.readOptimistically(async (moment) => {
      tries++
      const { listings } = moment.index()
      const sizes = ['third', 'fourth'].map((tag) => listings.itemsWith(term.tag(tag)).size)
      if (tries === 1) await save([tagged('fourth')])
      const { version, items } = await moment.items.find(moment.db, ['prod_tagged'])
      return { version, result: { item: String(items[0]?.json), sizes } }
    })
    expect(tries).toBe(2)
    expect(seen.item).toContain('Tagged fourth')
    expect(seen.sizes).toEqual([0, 1])
  })

  test('with changes that the database lost, as when a standby without them is promoted, is loaded again', async () => {
    const tags = ['kept', 'lost', 'next']
    const sizes = () =>
      lists.read(({ index }) => {
        const { listings } = index()
        return Promise.resolve(tags.map((tag) => listings.itemsWith(term.tag(tag)).size))
      })
    await save([tagged('kept')])
    const [kept] = await suite.sql<{ version: number; terms: number[] }>(
      `select v.version, l.terms from catalog.listing_version v, catalog.listings l where l.product_id = 'prod_tagged'`,
    )
    await save([tagged('lost')])
    expect(await sizes()).toEqual([0, 1, 0])
    let losses = 0
    lists.onLostChanges(() => losses++)
    await suite.sql(
      `with restored as (update catalog.listing_version set version = $1),
         deleted as (delete from catalog.listing_changes where version > $1)
       update catalog.listings set terms = $2 where product_id = 'prod_tagged'`,
      [kept?.version, kept?.terms],
    )
    expect(await Promise.all([sizes(), sizes()])).toEqual([
      [1, 0, 0],
      [1, 0, 0],
    ])
    expect(losses).toBe(1)
    await save([tagged('next')])
    expect(await sizes()).toEqual([0, 0, 1])
  })

  test('does not cache the matches of a word among listings that it does not have yet', async () => {
    await save([tagged('fifth')])
    await lists.follow()
    await lists.readOptimistically(async (moment) => {
      const { lexemes, version } = moment.index()
      await save([tagged('quixotic')])
      await expect(lexemes.find(moment.db, version, ['quixot'])).rejects.toThrow(Superseded)
      return { version, result: undefined }
    })
  })

  test.each([
    { what: 'before', isBefore: true },
    { what: 'while', isBefore: false },
  ])('finds a text that was changed $what its word was looked up', async ({ isBefore }) => {
    const word = isBefore ? 'zephyr' : 'zenith'
    const other = `other-${word}`
    await save([tagged('plain')])
    const gate = Promise.withResolvers<void>()
    await lists.read(async (moment) => {
      const held = moment.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: ({ result }) => gate.promise.then(() => result),
      })
      const { lexemes, version } = moment.index()
      const finding = isBefore ? undefined : lexemes.find(held, version, [word])
      await save([tagged(word), shirt(other, { title: `No ${word}` })])
      await lists.follow()
      gate.resolve()
      await finding
    })
    await save([shirt(other, { title: 'None' })])
    const size = await lists.read(async (moment) => {
      const { lexemes, version } = moment.index()
      const found = await lexemes.find(moment.db, version, [word])
      return found.get(word)?.words.size
    })
    expect(size).toBe(1)
  })
})
