import { listOf, Product, WishlistRemoved, WishlistSaved } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFakeCatalog, productOf, untilConnected, type FakeCatalog } from './fake-services.ts'
import { createSetting, errorOf, type Setting } from './setting.ts'

let shop: Setting
let catalog: FakeCatalog

beforeAll(async () => {
  shop = await createSetting()
})
afterAll(() => shop.stop())

beforeEach(async () => {
  catalog = await startFakeCatalog(shop.suite)
  const { save } = await openList()
  await untilConnected(shop.suite, () => save('nothing'))
})
afterEach(() => catalog.stop())

/** Adds a product to the simulated catalog. */
function sell(slug: string, more: Partial<Product> = {}): Product {
  const product = productOf(slug, more)
  catalog.products.set(product.id, product)
  return product
}

/** A new customer's wishlist. */
async function openList() {
  const { customer } = await shop.register()
  const headers = shop.as(customer.id)
  const read = () => shop.call('GET', '/me/wishlist', undefined, headers)
  return {
    customer,
    headers,
    read,
    save: (slug: unknown) => shop.call('POST', '/me/wishlist', { product_slug: slug }, headers),
    remove: (slug: string) => shop.call('DELETE', `/me/wishlist/${slug}`, undefined, headers),
    slugs: async () => {
      const response = await read()
      expect(response.status, JSON.stringify(response.body)).toBe(200)
      const { items, total } = listOf(Product).parse(response.body)
      expect(total).toBe(items.length)
      return items.map((item) => item.slug)
    },
  }
}

const OK = { status: 200, body: { ok: true } }
const NOT_FOUND = { status: 404, code: 'not_found' }
const UNAVAILABLE = { status: 503, code: 'service_unavailable' }

/** The ids of the entries in the events that were published so far for a product. */
async function eventsOf(productId: string) {
  const entriesOf = (all: { entryId: string; productId: string }[]) =>
    all.filter((each) => each.productId === productId).map((each) => each.entryId)
  return {
    saved: entriesOf(await shop.suite.eventsOf(WishlistSaved)),
    removed: entriesOf(await shop.suite.eventsOf(WishlistRemoved)),
  }
}

describe('the wishlist', () => {
  test('contains whole products, each once, the last saved first', async () => {
    const list = await openList()
    const [one, two, three] = [sell('one'), sell('two'), sell('three')]
    expect(await list.slugs()).toEqual([])
    for (const { slug } of [one, two, three, one]) expect(await list.save(slug)).toMatchObject(OK)
    expect(await list.slugs()).toEqual(['three', 'two', 'one'])
    expect((await list.read()).body).toEqual({ items: [three, two, one], total: 3 })
    expect((await list.read()).headers['cache-control']).toBe('private, no-store')
  })

  test('publishes each saved entry with a new id, and its removal with the same id', async () => {
    const list = await openList()
    const { slug, id } = sell('announced')
    await list.save(slug)
    await list.save(slug)
    await list.remove(slug)
    await list.remove(slug)
    await list.save(slug)
    const { saved, removed } = await waitFor('the event', async () => {
      const events = await eventsOf(id)
      return events.saved.length >= 2 && events.removed.length >= 1 ? events : undefined
    })
    expect(saved).toEqual([expect.stringMatching(/^wish_/), expect.stringMatching(/^wish_/)])
    expect(new Set(saved).size).toBe(2)
    expect(removed).toEqual(saved.slice(0, 1))
  })

  test('contains a product once, however many requests save it at the same moment', async () => {
    const list = await openList()
    const { slug, id } = sell('crowded')
    const responses = await Promise.all(Array.from({ length: 10 }, () => list.save(slug)))
    for (const response of responses) expect(response).toMatchObject(OK)
    expect(await list.slugs()).toEqual(['crowded'])
    const removals = await Promise.all(Array.from({ length: 10 }, () => list.remove(slug)))
    for (const response of removals) expect(response).toMatchObject(OK)
    await waitFor('the removal', async () => (await eventsOf(id)).removed.length === 1)
    expect((await eventsOf(id)).saved).toHaveLength(1)
  })

  test('shows no product that is not published, and shows it again when it is', async () => {
    const list = await openList()
    const hidden = sell('hidden')
    await list.save('hidden')
    await list.save(sell('shown').slug)
    catalog.products.set(hidden.id, { ...hidden, published: false })
    expect(await list.slugs()).toEqual(['shown'])
    catalog.products.set(hidden.id, hidden)
    expect(await list.slugs()).toEqual(['shown', 'hidden'])
  })

  test('rejects products that are not for sale', async () => {
    const list = await openList()
    sell('draft', { published: false })
    for (const slug of ['draft', 'nowhere', '__proto__', 'x'.repeat(200)]) {
      expect(errorOf(await list.save(slug))).toEqual(NOT_FOUND)
    }
    for (const slug of ['', 'x'.repeat(201), 7, null, undefined, ['draft']]) {
      expect(errorOf(await list.save(slug))).toEqual({ status: 422, code: 'validation_failed' })
    }
    expect(await list.slugs()).toEqual([])
  })

  test('contains at most two hundred products, also when ten are saved at once', async () => {
    const list = await openList()
    const [deleted, hidden] = [sell('deleted'), sell('hidden')]
    const saved = [deleted, hidden, ...Array.from({ length: 193 }, (_, index) => sell(`many-${index}`))]
    await shop.suite.sql(
      `insert into identity.wishlist_entries (id, customer_id, product_id, slug, saved_under, saved_at)
       select 'wish_' || id, $1, id, slug, slug, now() from unnest($2::text[], $3::text[]) as product (id, slug)`,
      [list.customer.id, saved.map(({ id }) => id), saved.map(({ slug }) => slug)],
    )
    const more = Array.from({ length: 10 }, (_, index) => sell(`more-${index}`).slug)
    const responses = await Promise.all(more.map((slug) => list.save(slug)))
    expect(responses.filter((response) => response.status === 200)).toHaveLength(5)
    const full = { status: 422, code: 'validation_failed' }
    const rejected = responses.filter((response) => response.status !== 200).map(errorOf)
    expect(rejected).toEqual(rejected.map(() => full))
    catalog.fitting = 30
    catalog.requests = 0
    expect(await list.slugs()).toHaveLength(200)
    // Four requests for fifty products, each with two replies.
    expect(catalog.requests).toBe(8)
    // A product on the list can be saved again although the list is full.
    expect(await list.save('many-0')).toMatchObject(OK)

    // A deleted product makes room for another one; one that is not published keeps its place.
    catalog.products.delete(deleted.id)
    catalog.products.set(hidden.id, { ...hidden, published: false })
    sell('late')
    catalog.isEarlier = true
    expect(errorOf(await list.save('late'))).toEqual(full)
    catalog.isEarlier = false
    expect(await list.save('late')).toMatchObject(OK)
    expect(errorOf(await list.save(sell('later').slug))).toEqual(full)
    catalog.products.set(hidden.id, hidden)
    expect(await list.slugs()).toHaveLength(200)
    await waitFor('the removal', async () => (await eventsOf(deleted.id)).removed.length === 1)
  })

  test('belongs to one customer, and cannot be used by visitors or by a deleted customer', async () => {
    const [mine, theirs] = [await openList(), await openList()]
    await theirs.save(sell('theirs').slug)
    expect(await mine.remove('theirs')).toMatchObject(OK)
    expect(await mine.slugs()).toEqual([])
    expect(await theirs.slugs()).toEqual(['theirs'])
    const unauthenticated = { status: 401, code: 'unauthenticated' }
    for (const headers of [{}, shop.suite.headers.anonymous(), shop.as('cus_gone')]) {
      const responses = [
        await shop.call('GET', '/me/wishlist', undefined, headers),
        await shop.call('POST', '/me/wishlist', { product_slug: 'theirs' }, headers),
        await shop.call('DELETE', '/me/wishlist/theirs', undefined, headers),
      ]
      expect(responses.map(errorOf)).toEqual(responses.map(() => unauthenticated))
    }
  })
})

describe('a product with another slug', () => {
  test('can be saved and removed under its former slug, too', async () => {
    const list = await openList()
    const { id } = sell('today')
    catalog.formerSlugs.set('yesterday', id)
    await list.save('yesterday')
    await list.save('today')
    expect(await list.slugs()).toEqual(['today'])
    await list.remove('yesterday')
    expect(await list.slugs()).toEqual([])
    await list.save('today')
    await list.remove('today')
    expect(await list.slugs()).toEqual([])
  })

  test('stays when the product that now has its former slug is removed', async () => {
    const list = await openList()
    const renamed = sell('worn')
    await list.save('worn')
    catalog.products.set(renamed.id, { ...renamed, slug: 'well-worn' })
    sell('worn')
    expect(await list.remove('worn')).toMatchObject(OK)
    expect(await list.slugs()).toEqual(['well-worn'])
  })

  test('is removed under its current slug while it is not published', async () => {
    const list = await openList()
    const renamed = sell('shirt')
    await list.save('shirt')
    catalog.products.set(renamed.id, { ...renamed, slug: 'blouse', published: false })
    expect(await list.remove('blouse')).toMatchObject(OK)
    await waitFor('the removal', async () => (await eventsOf(renamed.id)).removed.length === 1)
  })

  test('can be removed after its deletion, by the slug that it was saved under or had at that time', async () => {
    for (const slug of ['former-slug', 'had']) {
      const list = await openList()
      const { id } = sell('had')
      catalog.formerSlugs.set('former-slug', id)
      await list.save('former-slug')
      catalog.products.delete(id)
      expect(await list.remove(slug)).toMatchObject(OK)
      await waitFor('the removal', async () => (await eventsOf(id)).removed.length === 1)
    }
  })
})

describe('while catalog is down', () => {
  test('nothing is shown or saved, and saved products can be removed', async () => {
    const list = await openList()
    const { id } = sell('kept')
    await list.save('kept')
    await catalog.stop()
    expect(errorOf(await list.read())).toEqual(UNAVAILABLE)
    expect(errorOf(await list.save('kept'))).toEqual(UNAVAILABLE)
    // It may be on the list under a slug that only catalog knows.
    expect(errorOf(await list.remove('another'))).toEqual(UNAVAILABLE)
    expect(await list.remove('kept')).toMatchObject(OK)
    await waitFor('the removal', async () => (await eventsOf(id)).removed.length === 1)
    // An empty list needs no request to catalog.
    expect(await list.slugs()).toEqual([])
    expect(await list.remove('kept')).toMatchObject(OK)
  })
})
