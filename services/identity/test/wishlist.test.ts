import { listOf, Product, WishlistRemoved, WishlistSaved } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { playCatalog, productOf, untilConnected, type PlayedCatalog } from './neighbours.ts'
import { createSetting, errorOf, type Setting } from './setting.ts'

let shop: Setting
let catalog: PlayedCatalog

beforeAll(async () => {
  shop = await createSetting()
})
afterAll(() => shop.stop())

beforeEach(async () => {
  catalog = await playCatalog(shop.suite)
  const { save } = await openList()
  await untilConnected(shop.suite, () => save('nothing'))
})
afterEach(() => catalog.stop())

/** A product that catalog has from now on. */
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

/** Savings and removals of a product that were said so far, in the words of entries. */
async function eventsOf(productId: string) {
  const entriesOf = (all: { entryId: string; productId: string }[]) =>
    all.filter((each) => each.productId === productId).map((each) => each.entryId)
  return {
    saved: entriesOf(await shop.suite.eventsOf(WishlistSaved)),
    removed: entriesOf(await shop.suite.eventsOf(WishlistRemoved)),
  }
}

describe('the wishlist', () => {
  test('holds whole products, the newest saved first, each once', async () => {
    const list = await openList()
    const [one, two, three] = [sell('one'), sell('two'), sell('three')]
    expect(await list.slugs()).toEqual([])
    for (const { slug } of [one, two, three, one]) expect(await list.save(slug)).toMatchObject(OK)
    expect(await list.slugs()).toEqual(['three', 'two', 'one'])
    expect((await list.read()).body).toEqual({ items: [three, two, one], total: 3 })
    expect((await list.read()).headers['cache-control']).toBe('private, no-store')
  })

  test('tells of every saving under a new name, and of its removal under the same', async () => {
    const list = await openList()
    const { slug, id } = sell('told')
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

  test('holds a product once, however many requests save it at the same moment', async () => {
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

  test('takes nothing that is not for sale', async () => {
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

  test('holds two hundred, and not one more when ten come at once', async () => {
    const list = await openList()
    for (let index = 0; index < 195; index++) {
      const { id, slug } = sell(`many-${index}`)
      await shop.suite.sql(
        `insert into identity.wishlist_entries (id, customer_id, product_id, slug, saved_under, saved_at)
         values ($1, $2, $3, $4, $4, now())`,
        [`wish_many_${index}`, list.customer.id, id, slug],
      )
    }
    const more = Array.from({ length: 10 }, (_, index) => sell(`more-${index}`).slug)
    const responses = await Promise.all(more.map((slug) => list.save(slug)))
    expect(responses.filter((response) => response.status === 200)).toHaveLength(5)
    const rejected = responses.filter((response) => response.status !== 200).map(errorOf)
    expect(rejected).toEqual(rejected.map(() => ({ status: 422, code: 'validation_failed' })))
    catalog.fitting = 30
    catalog.requests = 0
    expect(await list.slugs()).toHaveLength(200)
    // Four questions of fifty, each answered in two parts.
    expect(catalog.requests).toBe(8)
    // What is on it can be saved again though it is full.
    expect(await list.save('many-0')).toMatchObject(OK)
  })

  test('is one customer’s own, and closed to whoever is signed out or gone', async () => {
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
  test('is saved and taken off under a former one as under that of today', async () => {
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

  test('stays when the one that has its former slug now is taken off', async () => {
    const list = await openList()
    const renamed = sell('worn')
    await list.save('worn')
    catalog.products.set(renamed.id, { ...renamed, slug: 'well-worn' })
    sell('worn')
    expect(await list.remove('worn')).toMatchObject(OK)
    expect(await list.slugs()).toEqual(['well-worn'])
  })

  test('goes under the slug that it was saved under, or had then, when it is gone altogether', async () => {
    for (const slug of ['asked-for', 'had']) {
      const list = await openList()
      const { id } = sell('had')
      catalog.formerSlugs.set('asked-for', id)
      await list.save('asked-for')
      catalog.products.delete(id)
      expect(await list.remove(slug)).toMatchObject(OK)
      await waitFor('the removal', async () => (await eventsOf(id)).removed.length === 1)
    }
  })
})

describe('while catalog is away', () => {
  test('nothing is shown or saved, but what was saved can be taken off', async () => {
    const list = await openList()
    const { id } = sell('kept')
    await list.save('kept')
    await catalog.stop()
    expect(errorOf(await list.read())).toEqual(UNAVAILABLE)
    expect(errorOf(await list.save('kept'))).toEqual(UNAVAILABLE)
    // It may be on the list under a name that only catalog knows.
    expect(errorOf(await list.remove('another'))).toEqual(UNAVAILABLE)
    expect(await list.remove('kept')).toMatchObject(OK)
    await waitFor('the removal', async () => (await eventsOf(id)).removed.length === 1)
    // An empty list needs nobody.
    expect(await list.slugs()).toEqual([])
    expect(await list.remove('kept')).toMatchObject(OK)
  })
})
