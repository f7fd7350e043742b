import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Messaging } from '@storefront/messaging'
import {
  AdminReview,
  listOf,
  OrderPaid,
  OrderPlaced,
  ProductUpdated,
  Review,
  ReviewSummary,
  SubmittedReview,
  type Permission,
  type Product,
} from '@storefront/contracts'
import { amount, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { auditOf, importCatalogue, pageOf, PUBLIC_URL, sendAsAdmin, shirt, startTestCatalog } from './catalog.ts'
import { orderFor, publishEvent } from './orders.ts'

const ReviewList = listOf(Review).extend({ page: z.int(), perPage: z.int(), summary: ReviewSummary })
const AdminReviewList = listOf(AdminReview).extend({ page: z.int(), perPage: z.int() })

let suite: Suite
let catalog: RunningCatalog
let orders: Messaging

/** Most tests use different products, so that they do not see each other's reviews. */
const SLUGS = [
  'words',
  'hidden',
  'once',
  'crowd',
  'fitted',
  'verified',
  'late',
  'listed',
  'other',
  'recorded',
  'model',
  'race',
  'strict',
]

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  orders = await suite.openMessaging('orders')
  const products = [...SLUGS.map((slug) => shirt(slug, { sizes: ['M'] })), shirt('draft', { published: false })]
  expect((await importCatalogue(catalog.app, suite, { products })).statusCode).toBe(200)
})

afterAll(() => suite.stop())

type Body = Record<string, unknown>

const send = async (slug: string, customerId: string, body: Body) => {
  const response = await catalog.app.inject({
    method: 'POST',
    url: `/products/${slug}/reviews`,
    headers: suite.headers.customer(customerId),
    payload: body,
  })
  return { status: response.statusCode, body: response.json() }
}
const write = async (slug: string, customerId: string, body: Body = {}) => {
  const response = await send(slug, customerId, { author: 'Ada', rating: 5, ...body })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return SubmittedReview.parse(response.body)
}

const admin = (method: 'GET' | 'PATCH' | 'DELETE', path: string, body?: Body, permissions?: Permission[]) =>
  sendAsAdmin(catalog.app, suite, method, `/admin/reviews${path}`, body, suite.headers.admin(permissions))
const moderate = async (id: string, status: string) => {
  const response = await admin('PATCH', `/${id}`, { status })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return AdminReview.parse(response.body)
}
const listed = async (query = '') => AdminReviewList.parse((await admin('GET', query)).body)

const shown = async (slug: string) =>
  ReviewList.parse((await catalog.app.inject({ url: `/products/${slug}/reviews?per_page=48` })).json())
const page = (slug: string) => pageOf(catalog.app, slug)

const orderOf = (slug: string, customerId?: string) => orderFor(catalog.app, orders, slug, { customerId })
const paymentOf = ({ order, customerId }: Awaited<ReturnType<typeof orderOf>>) => ({
  orderId: order.id,
  number: order.number,
  order,
  customerId,
})

describe('a review that a customer writes', () => {
  test('is returned to its author, waits for approval, and is neither visible nor counted', async () => {
    const before = await shown('words')
    const review = await write('words', 'cus_1', {
      author: 'Ada L.',
      rating: 4,
      body: 'Runs large.\nOtherwise lovely ❤️',
      size: 'M',
      height: '172 cm',
      fit: 'large',
      photos: [{ url: '/media/customers/ada.jpg', alt: 'Ada' }, { url: 'https://pictures.test/ada.jpg?size=2' }],
      verified: true,
      createdAt: '2001-01-01T00:00:00.000Z',
      status: 'published',
      product: 'other',
      id: 'rev_mine',
    })
    expect(review).toEqual({
      id: expect.stringMatching(/^rev_[0-9a-f]{32}$/),
      author: 'Ada L.',
      rating: 4,
      body: 'Runs large.\nOtherwise lovely ❤️',
      createdAt: expect.stringMatching(/^20[2-9]/),
      verified: false,
      size: 'M',
      height: '172 cm',
      fit: 'large',
      photos: [
        { url: `${PUBLIC_URL}/media/customers/ada.jpg`, alt: 'Ada' },
        { url: 'https://pictures.test/ada.jpg?size=2', alt: '' },
      ],
      status: 'pending',
    })
    expect(await shown('words')).toEqual(before)
    expect((await page('words')).rating).toEqual({ average: 0, count: 0 })
    expect(await listed('?product=words')).toMatchObject({
      total: 1,
      items: [
        { id: review.id, status: 'pending', customerId: 'cus_1', product: { slug: 'words', title: 'Shirt words' } },
      ],
    })
  })

  test('is the only one of this customer on this product, whatever its status, until it is deleted', async () => {
    const first = await write('once', 'cus_1')
    const error = { status: 409, body: { code: 'conflict' } }
    expect(await send('once', 'cus_1', { author: 'Ada', rating: 1 })).toMatchObject(error)
    await moderate(first.id, 'published')
    expect(await send('once', 'cus_1', { author: 'Ada', rating: 1 })).toMatchObject(error)
    await moderate(first.id, 'hidden')
    expect(await send('once', 'cus_1', { author: 'Ada', rating: 1 })).toMatchObject(error)
    await write('once', 'cus_2')
    await write('other', 'cus_1')
    expect((await admin('DELETE', `/${first.id}`)).body).toEqual({ ok: true })
    await write('once', 'cus_1', { rating: 2 })
  })

  test('is created once by many simultaneous requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => send('crowd', 'cus_1', { author: `Ada ${index}`, rating: 5 })),
    )
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1)
    expect(responses.filter((response) => response.status === 409)).toHaveLength(11)
    expect((await listed('?product=crowd')).total).toBe(1)
  })

  test('finds its product under a former slug, and never an unpublished one', async () => {
    const { id, variants: before } = await page('strict')
    const { variants, ...renamed } = shirt('stricter', { sizes: ['M'] })
    const products = [{ ...renamed, id, variants: variants.map((each, index) => ({ ...each, id: before[index]?.id })) }]
    expect((await importCatalogue(catalog.app, suite, { products })).statusCode).toBe(200)
    const review = await write('strict', 'cus_former')
    expect((await listed('?product=stricter')).items.map((item) => item.id)).toEqual([review.id])
    for (const slug of ['draft', 'nowhere', '__proto__', 'x'.repeat(900)]) {
      expect(await send(slug, 'cus_1', { author: 'Ada', rating: 5 })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
    }
  })

  test('is accepted only from a signed-in customer', async () => {
    const attempt = { method: 'POST' as const, url: '/products/words/reviews', payload: { author: 'Eve', rating: 1 } }
    for (const headers of [{}, suite.headers.anonymous(), suite.headers.admin()]) {
      const response = await catalog.app.inject({ ...attempt, headers })
      expect(response.json()).toMatchObject({ code: 'unauthenticated' })
    }
    expect((await listed('?product=words')).items.every((item) => item.author !== 'Eve')).toBe(true)
  })

  test('is not accepted while the shop has its reviews switched off', async () => {
    const settings = (reviews: boolean) =>
      catalog.app.inject({
        method: 'PATCH',
        url: '/admin/storefront',
        headers: suite.headers.admin(),
        payload: { features: { reviews } },
      })
    await settings(false)
    expect(await send('words', 'cus_off', { author: 'Ada', rating: 5 })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
    await settings(true)
    await write('words', 'cus_off')
  })

  test.each<[string, Body, string]>([
    ['no author', { author: undefined }, 'author'],
    ['a blank author', { author: ' \t ' }, 'author'],
    ['an author of two lines', { author: 'Ada\nShop owner' }, 'author'],
    ['an endless author', { author: 'x'.repeat(101) }, 'author'],
    ['an author that is an object', { author: { toString: 'Ada' } }, 'author'],
    ['no rating', { rating: undefined }, 'rating'],
    ['half a star', { rating: 4.5 }, 'rating'],
    ['six stars', { rating: 6 }, 'rating'],
    ['stars as text', { rating: '5' }, 'rating'],
    ['an endless body', { body: 'x'.repeat(5001) }, 'body'],
    ['a body that is null', { body: null }, 'body'],
    ['another fit', { fit: 'huge' }, 'fit'],
    ['eleven photos', { photos: Array.from({ length: 11 }, () => ({ url: '/media/a.jpg' })) }, 'photos'],
    ['a photo that is a text', { photos: ['/media/a.jpg'] }, 'photos.0'],
    ...[
      'http://pictures.test/a.jpg',
      'javascript:alert(1)',
      'data:image/svg+xml,<svg onload=alert(1)>',
      '//pictures.test/a.jpg',
      '/admin/products',
      '/media/../admin/products',
      '/media/',
      '/media/a b.jpg',
      '\\media\\a.jpg',
      'https://',
      'https://shop.test@evil.test/a.jpg',
      'https://evil.test/a.jpg" onerror="alert(1)',
      `https://pictures.test/${'x'.repeat(2000)}`,
    ].map((url): [string, Body, string] => [`a photo at ${url.slice(0, 50)}`, { photos: [{ url }] }, 'photos.0.url']),
  ])('is rejected with %s', async (_fault, fault, path) => {
    const response = await send('words', 'cus_rejected', { author: 'Ada', rating: 5, ...fault })
    expect(response).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(response.body.detail.issues.map((issue: { path: string }) => issue.path)).toContain(path)
    expect((await listed('?product=words&per_page=100')).items.some((item) => item.customerId === 'cus_rejected')).toBe(
      false,
    )
  })

  test('without a name is rejected with a message for the buyer', async () => {
    const response = await send('words', 'cus_rejected', { rating: 5 })
    expect(response).toMatchObject({ status: 422, body: { message: 'Please enter your name.' } })
  })

  test.each(['[]', 'null', '""', '', '{"author":"\\u0000","rating":5}'])(
    'is rejected when it is %s',
    async (payload) => {
      const headers = { ...suite.headers.customer('cus_rejected'), 'content-type': 'application/json' }
      const response = await catalog.app.inject({ method: 'POST', url: '/products/words/reviews', headers, payload })
      expect(response.json()).toMatchObject({ code: 'validation_failed' })
    },
  )
})

describe('a verified review', () => {
  test('is by a customer who paid for the product, whichever event came first, and however often', async () => {
    const [placedFirst, paidFirst, unpaid, guest] = await Promise.all([
      orderOf('verified', 'cus_placed'),
      orderOf('verified', 'cus_paid'),
      orderOf('verified', 'cus_unpaid'),
      orderOf('verified'),
    ])
    await publishEvent(orders, OrderPlaced, placedFirst)
    await publishEvent(orders, OrderPaid, paymentOf(placedFirst), 'evt_paid_once')
    await publishEvent(orders, OrderPaid, paymentOf(placedFirst), 'evt_paid_twice')
    await publishEvent(orders, OrderPaid, paymentOf(guest))
    // As earlier versions published it.
    await publishEvent(orders, OrderPaid, { orderId: paidFirst.order.id, number: paidFirst.order.number })
    await waitFor('the payment that came first', async () => {
      const rows = await suite.sql('select 1 from catalog.purchases where order_id = $1 and paid', [paidFirst.order.id])
      return rows.length === 1
    })
    for (const placed of [paidFirst, unpaid, guest]) await publishEvent(orders, OrderPlaced, placed)
    await waitFor('all sales and payments', async () => {
      const rows = await suite.sql<{ customer: string | null; paid: boolean }>(
        `select customer_id as customer, paid from catalog.purchases order by customer_id nulls last`,
      )
      const seen = rows.map((row) => `${row.customer} ${row.paid}`).join()
      return seen === 'cus_paid true,cus_placed true,cus_unpaid false'
    })
    expect(await write('verified', 'cus_placed')).toMatchObject({ verified: true })
    expect(await write('verified', 'cus_paid')).toMatchObject({ verified: true })
    expect(await write('verified', 'cus_unpaid')).toMatchObject({ verified: false })
    expect(await write('verified', 'cus_guest')).toMatchObject({ verified: false })
    expect(await write('listed', 'cus_placed')).toMatchObject({ verified: false })
    expect(await suite.deadLetters()).toEqual([])
  })

  test('is also one whose payment arrived before it was published', async () => {
    const { id } = await write('late', 'cus_late')
    const order = await orderOf('late', 'cus_late')
    await publishEvent(orders, OrderPlaced, order)
    await publishEvent(orders, OrderPaid, paymentOf(order))
    await waitFor('the payment', async () => {
      const rows = await suite.sql(`select 1 from catalog.purchases where customer_id = 'cus_late' and paid`)
      return rows.length === 1
    })
    expect(await moderate(id, 'hidden')).toMatchObject({ verified: false })
    expect(await moderate(id, 'published')).toMatchObject({ verified: true })
    expect((await shown('late')).items).toMatchObject([{ id, verified: true }])
  })
})

describe('a merchant', () => {
  test('shows a review and hides it again, and all counts follow at once', async () => {
    const { id } = await write('hidden', 'cus_1', { rating: 4, fit: 'true', photos: [{ url: '/media/a.jpg' }] })
    await write('hidden', 'cus_2', { rating: 1 })
    const response = await admin('PATCH', `/${id}`, { status: 'published' })
    expect(response.body).toMatchObject({ id, status: 'published', customerId: 'cus_1' })
    expect(String(response.headers['surrogate-purge']).split(' ')).toEqual(
      expect.arrayContaining(['reviews:hidden', 'product:hidden', 'listing']),
    )
    expect(await shown('hidden')).toMatchObject({
      total: 1,
      items: [{ id }],
      summary: { average: 4, count: 1, fit: { small: 0, true: 100, large: 0 }, withPhotos: 1 },
    })
    expect((await shown('hidden')).items[0]).not.toHaveProperty('customerId')
    expect((await page('hidden')).rating).toEqual({ average: 4, count: 1 })
    const list = await catalog.app.inject({ url: '/products?sort=rating&per_page=48' })
    expect(list.json().items.find((item: Product) => item.slug === 'hidden').rating).toEqual({ average: 4, count: 1 })

    await moderate(id, 'hidden')
    expect(await shown('hidden')).toMatchObject({
      total: 0,
      items: [],
      summary: { average: 0, count: 0, withPhotos: 0 },
    })
    expect((await page('hidden')).rating).toEqual({ average: 0, count: 0 })
    await moderate(id, 'published')
    expect((await admin('DELETE', `/${id}`)).headers['surrogate-purge']).toContain('reviews:hidden')
    expect((await page('hidden')).rating).toEqual({ average: 0, count: 0 })
    expect(await admin('DELETE', `/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await admin('PATCH', `/${id}`, { status: 'hidden' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })

  test('shows the fit of a product from five published reviews on, and not from four', async () => {
    const written = []
    for (const [index, fit] of ['small', 'small', 'true', 'large', 'true'].entries()) {
      written.push(await write('fitted', `cus_${index}`, { fit }))
    }
    for (const { id } of written.slice(0, 4)) await moderate(id, 'published')
    expect((await page('fitted')).fit?.feedback).toBeUndefined()
    await moderate(written[4]?.id ?? '', 'published')
    expect((await page('fitted')).fit?.feedback).toEqual({ small: 40, true: 40, large: 20 })
    await moderate(written[0]?.id ?? '', 'hidden')
    expect((await page('fitted')).fit?.feedback).toBeUndefined()
  })

  test('records every decision, and publishes events of visible changes', async () => {
    const { id } = await write('recorded', 'cus_1')
    const product = await page('recorded')
    const published = async () =>
      (await suite.eventsOf(ProductUpdated)).filter((event) => event.productId === product.id)
    await moderate(id, 'hidden')
    expect((await admin('PATCH', `/${id}`, { status: 'hidden' })).headers['surrogate-purge']).toBeUndefined()
    await moderate(id, 'published')
    await moderate(id, 'published')
    await admin('DELETE', `/${id}`)
    const entries = await auditOf(suite, 'review', id)
    expect(entries).toEqual([
      { action: 'update', actor: 'user_test', before: { status: 'pending' }, after: { status: 'hidden' } },
      { action: 'update', actor: 'user_test', before: { status: 'hidden' }, after: { status: 'published' } },
      {
        action: 'delete',
        actor: 'user_test',
        before: expect.objectContaining({ id, status: 'published' }),
        after: null,
      },
    ])
    // The author must be deleted with the account, and the audit is never rewritten.
    expect(JSON.stringify(entries)).not.toMatch(/Ada|cus_1/)
    // The import, the publishing and the deletion; the version is the product's, which none of them changed.
    const events = await waitFor('the event', async () => {
      const all = await published()
      return all.length >= 3 && all
    })
    expect(events).toEqual(Array.from({ length: 3 }, () => ({ productId: product.id, slug: 'recorded', version: 1 })))
  })

  test('finds reviews by status and by product, newest first, page by page', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index++) ids.unshift((await write('listed', `cus_l${index}`)).id)
    const [fifth = '', fourth = '', third = '', second = '', first = ''] = ids
    await moderate(first, 'published')
    await moderate(second, 'hidden')
    const idsOf = async (query: string) => (await listed(query)).items.map((item) => item.id)
    const mine = (await listed('?product=listed&per_page=100')).items.filter((item) => ids.includes(item.id))
    expect(mine.map((item) => item.id)).toEqual(ids)
    expect(mine.map((item) => item.status)).toEqual(['pending', 'pending', 'pending', 'hidden', 'published'])
    expect(await idsOf('?product=listed&status=published')).toEqual([first])
    expect(await idsOf('?product=listed&status=hidden')).toEqual([second])
    const pending = await listed('?product=listed&status=pending&per_page=2')
    expect(pending.items.map((item) => item.id)).toEqual([fifth, fourth])
    expect(pending).toMatchObject({ page: 1, perPage: 2 })
    expect((await idsOf('?product=listed&status=pending&per_page=2&page=2'))[0]).toBe(third)
    expect((await listed('?status=published&per_page=100')).items.every((item) => item.status === 'published')).toBe(
      true,
    )
    expect(await listed('?product=nowhere')).toMatchObject({ items: [], total: 0 })
    expect((await listed('?product=')).total).toBe((await listed('')).total)
    expect(await listed('?per_page=5000&page=99999')).toMatchObject({ items: [], perPage: 100 })
    for (const query of ['?status=deleted', '?status=', '?page=one', '?product=%00', `?product=${'x'.repeat(201)}`]) {
      expect((await admin('GET', query)).body.code, query).toBe('validation_failed')
    }
  })

  test('includes imported reviews among the published ones, and an import leaves a hidden one hidden', async () => {
    const review = { product: 'other', author: 'Imported', rating: 3, body: 'Word for word' }
    await importCatalogue(catalog.app, suite, { reviews: [review] })
    const [found] = (await listed('?product=other&status=published')).items
    expect(found).toMatchObject({ author: 'Imported', status: 'published' })
    expect(found).not.toHaveProperty('customerId')
    await moderate(found?.id ?? '', 'hidden')
    await importCatalogue(catalog.app, suite, { reviews: [review] })
    expect((await shown('other')).total).toBe(0)
    expect((await listed('?product=other&status=hidden')).total).toBe(1)
  })

  test('accepts a review as it was read, and cannot set it to pending or change its text', async () => {
    const written = await write('listed', 'cus_whole')
    const found = (await listed('?product=listed&status=pending&per_page=100')).items
    const [pending] = found.filter(({ id }) => id === written.id)
    const save = (body: Body) => admin('PATCH', `/${written.id}`, body)
    expect(await save({ ...pending })).toMatchObject({ status: 200, body: { status: 'pending' } })
    expect(await save({ ...pending, status: 'published' })).toMatchObject({
      status: 200,
      body: { status: 'published' },
    })
    expect(await save({ status: 'pending' })).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(await save({ status: 'hidden', body: 'Much better' })).toMatchObject({
      status: 422,
      body: { code: 'read_only_field', detail: { path: 'body', current: pending?.body } },
    })
    expect(await save({ status: 'hidden', state: 'x' })).toMatchObject({
      status: 422,
      body: { code: 'unknown_field', message: 'Unknown field `state`. Did you mean `status`?' },
    })
    await moderate(written.id, 'hidden')
  })

  test.each<[string, unknown]>([
    ['without a status', {}],
    ['to two statuses at once', { status: ['published', 'hidden'] }],
    ['with a text as its body', 'published'],
    ['with null as its body', null],
  ])('cannot change the status of a review %s', async (_fault, body) => {
    const reply = await sendAsAdmin(catalog.app, suite, 'PATCH', '/admin/reviews/rev_1', JSON.stringify(body))
    expect(reply.body).toMatchObject({ code: 'validation_failed' })
  })
})

describe('the counts of a product', () => {
  test('are those of its published reviews after any decisions, made one after the other or all at once', async () => {
    const written: string[] = []
    for (let index = 0; index < 6; index++) {
      written.push(
        (await write('model', `cus_m${index}`, { rating: 1 + (index % 5), fit: index % 2 ? 'true' : 'small' })).id,
      )
    }
    const ratings = new Map(written.map((id, index) => [id, 1 + (index % 5)]))
    const decision = record({ place: integer({ min: 0, max: 5 }), status: constantFrom('published', 'hidden') })
    await assert(
      asyncProperty(array(decision, { maxLength: 8 }), constantFrom(true, false), async (decisions, atOnce) => {
        const decide = async ({ place, status }: (typeof decisions)[number]) => moderate(written[place] ?? '', status)
        if (atOnce) await Promise.all(decisions.map(decide))
        else for (const each of decisions) await decide(each)
        const { items } = await listed('?product=model&status=published')
        const stars = items.map((item) => ratings.get(item.id) ?? 0)
        const sum = stars.reduce((total, each) => total + each, 0)
        const average = stars.length === 0 ? 0 : Math.round((sum * 100) / stars.length) / 100
        expect((await page('model')).rating).toEqual({ average, count: stars.length })
        expect((await shown('model')).summary).toMatchObject({ average, count: stars.length })
        const last = new Map(decisions.map(({ place, status }) => [written[place] ?? '', status]))
        const statuses = [...last.keys()].map((id) => (items.some((item) => item.id === id) ? 'published' : 'hidden'))
        expect(atOnce ? [] : statuses).toEqual(atOnce ? [] : [...last.values()])
      }),
      { numRuns: amount({ quick: 3, long: 15 }) },
    )
  })

  test('miss nothing when merchants decide, customers write and an import adds at the same time', async () => {
    const waiting = await Promise.all(Array.from({ length: 8 }, (_, index) => write('race', `cus_r${index}`)))
    const imported = Array.from({ length: 3 }, (_, index) => ({
      product: 'race',
      author: `Import ${index}`,
      rating: 2,
    }))
    await Promise.all([
      ...waiting.slice(0, 6).map(({ id }) => moderate(id, 'published')),
      ...waiting.slice(6).map(({ id }) => admin('DELETE', `/${id}`)),
      ...Array.from({ length: 4 }, (_, index) => write('race', `cus_s${index}`)),
      importCatalogue(catalog.app, suite, { reviews: imported }),
    ])
    expect((await page('race')).rating).toEqual({ average: 4, count: 9 })
    expect((await shown('race')).summary.count).toBe(9)
    expect((await listed('?product=race&status=pending')).total).toBe(4)
  })
})

describe('reviews without permission', () => {
  test.each<[string, () => Record<string, string>, number]>([
    ['a caller without an actor', () => ({}), 401],
    ['an anonymous visitor', () => suite.headers.anonymous(), 401],
    ['the customer who wrote them', () => suite.headers.customer('cus_1'), 403],
    ['an admin with other permissions', () => suite.headers.admin(['orders:write', 'catalog:write']), 403],
  ])('are not returned to %s', async (_who, headers, status) => {
    const [review] = (await listed()).items
    const attempts = [
      { method: 'GET' as const, url: '/admin/reviews' },
      { method: 'PATCH' as const, url: `/admin/reviews/${review?.id}`, payload: { status: 'published' } },
      { method: 'DELETE' as const, url: `/admin/reviews/${review?.id}` },
    ]
    for (const attempt of attempts) {
      expect((await catalog.app.inject({ ...attempt, headers: headers() })).statusCode, attempt.url).toBe(status)
    }
    expect((await listed()).items[0]).toEqual(review)
  })

  test('are read with the permission to read, and moderated with the permission to moderate', async () => {
    expect((await admin('GET', '', undefined, ['catalog:read'])).status).toBe(200)
    expect((await admin('GET', '', undefined, ['reviews:write'])).status).toBe(403)
    expect((await admin('PATCH', '/rev_1', { status: 'hidden' }, ['catalog:read'])).status).toBe(403)
    expect((await admin('PATCH', '/rev_1', { status: 'hidden' }, ['reviews:write'])).status).toBe(404)
    expect((await admin('DELETE', '/rev_1', undefined, ['reviews:write'])).status).toBe(404)
  })

  test('are never stored by a shared cache', async () => {
    const { headers } = await admin('GET', '')
    expect(headers['cache-control']).toBe('private, no-store')
    expect(headers['surrogate-key']).toBeUndefined()
  })
})
