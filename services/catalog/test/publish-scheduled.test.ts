import { type Messaging } from '@storefront/messaging'
import type { Timer } from '@storefront/service'
import { manualClock } from '@storefront/service/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Product, ProductList, ProductUpdated } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { publishScheduled } from '../src/products/publish-scheduled.ts'
import type { RunningCatalog } from '../src/start.ts'
import { bulkEditsOf, manyIds } from './bulk-edits.ts'
import { importCatalogue, shirt, startTestCatalog, usd } from './catalog.ts'
import { collectPurges } from './collect-purges.ts'

const MINUTE_MS = 60_000
/** Far enough in the past that no test moves it beyond the validity of its actors' signatures. */
const clock = manualClock('2025-03-03T12:00:00.000Z')

let suite: Suite
let catalog: RunningCatalog
/** Another replica, which works when it is woken. */
let schedule: Timer
let gateway: Messaging
let purged: string[]

const { send, product, patch, put } = bulkEditsOf(() => ({ suite, catalog }))

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, {}, clock)
  schedule = publishScheduled(catalog.context)
  gateway = await suite.openMessaging('gateway')
  purged = await collectPurges(gateway)
})

afterAll(async () => {
  await schedule.stop()
  await suite.stop()
})

beforeEach(() => {
  purged.length = 0
})

const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * MINUTE_MS).toISOString()

const storefront = (slug: string) => catalog.app.inject({ url: `/products/${slug}` })

const listed = async () =>
  ProductList.parse((await catalog.app.inject({ url: '/products?sort=name' })).json()).items.map(({ slug }) => slug)

const untilShown = (slug: string) =>
  waitFor(`shoppers to see ${slug}`, async () => {
    schedule.wake()
    return (await storefront(slug)).statusCode === 200
  })

const untilHidden = (slug: string) =>
  waitFor(`shoppers not to see ${slug}`, async () => {
    schedule.wake()
    return (await storefront(slug)).statusCode === 404
  })

const entriesOf = async (id: string) =>
  (await send('GET', `/admin/audit?kind=product&id=${id}`))
    .json<{ items: { actor: string; by: object; action: string; before: object; after: object }[] }>()
    .items.filter(({ actor }) => actor === 'schedule')

describe('a product with a time', () => {
  test('is published when the time has come and not before, with its event, audit and purge', async () => {
    await put(['coat', 'cap'], { published: false })
    const publishAt = inMinutes(10)
    await patch('cap', { publishAt: inMinutes(9) })
    await patch('coat', { publishAt })
    const { version } = await product('coat')
    clock.advance(10 * MINUTE_MS - 1)
    // Once the other product is published, the worker has run.
    await untilShown('cap')
    expect(await product('coat')).toMatchObject({ published: false, publishAt, version })
    purged.length = 0
    clock.advance(1)
    await untilShown('coat')
    expect(await product('coat')).toMatchObject({ published: true, publishAt: null, version: version + 1 })
    expect(await listed()).toEqual(['cap', 'coat'])
    expect(await suite.eventsOf(ProductUpdated)).toContainEqual({
      productId: 'coat',
      slug: 'coat',
      version: version + 1,
    })
    await waitFor('the caches to be purged', () => purged.includes('product:coat') && purged.includes('listing'))
    expect(await entriesOf('coat')).toMatchObject([
      {
        actor: 'schedule',
        by: { kind: 'schedule', id: 'schedule', name: null },
        action: 'update',
        before: { published: false, publishAt },
        after: { published: true },
      },
    ])
  })

  test('is hidden when the time has come, and is otherwise unchanged', async () => {
    await put(['coat'], { tags: ['wool'], price: usd(1200) })
    await patch('coat', { unpublishAt: inMinutes(5) })
    const before = await product('coat')
    expect((await storefront('coat')).statusCode).toBe(200)
    clock.advance(5 * MINUTE_MS)
    await untilHidden('coat')
    expect(await product('coat')).toEqual({
      ...before,
      published: false,
      unpublishAt: null,
      version: before.version + 1,
    })
    expect(await listed()).toEqual([])
  })

  test('is hidden and published again when it has both times', async () => {
    await put(['coat'])
    await patch('coat', { unpublishAt: inMinutes(5), publishAt: inMinutes(10) })
    clock.advance(5 * MINUTE_MS)
    await untilHidden('coat')
    expect(await product('coat')).toMatchObject({ unpublishAt: null, publishAt: inMinutes(5) })
    clock.advance(5 * MINUTE_MS)
    await untilShown('coat')
  })

  test('stays hidden after an outage in which both times passed, when the later one hides it', async () => {
    await put(['coat', 'cap'], { published: false })
    await patch('coat', { publishAt: inMinutes(-5), unpublishAt: inMinutes(-1) })
    await patch('cap', { publishAt: inMinutes(-1), unpublishAt: inMinutes(-5) })
    await untilShown('cap')
    await waitFor('the coat to be processed', async () => (await product('coat')).publishAt === null)
    expect(await product('coat')).toMatchObject({ published: false, unpublishAt: null })
  })

  test('stays unchanged when the time is removed', async () => {
    await put(['coat', 'cap'], { published: false })
    await patch('coat', { publishAt: inMinutes(5) })
    await patch('cap', { publishAt: inMinutes(5) })
    await patch('coat', { publishAt: null })
    clock.advance(5 * MINUTE_MS)
    await untilShown('cap')
    expect(await product('coat')).toMatchObject({ published: false, publishAt: null })
  })

  test('keeps the time when a merchant changes something else, sends all of it back, or publishes it by hand', async () => {
    await put(['coat'], { published: false })
    const publishAt = inMinutes(30)
    await patch('coat', { publishAt })
    await patch('coat', { title: 'Winter coat', published: true })
    const whole = await product('coat')
    expect(whole).toMatchObject({ publishAt, published: true })
    await patch('coat', whole)
    expect(await product('coat')).toEqual(whole)
  })

  test('can be created with it, and never shows it to shoppers', async () => {
    await put([])
    const created = await send('POST', '/admin/products', {
      title: 'New coat',
      price: usd(1000),
      unpublishAt: inMinutes(60),
    })
    expect(created.json()).toMatchObject({ publishAt: null, unpublishAt: inMinutes(60), published: true })
    const shown = await storefront('new-coat')
    expect(Product.parse(shown.json()).published).toBe(true)
    expect(shown.payload).not.toMatch(/publishAt/i)
    expect((await catalog.app.inject({ url: '/products' })).payload).not.toMatch(/publishAt/i)
  })

  test.each([
    ['an invalid time', { publishAt: 'tomorrow' }],
    ['the same time twice', { publishAt: '2025-04-01T10:00:00Z', unpublishAt: '2025-04-01T10:00:00.000Z' }],
  ])('is rejected with %s', async (_what, change) => {
    await put(['coat'])
    expect((await send('PATCH', '/admin/products/coat', change)).statusCode).toBe(422)
  })

  test('keeps it in an export, and an import of the same changes nothing', async () => {
    await put(['coat'], { published: false })
    await patch('coat', { publishAt: inMinutes(60) })
    const before = await product('coat')
    // Discounts would come from another service.
    const reply = await catalog.app.inject({ url: '/admin/export', headers: suite.headers.admin(['catalog:read']) })
    const exported = reply.json<{ products: object[] }>()
    expect(exported.products).toMatchObject([{ publishAt: inMinutes(60) }])
    const imported = await importCatalogue(catalog.app, suite, { mode: 'replace', products: exported.products })
    expect(imported.json()).toMatchObject({ counts: { products: { unchanged: 1, updated: 0 } } })
    expect(await product('coat')).toEqual(before)
  })
})

test('products that were stored before there were times are not changed by an import of the same', async () => {
  const body = { mode: 'replace', products: [{ id: 'coat', ...shirt('coat') }] }
  await importCatalogue(catalog.app, suite, body)
  const [stored] = await suite.sql<{ fingerprint: string }>('select fingerprint from catalog.products')
  await patch('coat', { publishAt: inMinutes(60) })
  await patch('coat', { publishAt: null })
  expect(await suite.sql('select fingerprint from catalog.products')).toEqual([stored])
})

test('a product that cannot be saved does not delay the others, and is tried again', async () => {
  await put(manyIds(4), { published: false })
  // One after the other, so that the second was tried when the last is shown.
  for (const [index, id] of manyIds(4).entries()) await patch(id, { publishAt: inMinutes(index + 1) })
  await suite.sql(`create function catalog.reject() returns trigger language plpgsql as
    $$ begin raise exception 'a fault' ; end $$`)
  await suite.sql(`create trigger reject before update on catalog.products for each row
    when (new.id = 'shirt-0001') execute function catalog.reject()`)
  clock.advance(5 * MINUTE_MS)
  for (const id of ['shirt-0000', 'shirt-0002', 'shirt-0003']) await untilShown(id)
  await suite.sql('drop function catalog.reject cascade')
  expect(await product('shirt-0001')).toMatchObject({ published: false })
  clock.advance(MINUTE_MS)
  await untilShown('shirt-0001')
})
