import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { AdminProduct, listOf, LowStockVariant, Product, ReleaseInventory } from '@storefront/contracts'
import { createSuite, type Suite, waitFor } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { fill, importCatalogue, shirt, startTestCatalog } from './catalog.ts'
import { hold } from './orders.ts'

const LowStockList = listOf(LowStockVariant).extend({
  page: z.int(),
  perPage: z.int(),
  nextCursor: z.string().optional(),
})

let suite: Suite
let catalog: RunningCatalog
let orders: Messaging

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  orders = await suite.openMessaging('orders')
})

afterAll(() => suite.stop())

const put = (body: Record<string, unknown>) => fill(catalog.app, suite, body)
const empty = () => put({ mode: 'replace' })

/** A product with one size for each of these quantities: the first is called 1. */
function stocked(slug: string, quantities: readonly number[], rest: Record<string, unknown> = {}) {
  const sizes = quantities.map((_, index) => String(index + 1))
  const variants = quantities.map((inventory, index) => ({
    sku: `${slug}-${index + 1}`,
    options: { Size: String(index + 1) },
    inventory,
  }))
  return shirt(slug, { sizes, variants, ...rest })
}

const send = (method: 'GET' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
  catalog.app.inject({ method, url, headers: suite.headers.admin(), ...(payload && { payload }) })

const read = (query = '', headers: Record<string, string> = suite.headers.admin()) =>
  catalog.app.inject({ url: `/admin/products/low-stock${query}`, headers })

async function lowStock(query = '') {
  const response = await read(query)
  expect(response.statusCode, response.payload).toBe(200)
  return LowStockList.parse(response.json())
}

/** The list in short: the SKUs with their quantities. */
const skus = async (query = '') => (await lowStock(query)).items.map(({ sku, inventory }) => `${sku}: ${inventory}`)

/** A sale is in the list moments later. */
async function untilListed(expected: string[], query = ''): Promise<void> {
  await waitFor(`${expected.join()} to be listed`, async () => (await skus(query)).join() === expected.join())
}

async function variantOf(sku: string): Promise<{ id: string; productId: string }> {
  const [row] = await suite.sql<{ id: string; productId: string }>(
    'select id, product_id as "productId" from catalog.variants where sku = $1',
    [sku],
  )
  return row ?? { id: '', productId: '' }
}

const setInventory = async (sku: string, quantity: number) => {
  const { id } = await variantOf(sku)
  return send('PATCH', `/admin/variants/${id}/inventory`, { quantity })
}

describe('the list of low stock', () => {
  beforeEach(empty)

  test('shows which variant it is, of which product, and how many units there are', async () => {
    const variants = [{ sku: 'COAT-M', options: { Size: 'M', Color: 'Sage' }, inventory: 4 }]
    const options = [
      { name: 'Size', values: ['M'] },
      { name: 'Color', values: ['Sage'] },
    ]
    await put({ products: [shirt('coat', { title: 'Wool Coat', options, variants })] })
    const { id, productId } = await variantOf('COAT-M')
    await hold(orders, id, 1)
    await untilListed(['COAT-M: 3'])
    const response = await read()
    expect(response.json()).toEqual({
      items: [
        {
          id,
          sku: 'COAT-M',
          options: { Size: 'M', Color: 'Sage' },
          product: { id: productId, slug: 'coat', title: 'Wool Coat', published: true },
          onHand: 4,
          reserved: 1,
          inventory: 3,
        },
      ],
      total: 1,
      page: 1,
      perPage: 25,
    })
    const product = AdminProduct.parse((await send('GET', `/admin/products/${productId}`)).json())
    const [shown] = product.variants
    expect((await lowStock()).items[0]).toMatchObject({ id: shown?.id, inventory: shown?.inventory })
    // The order of the options is that of the product; JSON in the database does not keep it.
    expect(response.payload).toContain('"options":{"Size":"M","Color":"Sage"}')
  })

  test('lists the fewest units first, and equal numbers by SKU', async () => {
    await put({ products: [stocked('b', [3, 0, 3]), stocked('a', [3, 1]), stocked('c', [2])] })
    expect(await skus()).toEqual(['b-2: 0', 'a-2: 1', 'c-1: 2', 'a-1: 3', 'b-1: 3', 'b-3: 3'])
  })

  test('is empty in a shop with enough of everything', async () => {
    await put({ products: [stocked('a', [6, 700])] })
    expect(await lowStock()).toEqual({ items: [], total: 0, page: 1, perPage: 25 })
  })

  test('has variants of drafts too, and can be limited to drafts or published products', async () => {
    await put({ products: [stocked('draft', [1], { published: false }), stocked('sold', [2])] })
    expect((await lowStock()).items.map(({ product }) => [product.slug, product.published])).toEqual([
      ['draft', false],
      ['sold', true],
    ])
    expect(await lowStock('?published=false')).toMatchObject({ items: [{ sku: 'draft-1' }], total: 1 })
    expect(await lowStock('?published=true')).toMatchObject({ items: [{ sku: 'sold-1' }], total: 1 })
    expect(await lowStock('?published=')).toEqual(await lowStock())
  })

  test('does not have variants and products that were deleted, though their stock is kept', async () => {
    await put({ products: [stocked('thinned', [0, 9]), stocked('gone', [2])] })
    const thinned = await variantOf('thinned-1')
    const gone = await variantOf('gone-1')
    expect(await skus()).toEqual(['thinned-1: 0', 'gone-1: 2'])
    const url = `/admin/products/${thinned.productId}/variants/${thinned.id}`
    expect((await send('DELETE', url)).statusCode).toBe(200)
    expect((await send('DELETE', `/admin/products/${gone.productId}`)).statusCode).toBe(200)
    expect(await lowStock()).toMatchObject({ items: [], total: 0 })
    const kept = await suite.sql('select 1 from catalog.stock where variant_id = any($1)', [[thinned.id, gone.id]])
    expect(kept).toHaveLength(2)
  })
})

describe('the threshold', () => {
  beforeAll(async () => {
    await empty()
    await put({ products: [stocked('a', [0, 1, 4, 5, 6, 999, 1000, 1001])] })
  })

  test('is 5 when it is left out, and includes variants with exactly as many units', async () => {
    expect(await skus()).toEqual(['a-1: 0', 'a-2: 1', 'a-3: 4', 'a-4: 5'])
    expect(await skus('?threshold=5')).toEqual(await skus())
    expect(await skus('?threshold=4')).toEqual(['a-1: 0', 'a-2: 1', 'a-3: 4'])
  })

  test('may be 0, for variants that are sold out', async () => {
    expect(await lowStock('?threshold=0')).toMatchObject({ items: [{ sku: 'a-1', inventory: 0 }], total: 1 })
  })

  test('is at most 1000', async () => {
    expect(await lowStock('?threshold=999')).toMatchObject({ total: 6 })
    expect(await lowStock('?threshold=1000')).toMatchObject({ total: 7 })
  })

  test.each(['abc', '-1', '1e3', '1.5', '1001', '9'.repeat(30), '', '%20', '+5', '0x5', '5%0A', '٥'])(
    'is not corrected: %s is rejected',
    async (threshold) => {
      const response = await read(`?threshold=${threshold}`)
      expect(response.statusCode).toBe(422)
      expect(response.json()).toMatchObject({
        code: 'validation_failed',
        detail: { issues: [{ path: 'threshold' }] },
      })
    },
  )

  test('that is rejected gets an error with what is allowed', async () => {
    expect((await read('?threshold=1001')).json()).toMatchObject({
      detail: { issues: [{ path: 'threshold', message: 'must be an integer from 0 to 1000' }] },
    })
  })

  test('with a typing error in its name is rejected, not ignored', async () => {
    const response = await read('?treshold=3')
    expect(response.statusCode).toBe(422)
    expect(response.json()).toMatchObject({ code: 'unknown_field', message: expect.stringContaining('threshold') })
  })
})

describe('units that can be bought', () => {
  beforeEach(empty)

  test('are fewer while a checkout holds some, and as many as before when it releases them', async () => {
    await put({ products: [stocked('a', [7])] })
    expect(await skus()).toEqual([])
    const { id } = await variantOf('a-1')
    const { claim } = await hold(orders, id, 3)
    await untilListed(['a-1: 4'])
    expect((await lowStock()).items).toMatchObject([{ sku: 'a-1', onHand: 7, reserved: 3, inventory: 4 }])
    await sendRequest(orders, ReleaseInventory, { claim })
    await untilListed([])
    expect((await lowStock('?threshold=7')).items).toMatchObject([{ onHand: 7, reserved: 0, inventory: 7 }])
  })

  test('are none when checkouts hold all of them: the variant is listed as sold out', async () => {
    await put({ products: [stocked('a', [2])] })
    await hold(orders, (await variantOf('a-1')).id, 2)
    await untilListed(['a-1: 0'], '?threshold=0')
    expect((await lowStock('?threshold=0')).items).toMatchObject([{ onHand: 2, reserved: 2, inventory: 0 }])
  })

  test('are recorded for the list from its highest threshold down: each record writes all indexes of variants', async () => {
    await put({ products: [stocked('a', [1002, 7])] })
    const [{ id }, other] = [await variantOf('a-1'), await variantOf('a-2')]
    await hold(orders, id, 1)
    await hold(orders, other.id, 1)
    // Both are refreshed together, because they are sizes of one product.
    await untilListed(['a-2: 6'], '?threshold=6')
    const recorded = 'select listed_inventory as units from catalog.variants where id = $1'
    expect(await suite.sql(recorded, [id])).toEqual([{ units: 1002 }])
    await hold(orders, id, 1)
    await untilListed(['a-2: 6', 'a-1: 1000'], '?threshold=1000')
  })

  test('are listed as a merchant has just set them', async () => {
    await put({ products: [stocked('a', [2, 9])] })
    expect((await setInventory('a-1', 6)).statusCode).toBe(200)
    expect((await setInventory('a-2', 5)).statusCode).toBe(200)
    expect(await skus()).toEqual(['a-2: 5'])
  })

  test('are listed of a variant that is added, and of one that returns with the stock that it had', async () => {
    await put({ products: [stocked('a', [0, 9])] })
    const { id, productId } = await variantOf('a-1')
    expect((await send('DELETE', `/admin/products/${productId}/variants/${id}`)).statusCode).toBe(200)
    expect(await skus()).toEqual([])
    await put({ products: [stocked('a', [0, 9, 4])] })
    expect(await skus()).toEqual(['a-1: 0', 'a-3: 4'])
    expect((await variantOf('a-1')).id).toBe(id)
  })

  test('are listed after an upgrade from a version that did not list them', async () => {
    await put({ products: [stocked('a', [2, 9])] })
    await suite.sql('update catalog.variants set listed_inventory = null')
    expect(await skus()).toEqual([])
    await suite.sql('insert into catalog.refresh_queue (product_id) select id from catalog.products')
    await untilListed(['a-1: 2'])
  })
})

describe('the pages', () => {
  beforeAll(async () => {
    await empty()
    await put({ products: [stocked('b', [1, 1, 1]), stocked('a', [1, 0, 1, 6])] })
  })

  test('have every variant once and in order, with the number of all', async () => {
    const pages = [1, 2, 3].map((page) => lowStock(`?per_page=2&page=${page}`))
    const found = await Promise.all(pages)
    expect(found.map(({ items }) => items.map(({ sku }) => sku))).toEqual([
      ['a-2', 'a-1'],
      ['a-3', 'b-1'],
      ['b-2', 'b-3'],
    ])
    expect(found.map(({ total, page, perPage }) => [total, page, perPage])).toEqual([
      [6, 1, 2],
      [6, 2, 2],
      [6, 3, 2],
    ])
  })

  test('are empty after the last one, and then still count all', async () => {
    expect(await lowStock('?per_page=2&page=4')).toEqual({ items: [], total: 6, page: 4, perPage: 2 })
  })

  test('are read by cursor too, and numbered in the same way', async () => {
    const first = await lowStock('?per_page=4')
    const second = await lowStock(`?per_page=4&cursor=${first.nextCursor}`)
    expect([...first.items, ...second.items].map(({ sku }) => sku)).toEqual(['a-2', 'a-1', 'a-3', 'b-1', 'b-2', 'b-3'])
    expect([first, second]).toMatchObject([
      { page: 1, total: 6, nextCursor: expect.any(String) },
      { page: 2, total: 6 },
    ])
    expect(second.nextCursor).toBeUndefined()
    expect((await lowStock('?per_page=6')).nextCursor).toBeUndefined()
  })

  test('by a cursor neither repeat nor omit a variant when others leave the list', async () => {
    const first = await lowStock('?per_page=3')
    expect((await setInventory('a-2', 50)).statusCode).toBe(200)
    const second = await lowStock(`?per_page=3&cursor=${first.nextCursor}`)
    expect(second.items.map(({ sku }) => sku)).toEqual(['b-1', 'b-2', 'b-3'])
    expect((await setInventory('a-2', 0)).statusCode).toBe(200)
  })

  test('by something that is not a cursor are rejected', async () => {
    const response = await read('?cursor=abc')
    expect(response.statusCode).toBe(422)
    expect(response.json()).toMatchObject({ detail: { issues: [{ path: 'cursor' }] } })
  })

  test('have 25 variants, at most 100, and numbers out of range are clamped', async () => {
    expect(await lowStock()).toMatchObject({ page: 1, perPage: 25 })
    expect(await lowStock('?per_page=1000&page=0')).toMatchObject({ page: 1, perPage: 100 })
    expect(await lowStock('?per_page=0&page=99999999')).toMatchObject({ items: [], page: 1_000_000, perPage: 1 })
    for (const query of ['?page=two', '?per_page=1.5']) expect((await read(query)).statusCode).toBe(422)
  })

  // Last, because it changes the shop.
  test('are counted up to 10,000 variants, and go on beyond', async () => {
    await suite.sql(`
      with added as (
        insert into catalog.variants (id, product_id, position, sku, options, listed_inventory)
        select 'var_' || n, product_id, n, 'many-' || n, '{}', 2
        from generate_series(100, 10200) n, (select product_id from catalog.variants where sku = 'a-1') a
        returning id, product_id)
      insert into catalog.stock (variant_id, product_id, on_hand, reserved) select id, product_id, 2, 0 from added`)
    expect((await lowStock('?per_page=100')).total).toBe(10_000)
    const beyond = await lowStock('?per_page=100&page=102')
    expect(beyond).toMatchObject({ total: 10_000, page: 102 })
    // Six variants of the first test data, and 10,101 more.
    expect(beyond.items).toHaveLength(7)
    expect(beyond.nextCursor).toBeUndefined()
  })
})

describe('permissions', () => {
  test('the list is for admins who may read the catalog', async () => {
    const statusFor = async (headers: Record<string, string>) => (await read('', headers)).statusCode
    expect(await statusFor(suite.headers.admin(['catalog:read']))).toBe(200)
    expect(await statusFor(suite.headers.admin(['inventory:write', 'catalog:write']))).toBe(403)
    expect(await statusFor(suite.headers.customer('cus_1'))).toBe(403)
    expect(await statusFor(suite.headers.anonymous())).toBe(401)
    expect(await statusFor({})).toBe(401)
  })
})

describe('a product that is called like the path of the list', () => {
  beforeEach(empty)

  test('is read by its id in the admin and by its slug in the shop', async () => {
    await put({ products: [stocked('low-stock', [3])] })
    const { id, productId } = await variantOf('low-stock-1')
    expect((await lowStock()).items).toMatchObject([{ id, product: { id: productId, slug: 'low-stock' } }])
    const merchants = AdminProduct.parse((await send('GET', `/admin/products/${productId}`)).json())
    const shoppers = Product.parse((await catalog.app.inject({ url: '/products/low-stock' })).json())
    expect([merchants.slug, shoppers.id]).toEqual(['low-stock', productId])
  })

  test('cannot have the name as its id, under which no merchant could read it', async () => {
    const response = await importCatalogue(catalog.app, suite, { products: [{ id: 'low-stock', ...shirt('a') }] })
    expect(response.statusCode).toBe(422)
    expect(response.json()).toMatchObject({
      code: 'validation_failed',
      detail: { issues: [{ path: 'products.0.id', message: 'must not be low-stock, the path of a list' }] },
    })
  })
})
