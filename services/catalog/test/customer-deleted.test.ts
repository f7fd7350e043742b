import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, type Messaging } from '@storefront/messaging'
import {
  AdminReview,
  CustomerDeleted,
  listOf,
  OrderPaid,
  OrderPlaced,
  ProductUpdated,
  ReadCatalogPersonalData,
  Review,
  SubmittedReview,
} from '@storefront/contracts'
import { createSuite, lockWaiters, waitFor, waitForLock, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { collectPurges } from './collect-purges.ts'
import { importCatalogue, pageOf, sendAsAdmin, shirt, startTestCatalog } from './catalog.ts'
import { orderFor, publishEvent } from './orders.ts'
import { untilPublished } from './save-meanwhile.ts'

let suite: Suite
let catalog: RunningCatalog
let orders: Messaging
let identity: Messaging
let gateway: Messaging
let purged: string[]

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  ;[orders, identity, gateway] = await Promise.all([
    suite.openMessaging('orders'),
    suite.openMessaging('identity'),
    suite.openMessaging('gateway'),
  ])
  purged = await collectPurges(gateway)
  const products = ['shown', 'waiting', 'hidden', 'kept', 'late', 'exported', 'erased', 'unseen'].map((slug) =>
    shirt(slug, { id: `prod_${slug}` }),
  )
  expect((await importCatalogue(catalog.app, suite, { products })).statusCode).toBe(200)
})

afterAll(async () => {
  for (const messaging of [orders, identity, gateway]) await messaging.close()
  await suite.stop()
})

const send = (slug: string, customerId: string, author: string, body = '') =>
  catalog.app.inject({
    method: 'POST',
    url: `/products/${slug}/reviews`,
    headers: suite.headers.customer(customerId),
    payload: { author, rating: 4, body },
  })
const write = async (slug: string, customerId: string, author: string, body = '') =>
  SubmittedReview.parse((await send(slug, customerId, author, body)).json()).id
const moderate = async (id: string, status: 'published' | 'hidden') => {
  const reply = await sendAsAdmin(catalog.app, suite, 'PATCH', `/admin/reviews/${id}`, { status })
  expect(reply.status).toBe(200)
}
const all = async (slug: string) => {
  const response = await catalog.app.inject({ url: `/admin/reviews?product=${slug}`, headers: suite.headers.admin() })
  return listOf(AdminReview).parse(response.json()).items
}
const shown = async (slug: string) =>
  listOf(Review).parse((await catalog.app.inject({ url: `/products/${slug}/reviews` })).json()).items
const page = (slug: string) => pageOf(catalog.app, slug)

const buy = (slug: string, customerId: string) => orderFor(catalog.app, orders, slug, { customerId })
const purchasesOf = (orderId: string) =>
  suite.sql<{ customer_id: string | null; product_ids: string[] }>(
    'select customer_id, product_ids from catalog.purchases where order_id = $1',
    [orderId],
  )
const untilDeleted = (customerId: string) =>
  waitFor('the deletion', async () => {
    const rows = await suite.sql('select 1 from catalog.former_customers where customer_id = $1', [customerId])
    return rows.length > 0
  })

async function exportOf(customerId: string) {
  const records: { kind: string; record: Record<string, unknown> }[] = []
  const sizes: number[] = []
  let after: string | undefined
  do {
    const reply = await sendRequest(identity, ReadCatalogPersonalData, {
      customerId,
      ...(after === undefined ? {} : { after }),
    })
    records.push(...reply.records)
    sizes.push(Buffer.byteLength(JSON.stringify(reply)))
    after = reply.next
  } while (after !== undefined)
  return { records, sizes }
}

describe('when an account is deleted', () => {
  test('an earlier export does not restore the name', async () => {
    const id = await write('exported', 'cus_exported', 'Ada Exported', 'Good')
    await moderate(id, 'published')
    const headers = suite.headers.admin(['catalog:read'])
    const { reviews } = (await catalog.app.inject({ url: '/admin/export', headers })).json()
    const exported = reviews.filter((each: { product: string }) => each.product === 'exported')
    expect(exported).toMatchObject([{ id, author: 'Ada Exported' }])
    await publishEvent(identity, CustomerDeleted, { customerId: 'cus_exported' })
    await untilDeleted('cus_exported')
    const changed = [{ ...exported[0], rating: 3 }]
    expect((await importCatalogue(catalog.app, suite, { reviews: changed })).json().counts.reviews.updated).toBe(1)
    expect(await shown('exported')).toMatchObject([{ id, author: 'A former customer', rating: 3 }])
    const again = await importCatalogue(catalog.app, suite, { reviews: changed })
    expect(again.json().counts.reviews).toMatchObject({ updated: 0, unchanged: 1 })
  })

  test('an earlier export restores no pending review, and no name of one that was deleted since', async () => {
    const deleted = await write('erased', 'cus_erased', 'Ada Erased', 'Good')
    const pending = await write('unseen', 'cus_erased', 'Ada Erased')
    await moderate(deleted, 'published')
    const headers = suite.headers.admin(['catalog:read'])
    const { reviews } = (await catalog.app.inject({ url: '/admin/export', headers })).json()
    const exported = reviews.filter((each: { id: string }) => [deleted, pending].includes(each.id))
    expect(exported).toHaveLength(2)
    await publishEvent(identity, CustomerDeleted, { customerId: 'cus_erased' })
    await untilDeleted('cus_erased')
    expect((await sendAsAdmin(catalog.app, suite, 'DELETE', `/admin/reviews/${deleted}`)).status).toBe(200)
    const countsOf = async () =>
      (await importCatalogue(catalog.app, suite, { reviews: exported })).json().counts.reviews
    expect(await countsOf()).toMatchObject({ created: 1, updated: 0, unchanged: 1 })
    expect(await shown('erased')).toMatchObject([{ id: deleted, author: 'A former customer', body: 'Good' }])
    expect(await all('unseen')).toEqual([])
    expect(await countsOf()).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
  })

  test('its reviews stay without a name, pending ones are deleted, and counts stay the same', async () => {
    await moderate(await write('shown', 'cus_gone', 'Ada Lovelace', 'Lovely'), 'published')
    await moderate(await write('shown', 'cus_stays', 'Bo', 'Fine'), 'published')
    await write('waiting', 'cus_gone', 'Ada Lovelace')
    await moderate(await write('hidden', 'cus_gone', 'Ada Lovelace'), 'hidden')
    const before = await page('shown')
    await untilPublished(suite)
    const published = (await suite.eventsOf(ProductUpdated)).length
    purged.length = 0

    const id = 'evt_gone'
    await publishEvent(identity, CustomerDeleted, { customerId: 'cus_gone' }, id)
    await publishEvent(identity, CustomerDeleted, { customerId: 'cus_gone' }, id)
    await publishEvent(identity, CustomerDeleted, { customerId: 'cus_gone' })
    await waitFor('the reviews', async () => (await shown('shown')).every(({ author }) => author !== 'Ada Lovelace'))
    expect((await shown('shown')).map(({ author, body }) => `${author}: ${body}`).toSorted()).toEqual([
      'A former customer: Lovely',
      'Bo: Fine',
    ])
    expect(await all('waiting')).toEqual([])
    const [hidden] = await all('hidden')
    expect(hidden).toMatchObject({ author: 'A former customer', status: 'hidden' })
    expect(hidden).not.toHaveProperty('customerId')
    expect(await page('shown')).toEqual(before)
    await waitFor('the purge', () => purged.includes('reviews:shown'))
    expect(purged).not.toContain('reviews:hidden')
    const events = await waitFor('the event', async () => {
      const events = (await suite.eventsOf(ProductUpdated)).slice(published)
      return events.length > 0 ? events : undefined
    })
    expect(events.map(({ slug }) => slug)).toEqual(['shown'])
  })

  test('one event is published when more than a hundred reviews lose their author', async () => {
    const products = Array.from({ length: 101 }, (_, nth) => shirt(`busy-${nth}`, { sizes: ['M'] }))
    const reviews = products.map(({ slug }) => ({ product: slug, author: 'Eve Busy', rating: 4 }))
    expect((await importCatalogue(catalog.app, suite, { products, reviews })).statusCode).toBe(200)
    await suite.sql(`update catalog.reviews set customer_id = 'cus_busy' where author = 'Eve Busy'`)
    await untilPublished(suite)
    const published = (await suite.eventsOf(ProductUpdated)).length
    await publishEvent(identity, CustomerDeleted, { customerId: 'cus_busy' })
    await waitFor('the removal', async () => (await shown('busy-0')).every(({ author }) => author !== 'Eve Busy'))
    await untilPublished(suite)
    expect((await suite.eventsOf(ProductUpdated)).slice(published).map(({ slug }) => slug)).toEqual(['*'])
  })

  test('an order whose event arrives before or after it no longer names the buyer', async () => {
    const [early, late] = [await buy('kept', 'cus_buyer'), await buy('kept', 'cus_buyer')]
    await publishEvent(orders, OrderPlaced, early)
    await waitFor('the purchase', async () => (await purchasesOf(early.order.id)).length > 0)
    await publishEvent(identity, CustomerDeleted, { customerId: 'cus_buyer' })
    await untilDeleted('cus_buyer')
    const productIds = ['prod_kept']
    expect(await purchasesOf(early.order.id)).toEqual([{ customer_id: null, product_ids: productIds }])
    await publishEvent(orders, OrderPlaced, late)
    const { order, customerId } = late
    await publishEvent(orders, OrderPaid, { orderId: order.id, number: order.number, customerId })
    await waitFor('the payment', async () => (await purchasesOf(late.order.id)).length > 0)
    await waitFor('the sale', async () => {
      const rows = await suite.sql(`select 1 from catalog.reservations where id = $1 and status = 'sold'`, [
        late.reservation?.id,
      ])
      return rows.length > 0
    })
    expect(await purchasesOf(late.order.id)).toEqual([{ customer_id: null, product_ids: [] }])
  })

  test('a review that arrives afterwards is rejected', async () => {
    await publishEvent(identity, CustomerDeleted, { customerId: 'cus_writer' })
    await untilDeleted('cus_writer')
    expect((await send('late', 'cus_writer', 'Ada')).statusCode).toBe(401)
    expect(await all('late')).toEqual([])
  })

  test('a review that is written at the same time keeps its author no longer than the account', async () => {
    await suite.sql('begin')
    // The lock delays the insert of the review until after its check of deleted accounts.
    await suite.sql(`select 1 from catalog.products where id = 'prod_late' for update`)
    const sent = send('late', 'cus_meanwhile', 'Ada')
    await waitForLock(suite, 'insert into reviews')
    await publishEvent(identity, CustomerDeleted, { customerId: 'cus_meanwhile' })
    const isConsumed = async () => {
      const rows = await suite.sql(`select 1 from catalog.former_customers where customer_id = 'cus_meanwhile'`)
      return rows.length > 0
    }
    await waitFor(
      'the deletion to be done or to wait',
      async () => (await isConsumed()) || (await lockWaiters(suite, 'pg_advisory_xact_lock')).length > 0,
    )
    await suite.sql('commit')
    expect((await sent).statusCode).toBe(200)
    await untilDeleted('cus_meanwhile')
    expect(await all('late')).toEqual([])
  })
})

describe('the stored data of a customer', () => {
  test('are all reviews, whatever their status, and all purchases, in pages that fit into a message', async () => {
    const slugs = Array.from({ length: 60 }, (_, index) => `book-${index}`)
    const products = slugs.map((slug) => shirt(slug, { id: `prod_${slug}`, sizes: ['M'] }))
    expect((await importCatalogue(catalog.app, suite, { products })).statusCode).toBe(200)
    for (const slug of slugs) await write(slug, 'cus_reader', 'Ada', '\u2764'.repeat(5000))
    await write('kept', 'cus_other', 'Eve')
    const order = await buy('kept', 'cus_reader')
    await publishEvent(orders, OrderPlaced, order)
    await waitFor('the purchase', async () => (await purchasesOf(order.order.id)).length > 0)
    const { records, sizes } = await exportOf('cus_reader')
    const reviews = records.filter(({ kind }) => kind === 'review').map(({ record }) => record)
    expect(reviews.map(({ product }) => JSON.stringify(product)).toSorted()).toEqual(
      slugs.map((slug) => JSON.stringify({ id: `prod_${slug}`, slug, title: `Shirt ${slug}` })).toSorted(),
    )
    expect(reviews[0]).toMatchObject({ author: 'Ada', status: 'pending', rating: 4 })
    expect(records.filter(({ kind }) => kind === 'purchase')).toEqual([
      { kind: 'purchase', record: { orderId: order.order.id, productIds: ['prod_kept'], paid: false } },
    ])
    // A page has records of 256,000 bytes at most, and the reply around them a little more.
    expect(Math.max(...sizes)).toBeLessThan(260_000)
    expect(JSON.stringify(records)).not.toMatch(/Eve|cus_/)
    expect(await exportOf('cus_unknown')).toMatchObject({ records: [] })
  })

  test('can be requested from any position, even a missing one', async () => {
    for (const after of ['', 'review:', 'review:zzz', 'purchase:', 'purchase:zzz', 'nonsense']) {
      const reply = await sendRequest(identity, ReadCatalogPersonalData, { customerId: 'cus_unknown', after })
      expect(reply.records, after).toEqual([])
    }
  })
})
