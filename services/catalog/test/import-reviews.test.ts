import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { transaction } from '@storefront/postgres'
import { ImportResult, SubmittedReview } from '@storefront/contracts'
import { createSuite, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { anonymizeReviews, FORMER_AUTHOR } from '../src/customers/customers.queries.ts'
import type { Tx } from '../src/database.ts'
import { removeProducts } from '../src/products/remove-products.ts'
import { importCatalogue, issueTextsOf, shirt, startTestCatalog } from './catalog.ts'
import { openWriter, whileOpen } from './save-meanwhile.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})
afterAll(() => suite.stop())

const products = ['linen', 'wool', 'silk'].map((slug) => shirt(slug))

beforeEach(async () => {
  expect((await importCatalogue(catalog.app, suite, { mode: 'replace', settings: {}, products })).statusCode).toBe(200)
})

async function write(product: string, customerId: string): Promise<string> {
  const response = await catalog.app.inject({
    method: 'POST',
    url: `/products/${product}/reviews`,
    headers: suite.headers.customer(customerId),
    payload: { author: 'Ada', rating: 4, body: `About ${product}` },
  })
  expect(response.statusCode, response.payload).toBe(200)
  return SubmittedReview.parse(response.json()).id
}

const review = (product: string, id?: string) => ({
  ...(id && { id }),
  product,
  author: 'Ada',
  rating: 4,
  body: 'Moved',
})

async function rejected(body: Record<string, unknown>): Promise<string[]> {
  const [dry, real] = [
    await importCatalogue(catalog.app, suite, { ...body, dry_run: true }),
    await importCatalogue(catalog.app, suite, body),
  ]
  expect(real.statusCode, real.payload).toBe(422)
  expect(dry.json().detail).toEqual(real.json().detail)
  return issueTextsOf(real)
}

async function accepted(body: Record<string, unknown>): Promise<ImportResult['counts']['reviews']> {
  const response = await importCatalogue(catalog.app, suite, body)
  expect(response.statusCode, response.payload).toBe(200)
  return ImportResult.parse(response.json()).counts.reviews
}

/** Reviews with their products and customers. */
async function stored(): Promise<Record<string, string>> {
  const rows = await suite.sql<{ id: string; place: string }>(
    `select r.id, p.slug || ' ' || coalesce(r.customer_id, '-') as place
     from catalog.reviews r join catalog.products p on p.id = r.product_id`,
  )
  return Object.fromEntries(rows.map(({ id, place }) => [id, place]))
}

describe('an import that moves a review to another product', () => {
  test('is rejected with every row whose customer has another review there', async () => {
    const [linen, wool, silk] = [
      await write('linen', 'cus_1'),
      await write('wool', 'cus_1'),
      await write('silk', 'cus_2'),
    ]
    const before = await stored()
    const reviews = [review('wool', linen), review('wool', silk)]
    const taken = (row: number) => `reviews.${row}.product: the customer of this review has another review of wool`
    expect(await rejected({ reviews })).toEqual([taken(0)])
    const kept = { ...review('wool', wool), body: 'Kept' }
    expect(await rejected({ mode: 'replace', products, reviews: [kept, ...reviews] })).toEqual([taken(1)])
    const alike = { product: 'wool', author: 'Ada', rating: 4, body: 'About wool' }
    expect(await rejected({ mode: 'replace', products, reviews: [alike, ...reviews] })).toEqual([taken(1)])
    expect(await stored()).toEqual(before)
  })

  test('is rejected when it moves two of a customer to one product, stored or new', async () => {
    const [linen, wool] = [await write('linen', 'cus_1'), await write('wool', 'cus_1')]
    const cotton = shirt('cotton')
    for (const { slug, given } of [
      { slug: 'silk', given: [] },
      { slug: 'cotton', given: [cotton] },
    ]) {
      const reviews = [review(slug, linen), review(slug, wool)]
      expect(await rejected({ products: given, reviews })).toEqual(
        [0, 1].map((row) => `reviews.${row}.product: the customer of this review has another review of ${slug}`),
      )
    }
  })

  test('keeps its customer, and those of two that swap places', async () => {
    const [linen, wool, silk] = [
      await write('linen', 'cus_1'),
      await write('wool', 'cus_1'),
      await write('linen', 'cus_2'),
    ]
    const counts = await accepted({ reviews: [review('wool', linen), review('linen', wool), review('silk', silk)] })
    expect(counts).toEqual({ created: 0, updated: 3, deleted: 0, unchanged: 0 })
    expect(await stored()).toEqual({ [linen]: 'wool cus_1', [wool]: 'linen cus_1', [silk]: 'silk cus_2' })
  })

  test('replaces one that the file does not have', async () => {
    const [linen] = [await write('linen', 'cus_1'), await write('wool', 'cus_1')]
    const counts = await accepted({ mode: 'replace', products, reviews: [review('wool', linen)] })
    expect(counts).toEqual({ created: 0, updated: 1, deleted: 1, unchanged: 0 })
    expect(await stored()).toEqual({ [linen]: 'wool cus_1' })
  })

  test('does not count one that is deleted together with its product', async () => {
    const [linen, wool] = [await write('linen', 'cus_1'), await write('wool', 'cus_1')]
    const others = products.filter(({ slug }) => slug !== 'linen')
    await accepted({ mode: 'replace', products: others, reviews: [review('wool', linen), review('wool', wool)] })
    expect(await stored()).toEqual({ [linen]: 'wool -', [wool]: 'wool cus_1' })
  })
})

test('a review from before the first year is rejected with its row', async () => {
  expect(await rejected({ reviews: [review('linen'), { ...review('wool'), createdAt: '0000-12-31' }] })).toEqual([
    'reviews.1.createdAt: must be a date between the years 1 and 9999',
  ])
})

test('a review whose account is deleted while it is imported keeps no name', async () => {
  const id = await write('linen', 'cus_1')
  const writer = openWriter(suite)
  const erase = async (tx: Tx) => {
    await sql`update reviews set author = ${FORMER_AUTHOR}, customer_id = null where id = ${id}`.execute(tx)
  }
  const counts = await whileOpen(suite, writer, erase, () => accepted({ reviews: [review('linen', id)] }))
  await writer.destroy()
  expect(counts).toMatchObject({ updated: 1 })
  expect(await suite.sql('select author, body from catalog.reviews')).toEqual([
    { author: FORMER_AUTHOR, body: 'Moved' },
  ])
})

test('a pending review that is deleted with its account while it is imported gets no name', async () => {
  const id = await write('linen', 'cus_1')
  const writer = openWriter(suite)
  const erase = async (tx: Tx) => void (await anonymizeReviews(tx, ['cus_1']))
  await whileOpen(suite, writer, erase, () => accepted({ reviews: [review('linen', id)] }))
  await writer.destroy()
  expect(await suite.sql('select author, body from catalog.reviews')).toEqual([
    { author: FORMER_AUTHOR, body: 'Moved' },
  ])
})

test('a pending review that was deleted with its account is not restored, and does not count as stored', async () => {
  const [gone] = [await write('linen', 'cus_1'), await write('wool', 'cus_2')]
  const writer = openWriter(suite)
  await transaction(writer, (tx) => anonymizeReviews(tx, ['cus_1']))
  await writer.destroy()
  const reviews = [{ ...review('linen', gone), published: false }]
  const counts = await accepted({ mode: 'replace', products, reviews })
  expect(counts).toEqual({ created: 0, updated: 0, deleted: 1, unchanged: 1 })
  expect(await stored()).toEqual({})
})

test.each(['merge', 'replace'])('a product that is deleted during a %s is created, with its review', async (mode) => {
  const writer = openWriter(suite)
  const remove = async (tx: Tx) => {
    const found = await tx
      .selectFrom('products')
      .select(['id', 'slug', 'version'])
      .where('slug', '=', 'linen')
      .execute()
    await removeProducts(tx, found, { now: new Date() })
  }
  const response = await whileOpen(suite, writer, remove, () =>
    importCatalogue(catalog.app, suite, { mode, products, reviews: [review('linen')] }),
  )
  await writer.destroy()
  expect(response.statusCode, response.payload).toBe(200)
  const { counts } = ImportResult.parse(response.json())
  expect(counts.products).toMatchObject({ created: 1, unchanged: 2, deleted: 0 })
  expect(counts.reviews).toMatchObject({ created: 1 })
})

describe('the status of a review', () => {
  const moderate = async (id: string, status: 'published' | 'hidden') => {
    const options = { method: 'PATCH' as const, url: `/admin/reviews/${id}`, headers: suite.headers.admin() }
    expect((await catalog.app.inject({ ...options, payload: { status } })).statusCode).toBe(200)
  }
  const statuses = async (): Promise<Record<string, string>> => {
    const response = await catalog.app.inject({ url: '/admin/reviews?per_page=100', headers: suite.headers.admin() })
    return Object.fromEntries(response.json().items.map(({ id, status }: Record<string, string>) => [id, status]))
  }
  const exported = async () => {
    const headers = suite.headers.admin(['catalog:read'])
    return (await catalog.app.inject({ url: '/admin/export', headers })).json()
  }

  test('is the same after an export, and an import into an empty shop or over later decisions', async () => {
    const [shown, hidden, pending] = [
      await write('linen', 'cus_1'),
      await write('linen', 'cus_2'),
      await write('linen', 'cus_3'),
    ]
    await moderate(shown, 'published')
    await moderate(hidden, 'hidden')
    const file = await exported()
    const before = { [shown]: 'published', [hidden]: 'hidden', [pending]: 'pending' }
    expect(await statuses()).toEqual(before)
    expect(await accepted(file)).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 3 })
    await accepted({ mode: 'replace' })
    expect(await accepted(file)).toMatchObject({ created: 3 })
    expect(await statuses()).toEqual(before)
    await moderate(hidden, 'published')
    await moderate(shown, 'hidden')
    await moderate(pending, 'hidden')
    expect(await accepted(file)).toMatchObject({ updated: 3 })
    expect(await statuses()).toEqual(before)
    expect(await exported()).toEqual(file)
  })

  test('stays hidden, or pending, where a file only has that it is not published', async () => {
    const [hidden, pending] = [await write('linen', 'cus_1'), await write('linen', 'cus_2')]
    await moderate(hidden, 'hidden')
    const older = (id: string) => ({ ...review('linen', id), published: false })
    await accepted({ reviews: [older(hidden), older(pending), older('rev_new')] })
    expect(await statuses()).toEqual({ [hidden]: 'hidden', [pending]: 'pending', rev_new: 'pending' })
  })

  test('cannot be hidden and published at once', async () => {
    expect(await rejected({ reviews: [{ ...review('linen'), hidden: true }] })).toEqual([
      'reviews.0.hidden: must be false for a published review',
    ])
  })
})
