import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listOf, Product, Review, ReviewSummary } from '@storefront/contracts'
import { createSuite, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { getAsShopper, importCatalogue, PUBLIC_URL, shirt, startTestCatalog } from './catalog.ts'

const ReviewList = listOf(Review).extend({ page: z.int(), perPage: z.int(), summary: ReviewSummary })

let suite: Suite
let catalog: RunningCatalog

const NOON = '2026-03-01T12:00:00.000Z'
const LINEN_REVIEWS = [
  { author: 'Ada', rating: 5, body: 'Lovely', createdAt: '2026-01-05T09:00:00.000Z', fit: 'true' },
  { author: 'Bo', rating: 4, createdAt: '2026-04-01T09:00:00.000Z', verified: true, fit: 'small', size: 'M' },
  {
    author: 'Cy',
    rating: 1,
    createdAt: '2026-02-01T09:00:00.000Z',
    fit: 'true',
    height: '182 cm',
    photos: [
      { url: '/media/cy.jpg', alt: 'Cy in linen' },
      { url: 'https://pictures.test/cy.jpg', alt: 'Cy again' },
    ],
  },
  { author: 'Di', rating: 5, createdAt: NOON },
  { author: 'Ed', rating: 5, createdAt: NOON, verified: true, photos: [{ url: '/media/ed.jpg', alt: 'Ed' }] },
  { author: 'Flo', rating: 3, createdAt: NOON },
  // Half a millisecond later, which no response shows: still a tie.
  { author: 'Gus', rating: 5, createdAt: '2026-03-01T12:00:00.0005Z' },
].map((review) => ({ product: 'linen', ...review }))

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  const response = await importCatalogue(catalog.app, suite, {
    products: [
      shirt('linen'),
      shirt('silent'),
      shirt('many'),
      shirt('busy'),
      shirt('rated'),
      shirt('draft', { published: false }),
    ],
    reviews: [
      ...LINEN_REVIEWS,
      ...Array.from({ length: 60 }, (_, index) => ({
        product: 'many',
        author: `Author ${index}`,
        rating: 1 + (index % 5),
        verified: index % 3 === 0,
        createdAt: `2026-05-${String(1 + (index % 7)).padStart(2, '0')}T08:00:00.000Z`,
      })),
      { product: 'draft', author: 'Ada', rating: 5 },
    ],
  })
  expect(response.json()).toMatchObject({ ok: true })
})

afterAll(() => suite.stop())

const get = (url: string) => getAsShopper(catalog.app, url)

const reviewsOf = async (slug: string, query = '') => {
  const { status, body } = await get(`/products/${slug}/reviews${query}`)
  expect(status).toBe(200)
  return ReviewList.parse(body)
}

describe('the reviews of a product', () => {
  test('come newest first, on a tie the verified ones, then by id', async () => {
    const { items } = await reviewsOf('linen', '?per_page=48')
    expect(items.map((item) => item.createdAt)).toEqual(
      items
        .map((item) => item.createdAt)
        .toSorted()
        .toReversed(),
    )
    expect(items.map((item) => item.author).slice(0, 2)).toEqual(['Bo', 'Ed'])
    expect(items.map((item) => item.author).slice(5)).toEqual(['Cy', 'Ada'])
    const tied = items.filter((item) => item.createdAt === NOON && !item.verified)
    expect(tied.map((item) => item.author).toSorted()).toEqual(['Di', 'Flo', 'Gus'])
    expect(tied.map((item) => item.id)).toEqual(tied.map((item) => item.id).toSorted())
  })

  test("contain the buyer's text, and pictures at absolute addresses", async () => {
    const { items } = await reviewsOf('linen', '?per_page=48')
    expect(items.find((item) => item.author === 'Cy')).toEqual({
      id: expect.stringMatching(/^rev_/),
      author: 'Cy',
      rating: 1,
      body: '',
      createdAt: '2026-02-01T09:00:00.000Z',
      verified: false,
      size: '',
      height: '182 cm',
      fit: 'true',
      photos: [
        { url: `${PUBLIC_URL}/media/cy.jpg`, alt: 'Cy in linen' },
        { url: 'https://pictures.test/cy.jpg', alt: 'Cy again' },
      ],
    })
    expect(items.find((item) => item.author === 'Di')).not.toHaveProperty('fit')
  })

  test('are summed up over all of them, whatever the page', async () => {
    for (const query of ['', '?page=2&per_page=1', '?page=500']) {
      const { total, summary } = await reviewsOf('linen', query)
      expect(total, query).toBe(7)
      // 5 + 4 + 1 + 5 + 5 + 3 + 5 = 28 stars from 7 buyers; of 3 ratings of the fit, 1 is small and 2 are true.
      expect(summary, query).toEqual({
        average: 4,
        count: 7,
        breakdown: [
          { stars: 5, count: 4 },
          { stars: 4, count: 1 },
          { stars: 3, count: 1 },
          { stars: 2, count: 0 },
          { stars: 1, count: 1 },
        ],
        fit: { small: 33, true: 67, large: 0 },
        withPhotos: 2,
      })
    }
  })

  test('have the average that the product shows, after every new one', async () => {
    const averages: number[] = []
    for (const rating of [5, 5, 4, 1]) {
      const review = { product: 'rated', author: `Author ${averages.length}`, rating }
      expect((await importCatalogue(catalog.app, suite, { reviews: [review] })).statusCode).toBe(200)
      const { summary } = await reviewsOf('rated')
      const product = Product.parse((await get('/products/rated')).body)
      expect(product.rating).toEqual({ average: summary.average, count: summary.count })
      averages.push(summary.average)
    }
    expect(averages).toEqual([5, 5, 4.67, 3.75])
  })

  test('form the whole list, page by page, with no review twice', async () => {
    const whole = [...(await reviewsOf('many', '?per_page=48')).items]
    whole.push(...(await reviewsOf('many', '?per_page=48&page=2')).items)
    expect(new Set(whole.map((item) => item.id)).size).toBe(60)
    for (const perPage of [1, 7, 30]) {
      const joined: Review[] = []
      for (let page = 1; page <= Math.ceil(60 / perPage); page++) {
        joined.push(...(await reviewsOf('many', `?page=${page}&per_page=${perPage}`)).items)
      }
      expect(joined, `${perPage} a page`).toEqual(whole)
    }
    expect((await reviewsOf('many', '?page=13')).items).toEqual([])
  })

  test('are five per page by default, and pages are clamped', async () => {
    expect((await reviewsOf('many')).items).toHaveLength(5)
    expect(await reviewsOf('many', '?page=0&per_page=0')).toMatchObject({ page: 1, perPage: 1, total: 60 })
    expect(await reviewsOf('many', '?page=-4&per_page=1000')).toMatchObject({ page: 1, perPage: 48 })
    expect(await reviewsOf('many', '?page=999999999999999&per_page=48')).toMatchObject({ page: 1_000_000, items: [] })
  })

  test('are none on a page whose number has 400 digits', async () => {
    expect(await reviewsOf('many', `?page=${'9'.repeat(400)}`)).toMatchObject({ page: 1_000_000, items: [] })
  })

  test('are rejected for page numbers that are not numbers', async () => {
    const queries = ['page=two', 'per_page=1.5', 'page=', 'page=1e3', 'per_page=%00', 'page=1;drop']
    for (const query of [...queries, 'per_page[]=1&per_page=NaN', 'page=٣']) {
      const { status, body } = await get(`/products/linen/reviews?${query}`)
      expect(status, query).toBe(422)
      expect(body, query).toMatchObject({ code: 'validation_failed', requestId: expect.any(String) })
    }
  })

  test('may be kept by caches until the product or its reviews change', async () => {
    const { headers } = await get('/products/linen/reviews')
    expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600')
    expect(headers['surrogate-key']).toBe('product:linen reviews:linen')
    expect(headers['etag']).toMatch(/^"/)
  })
})

describe('a product without reviews', () => {
  test('has an empty list and a summary with the number 0', async () => {
    expect(await reviewsOf('silent')).toEqual({
      items: [],
      total: 0,
      page: 1,
      perPage: 5,
      summary: {
        average: 0,
        count: 0,
        breakdown: [5, 4, 3, 2, 1].map((stars) => ({ stars, count: 0 })),
        fit: { small: 0, true: 0, large: 0 },
        withPhotos: 0,
      },
    })
  })

  test('stays so while its only review is pending', async () => {
    await suite.sql(
      `insert into catalog.reviews (id, product_id, author, rating, body, created_at, verified, size, height, photos, published)
       select 'rev_waiting', id, 'Ada', 1, '', now(), true, '', '', '[]', false from catalog.products where slug = 'silent'`,
    )
    expect(await reviewsOf('silent')).toMatchObject({ items: [], total: 0 })
    const published = { product: 'silent', author: 'Bo', rating: 5 }
    await importCatalogue(catalog.app, suite, { reviews: [published] })
    expect(await reviewsOf('silent')).toMatchObject({
      items: [{ author: 'Bo' }],
      total: 1,
      summary: { average: 5, count: 1 },
    })
  })
})

describe('reviews that cannot be read', () => {
  test('are those of a draft and of an unknown product', async () => {
    for (const slug of ['draft', 'nothing', '%00', '..%2F..%2Fetc', 'ä'.repeat(150), `' or true --`]) {
      const { status, body } = await get(`/products/${encodeURIComponent(slug)}/reviews`)
      expect(status, slug).toBe(404)
      expect(body, slug).toMatchObject({ code: 'not_found', message: expect.any(String) })
    }
  })

  test('never cause an internal error, whatever the path', async () => {
    for (const slug of ['%00', '%ff', '%ED%A0%80', '%', 'a'.repeat(5000)]) {
      const { status } = await get(`/products/${slug}/reviews`)
      expect(status, slug).toBeGreaterThanOrEqual(400)
      expect(status, slug).toBeLessThan(500)
    }
  })
})

describe('a former slug', () => {
  test('finds the current product, and a product that has the slug now takes precedence', async () => {
    await suite.sql(
      `insert into catalog.former_slugs (slug, product_id)
       select slug, id from (values ('flax'), ('many')) as former (slug), (select id from catalog.products where slug = 'linen') linen`,
    )
    const today = await get('/products/linen/reviews')
    const former = await get('/products/flax/reviews')
    expect(former.body).toEqual(today.body)
    expect(former.headers['surrogate-key']).toBe('product:linen reviews:linen')
    expect((await reviewsOf('many')).total).toBe(60)
  })

  test('of a draft is not found', async () => {
    await suite.sql(
      `insert into catalog.former_slugs (slug, product_id) select 'sketch', id from catalog.products where slug = 'draft'`,
    )
    expect((await get('/products/sketch/reviews')).status).toBe(404)
  })
})

describe('imported reviews', () => {
  test('are counted once when the import is repeated', async () => {
    const before = await reviewsOf('many')
    const response = await importCatalogue(catalog.app, suite, {
      reviews: before.items.map((item) => ({
        product: 'many',
        author: item.author,
        rating: item.rating,
        body: item.body,
      })),
    })
    expect(response.statusCode).toBe(200)
    expect(await reviewsOf('many')).toEqual(before)
  })

  test('are all counted when imports come at the same time', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        importCatalogue(catalog.app, suite, {
          reviews: ['many', 'busy'].map((product) => ({ product, author: `Crowd ${index}`, rating: 5 })),
        }),
      ),
    )
    expect(responses.map((response) => response.statusCode)).toEqual(responses.map(() => 200))
    expect((await reviewsOf('busy', '?per_page=48')).items).toHaveLength(8)
    expect((await reviewsOf('busy')).summary).toMatchObject({ average: 5, count: 8 })
    expect((await reviewsOf('many')).total).toBe(68)
  })
})
