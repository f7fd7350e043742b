import { rm } from 'node:fs/promises'
import { z } from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SERVICE_OPENAPI_PATH } from '@storefront/http'
import { createSuite, temporaryFolder, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { startFakeCart, type FakeCart } from './cart.ts'
import { importCatalogue, shirt, startTestCatalog, usd } from './catalog.ts'
import { jpeg } from './pictures.ts'

/** The part of a schema that the tests read. */
const Schema = z.looseObject({
  $ref: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
})
const Description = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        security: z.array(z.record(z.string(), z.unknown())).optional(),
        responses: z.record(
          z.string(),
          z.object({ content: z.record(z.string(), z.object({ schema: Schema })).optional() }),
        ),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
})

let suite: Suite
let catalog: RunningCatalog
/** The simulated cart service, from which an export requests the discounts. */
let cart: FakeCart
let mediaDir: string
let described: z.output<typeof Description>

beforeAll(async () => {
  suite = await createSuite('catalog')
  mediaDir = await temporaryFolder('every-route')
  catalog = await startTestCatalog(suite, { MEDIA_DIR: mediaDir })
  cart = await startFakeCart(suite)
  const filled = await importCatalogue(catalog.app, suite, {
    products: [shirt('linen', { categories: ['shirts'] }), shirt('gone'), shirt('thinned', { inventory: 0 })],
    categories: [{ slug: 'shirts', name: 'Shirts' }],
    collections: [{ slug: 'summer', title: 'Summer', products: ['linen'] }],
    sizeCharts: [{ id: 'tops', unit: 'cm', columns: ['Size'], rows: [['S']] }],
    reviews: [{ id: 'rev_1', product: 'linen', author: 'Ada', rating: 5 }],
    library: { features: [{ id: 'lib_1', icon: 'leaf', title: 'Traced', body: '' }] },
    settings: { commerce: { shippingMethods: [{ id: 'express', price: usd(900) }] } },
  })
  expect(filled.statusCode, filled.payload).toBe(200)
  expect((await send({ name: UPLOAD, method: 'POST', path: '/admin/media', access: 'admin' })).status).toBe(201)
  described = Description.parse((await catalog.app.inject({ url: SERVICE_OPENAPI_PATH })).json())
})

afterAll(async () => {
  await catalog.stop()
  await cart.stop()
  await suite.stop()
  await rm(mediaDir, { recursive: true, force: true })
})

interface Operation {
  name: string
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string
  access: 'public' | 'customer' | 'admin'
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

/** Every documented operation: reads first, deletions last. */
function operations(): Operation[] {
  return METHODS.flatMap((method) =>
    Object.entries(described.paths).flatMap(([path, item]) => {
      const operation = item[method.toLowerCase()]
      if (!operation) return []
      const needs = (operation.security ?? []).flatMap((one) => Object.keys(one))
      const access = needs.includes('admin') ? 'admin' : needs.includes('customer') ? 'customer' : 'public'
      return [{ name: `${method} ${path}`, method, path, access } as const]
    }),
  )
}

const UPLOAD = 'POST /admin/media'

const BULK_EDIT = { products: { filter: {} }, change: { kind: 'published', published: true } }

/** The body with which each write succeeds; writes without a body are left out. */
const BODIES: Record<string, object> = {
  'POST /products/{slug}/reviews': { author: 'Bob', rating: 4 },
  'POST /admin/products': { title: 'Coat', price: usd(9000) },
  'POST /admin/products/bulk': BULK_EDIT,
  'POST /admin/products/bulk/preview': BULK_EDIT,
  'PATCH /admin/products/{id}': { subtitle: 'Cool' },
  'POST /admin/products/{id}/variants': { sku: 'LINEN-ANY' },
  'PATCH /admin/products/{id}/variants/{variantId}': { price: usd(4100) },
  'POST /admin/categories': { slug: 'coats', name: 'Coats' },
  'POST /admin/collections': { slug: 'winter', title: 'Winter' },
  'POST /admin/size-charts': { id: 'feet', unit: 'cm', columns: ['Size', 'Length'], rows: [['38', 24]] },
  'POST /admin/library/{kind}': { icon: 'leaf', title: 'Mended', body: '' },
  'PATCH /admin/media/{id}': { alt: 'A shirt on a line' },
  'PATCH /admin/storefront': { store: { tagline: 'Slow' } },
  'PATCH /admin/variants/{id}/inventory': { quantity: 7 },
  'POST /admin/variants/{id}/inventory': { delta: 1 },
  'PATCH /admin/reviews/{id}': { status: 'hidden' },
  'POST /admin/import': { mode: 'merge', settings: { store: { name: 'Weft' } } },
}

/** The path of an existing record. */
async function addressOf({ name, method, path }: Operation): Promise<string> {
  const one = async (text: string) => (await suite.sql<{ id: string }>(text))[0]?.id ?? 'none'
  const slug = method !== 'DELETE' ? 'linen' : path.includes('{variantId}') ? 'thinned' : 'gone'
  const found: [RegExp, () => Promise<string>][] = [
    [/^\/products\/\{slug\}/, async () => slug],
    // A bulk edit that is already canceled can be canceled again; an undo needs one that is done.
    [/^\/admin\/products\/bulk\//, async () => (method === 'DELETE' ? 'bulk_canceled' : 'bulk_done')],
    [/^\/admin\/products\/\{/, () => one(`select id from catalog.products where slug = '${slug}'`)],
    [/^\/admin\/variants\/\{/, () => one(`select id from catalog.variants where sku = 'LINEN-S'`)],
    [/^\/admin\/reviews\/\{/, async () => 'rev_1'],
    [/^\/admin\/categories\/\{/, async () => 'shirts'],
    [/^\/admin\/collections\/\{/, async () => 'summer'],
    [/^\/admin\/size-charts\/\{/, async () => 'tops'],
    [/^\/admin\/media\/\{/, () => one('select id from catalog.media')],
    [/^\/admin\/import\/\{/, () => one('select id from catalog.import_jobs where finished_at is null')],
    [/^\/admin\/storefront\/\{path/, async () => 'store.tagline'],
    [/^\/admin\/storefront\/versions\/\{/, () => one('select min(version)::text as id from catalog.settings_versions')],
  ]
  const [, id] = found.find(([pattern]) => pattern.test(path)) ?? []
  const value = async (parameter: string) =>
    parameter === 'variantId'
      ? one(`select id from catalog.variants where sku = '${slug.toUpperCase()}-S'`)
      : parameter === 'kind'
        ? 'features'
        : path.includes('/library/')
          ? 'lib_1'
          : ((await id?.()) ?? 'none')
  let address = path
  for (const [whole, parameter = ''] of path.matchAll(/\{([^}]+)\}/g)) {
    address = address.replace(whole, await value(parameter))
  }
  if (path === '/media/{*}') return `/media/uploads/${await one('select id from catalog.media')}/40.webp`
  return name === 'GET /delivery-estimate' ? `${address}?method=express&country=US` : address
}

async function send(operation: Operation) {
  const headers = operation.access === 'customer' ? suite.headers.customer('cus_1') : suite.headers.admin()
  const url = await addressOf(operation)
  if (operation.name === UPLOAD) {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(await jpeg(40, 40))]), 'shirt.jpg')
    const response = await fetch(`${catalog.url}${url}`, { method: 'POST', headers, body: form })
    return { status: response.status, cacheControl: response.headers.get('cache-control') }
  }
  const payload = BODIES[operation.name]
  const response = await catalog.app.inject({ method: operation.method, url, headers, ...(payload && { payload }) })
  return { status: response.statusCode, cacheControl: response.headers['cache-control'] }
}

test('every public response may be stored by shared caches', async () => {
  const reads = operations().filter(({ access, method }) => access === 'public' && method === 'GET')
  expect(reads.length).toBeGreaterThan(10)
  for (const operation of reads) {
    const { status, cacheControl } = await send(operation)
    expect([operation.name, status, cacheControl]).toEqual([operation.name, 200, expect.stringMatching(/^public, /)])
  }
  for (const url of ['/healthz', '/readyz']) {
    expect((await catalog.app.inject({ url })).headers['cache-control'], url).toBeUndefined()
  }
})

test('no cache stores a response that is not public, on any route', async () => {
  // An import to cancel.
  await suite.sql(
    `insert into catalog.import_jobs (id, created_at, changed_at, actor, mode, dry_run, attended, status)
     values ('imp_1', now(), now(), '{"kind":"anonymous"}', 'merge', false, true, 'receiving')`,
  )
  await suite.sql(
    `insert into catalog.bulk_edits (id, created_at, finished_at, actor, change, state, total, changed)
     select 'bulk_' || state, now(), now(), '{"kind":"anonymous"}', '{"kind":"end-sale"}', replace(state, 'canceled', 'cancelled'), 1, 1
     from unnest(array['done', 'canceled']) as state`,
  )
  const all = operations().filter(({ access }) => access !== 'public')
  expect(all.length).toBeGreaterThan(35)
  for (const operation of all) {
    const { status, cacheControl } = await send(operation)
    // An error is never cached: only a successful response shows the route's headers.
    expect([operation.name, Math.floor(status / 100), cacheControl]).toEqual([operation.name, 2, 'private, no-store'])
  }
})

test('every list has the number of all its entries', () => {
  const resolved = (schema: z.output<typeof Schema>) =>
    described.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
  const lists = Object.entries(described.paths).flatMap(([path, item]) =>
    Object.values(item).flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ content = {} }) =>
        Object.values(content)
          .map(({ schema }) => resolved(schema))
          .filter(({ properties }) => properties?.['items'] !== undefined)
          .map(({ required }) => ({ path, required })),
      ),
    ),
  )
  expect(lists.length).toBeGreaterThan(14)
  for (const { path, required } of lists) {
    expect(required, path).toEqual(expect.arrayContaining(['items', 'total']))
  }
})
