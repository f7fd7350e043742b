import { sendRequest, type Messaging } from '@storefront/messaging'
import {
  AdminProduct,
  AdminVariant,
  ErrorBody,
  ImportBody,
  newId,
  OrderPlaced,
  OrderRestocked,
  ProductUpdated,
  ReadPrices,
  ReleaseInventory,
} from '@storefront/contracts'
import { amount, createSuite, expectLedgerBalanced, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, issuesOf, pageOf, shirt, startTestCatalog, usd } from './catalog.ts'
import { hold, placedOrder, publishEvent } from './orders.ts'

const Missing = ErrorBody.extend({
  code: z.literal('variants_missing'),
  detail: z.object({
    variants: z.array(
      z.object({
        id: z.string(),
        sku: z.string(),
        options: z.record(z.string(), z.string()),
        onHand: z.int(),
        reserved: z.int(),
      }),
    ),
    total: z.int(),
  }),
})

let suite: Suite
let catalog: RunningCatalog
let orders: Messaging
let cart: Messaging

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  orders = await suite.openMessaging('orders')
  cart = await suite.openMessaging('cart')
})

afterAll(async () => {
  await expectLedgerBalanced(suite)
  await suite.stop()
})

let counter = 0
const unique = (word: string) => `${word}-${counter++}`

const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, ifMatch?: string) =>
  catalog.app.inject({
    method,
    url: `/admin/products${path}`,
    headers: { ...suite.headers.admin(), ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
    ...(payload && { payload }),
  })

async function create(payload: object): Promise<AdminProduct & { ids: string[] }> {
  const response = await send('POST', '', payload)
  expect(response.statusCode, response.payload).toBe(200)
  const product = AdminProduct.parse(response.json())
  return { ...product, ids: product.variants.map(({ id }) => id) }
}

async function read(id: string): Promise<{ product: AdminProduct; etag: string }> {
  const response = await send('GET', `/${id}`)
  return { product: AdminProduct.parse(response.json()), etag: String(response.headers.etag) }
}

const codeOf = (response: { statusCode: number; json: () => unknown }) =>
  response.statusCode === 200 ? 200 : ErrorBody.parse(response.json()).code

async function stockOf(variantId: string) {
  const [row] = await suite.sql<{ onHand: number; reserved: number }>(
    'select on_hand as "onHand", reserved from catalog.stock where variant_id = $1',
    [variantId],
  )
  return row
}

const page = (slug: string) => pageOf(catalog.app, slug)

/** Adds or removes units, as another instance would. */
async function receive(variantId: string, units: number): Promise<void> {
  await suite.sql(
    `insert into catalog.stock_movements (variant_id, on_hand_delta, reserved_delta, kind, at)
     values ($1, $2, 0, 'adjusted', now())`,
    [variantId, units],
  )
  await suite.sql('update catalog.stock set on_hand = on_hand + $2, version = version + 1 where variant_id = $1', [
    variantId,
    units,
  ])
}

/** Does something while a request to the catalog waits for a lock on the stock of a variant. */
async function whileLocked<Result>(variantId: string, request: () => Promise<Result>, work: () => Promise<void>) {
  await suite.sql('begin')
  await suite.sql('select 1 from catalog.stock where variant_id = $1 for update', [variantId])
  const requested = request()
  await waitFor('the request to wait', async () => {
    const waiting = await suite.sql(
      'select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
    )
    return waiting.length > 0
  })
  await work()
  await suite.sql('commit')
  return requested
}

describe('a save that leaves out variants with stock', () => {
  test('is rejected with each of them, and changes nothing', async () => {
    const { id, ids, variants } = await create(shirt(unique('kept'), { sizes: ['S', 'M', 'L', 'XL'], inventory: 0 }))
    const [small = '', medium = '', large = ''] = ids
    await receive(medium, 5)
    await receive(large, 3)
    await hold(orders, large, 3)
    const before = await read(id)
    for (const ifMatch of [undefined, '*', ' * ']) {
      const response = await send('PATCH', `/${id}`, { title: 'Fewer', variants: [{ id: small }] }, ifMatch)
      expect(response.statusCode).toBe(409)
      const { message, detail } = Missing.parse(response.json())
      expect(detail).toEqual({
        variants: [
          { id: medium, sku: variants[1]?.sku, options: { Size: 'M' }, onHand: 5, reserved: 0 },
          { id: large, sku: variants[2]?.sku, options: { Size: 'L' }, onHand: 3, reserved: 3 },
        ],
        total: 2,
      })
      expect(message).toBe(
        `This would remove variants that have stock: ${variants[1]?.sku} (5 on hand, 0 reserved), ${variants[2]?.sku} ` +
          '(3 on hand, 3 reserved). Keep them, set their stock to 0 first, or send the ETag of the product as If-Match.',
      )
    }
    expect(await read(id)).toEqual(before)
  })

  test('may leave out variants that have none', async () => {
    const { id, ids } = await create(shirt(unique('empty'), { inventory: 0 }))
    const response = await send('PATCH', `/${id}`, { variants: [{ id: ids[0] }] })
    expect(AdminProduct.parse(response.json()).variants.map((each) => each.id)).toEqual([ids[0]])
  })

  test('is accepted with the current tag of the product, and with no older one', async () => {
    const { id, ids } = await create(shirt(unique('meant'), { sizes: ['S', 'M', 'L'], inventory: 4 }))
    const [small, medium = ''] = ids
    const { etag } = await read(id)
    await hold(orders, medium, 1)
    const withoutMedium = { variants: ids.filter((each) => each !== medium).map((each) => ({ id: each })) }
    expect(codeOf(await send('PATCH', `/${id}`, withoutMedium, etag)), 'before the reservation').toBe('conflict')
    const fresh = await read(id)
    expect(codeOf(await send('PATCH', `/${id}`, withoutMedium, fresh.etag))).toBe(200)
    expect(codeOf(await send('PATCH', `/${id}`, { variants: [{ id: small }] }, fresh.etag)), 'once more').toBe(
      'conflict',
    )
    const { product } = await read(id)
    // A tag with only the version is valid whatever was sold.
    expect(codeOf(await send('PATCH', `/${id}`, { variants: [{ id: small }] }, `"${product.version}"`))).toBe(200)
  })

  test('is decided by the stock at the moment of the save, not by what was read before it', async () => {
    const { id, ids } = await create(shirt(unique('raced'), { inventory: 0 }))
    const [small, medium = ''] = ids
    const response = await whileLocked(
      medium,
      () => send('PATCH', `/${id}`, { variants: [{ id: small }] }),
      () => receive(medium, 2),
    )
    expect(Missing.parse(response.json()).detail.variants).toMatchObject([{ id: medium, onHand: 2, reserved: 0 }])
    expect((await read(id)).product.variants).toHaveLength(2)
  })

  test('with a tag is rejected when a unit was sold while it waited for the stock', async () => {
    const { id, ids } = await create(shirt(unique('sold'), { inventory: 3 }))
    const [small, medium = ''] = ids
    const { etag } = await read(id)
    const response = await whileLocked(
      medium,
      () => send('PATCH', `/${id}`, { variants: [{ id: small }] }, etag),
      () => receive(medium, -1),
    )
    expect(codeOf(response)).toBe('conflict')
    expect((await read(id)).product.variants).toHaveLength(2)
  })

  test('never loses a unit, whatever is reserved and removed at once', async () => {
    for (let round = 0; round < amount({ quick: 4, long: 8 }); round++) {
      const { id, ids } = await create(shirt(unique('crowd'), { sizes: ['S', 'M'], inventory: 1 }))
      const [small, medium = ''] = ids
      const { etag } = await read(id)
      const [held, removed] = await Promise.all([
        hold(orders, medium, 1).then(
          () => true,
          () => false,
        ),
        send('PATCH', `/${id}`, { variants: [{ id: small }] }, etag),
      ])
      expect([200, 409]).toContain(removed.statusCode)
      expect(await stockOf(medium)).toEqual({ onHand: 1, reserved: held ? 1 : 0 })
    }
  })
})

describe('an import', () => {
  test('that merges names every variant with stock that it leaves out, and imports nothing', async () => {
    const [one, other] = [unique('first'), unique('second')]
    const saved = (sizes: string[], title: string) => ({
      products: [one, other].map((slug) => shirt(slug, { sizes, title, inventory: 2 })),
    })
    expect((await importCatalogue(catalog.app, suite, saved(['S', 'M', 'L'], 'Before'))).statusCode).toBe(200)
    for (const dryRun of [false, true]) {
      const response = await catalog.app.inject({
        method: 'POST',
        url: `/admin/import${dryRun ? '?dry_run=1' : ''}`,
        headers: suite.headers.admin(),
        payload: { mode: 'merge', ...saved(['M'], 'After') },
      })
      expect(response.statusCode).toBe(422)
      const left = (slug: string, size: string) =>
        `leaves out the variant ${slug.toUpperCase()}-${size} (2 on hand, 0 reserved). Add it, or set its stock to 0 first.`
      expect(issuesOf(response)).toEqual([
        { path: 'products.0.variants', message: left(one, 'S') },
        { path: 'products.0.variants', message: left(one, 'L') },
        { path: 'products.1.variants', message: left(other, 'S') },
        { path: 'products.1.variants', message: left(other, 'L') },
      ])
    }
    expect(await page(one)).toMatchObject({ title: 'Before' })
  })

  test('is rejected for stock that comes between its check and its save', async () => {
    const slug = unique('late')
    const { id, ids } = await create(shirt(slug, { inventory: 0 }))
    const [, medium = ''] = ids
    const response = await whileLocked(
      medium,
      () => importCatalogue(catalog.app, suite, { products: [shirt(slug, { sizes: ['S'], inventory: 0 })] }),
      () => receive(medium, 2),
    )
    expect(Missing.parse(response.json()).detail.variants).toMatchObject([{ id: medium, onHand: 2 }])
    expect((await read(id)).product.variants).toHaveLength(2)
  })

  test('that replaces the shop deletes them, and the ledgers stay', async () => {
    const exported = await catalog.app.inject({ url: '/admin/export', headers: suite.headers.admin() })
    const body = ImportBody.parse({ mode: 'replace', ...JSON.parse(exported.payload) })
    const slug = unique('replaced')
    expect((await importCatalogue(catalog.app, suite, { products: [shirt(slug, { inventory: 6 })] })).statusCode).toBe(
      200,
    )
    const gone = (await page(slug)).variants[1]?.id ?? ''
    const products = [...body.products, shirt(slug, { sizes: ['S'], inventory: 6 })]
    const { discounts: _discounts, ...others } = body
    const replacing = await importCatalogue(catalog.app, suite, { ...others, mode: 'replace', products })
    expect(replacing.statusCode, replacing.payload.slice(0, 500)).toBe(200)
    expect((await page(slug)).variants).toHaveLength(1)
    expect(await stockOf(gone)).toEqual({ onHand: 6, reserved: 0 })
  })
})

describe('a deleted variant', () => {
  test('is still sold to the buyer who holds it, and returned goods are in its ledger', async () => {
    const { id, slug, ids } = await create(shirt(unique('held'), { inventory: 5 }))
    const [small, medium = ''] = ids
    const reservation = await hold(orders, medium, 2)
    const released = await hold(orders, medium, 1)
    const { etag } = await read(id)
    expect(codeOf(await send('PATCH', `/${id}`, { variants: [{ id: small }] }, etag))).toBe(200)
    expect(await stockOf(medium)).toEqual({ onHand: 5, reserved: 3 })
    expect((await page(slug)).social?.unitsAvailable).toBe(5)
    await expect(hold(orders, medium, 1)).rejects.toThrow('not held')

    const lines = [{ variantId: medium, quantity: 2 }]
    const placed = placedOrder({ reservation })
    await publishEvent(orders, OrderPlaced, placed)
    await waitFor('the sale', async () => (await stockOf(medium))?.onHand === 3)
    expect(await sendRequest(orders, ReleaseInventory, { claim: released.claim })).toEqual({ released: true })
    expect(await stockOf(medium)).toEqual({ onHand: 3, reserved: 0 })
    await publishEvent(orders, OrderRestocked, {
      orderId: placed.order.id,
      claim: reservation.claim,
      placedAt: placed.order.placedAt,
      lines,
    })
    await waitFor('the return', async () => (await stockOf(medium))?.onHand === 5)
  })

  test('keeps its id when it is added again under its SKU, and its stock, and carts find it again', async () => {
    const { id, ids, variants } = await create(shirt(unique('back'), { inventory: 5 }))
    const [small, medium = ''] = ids
    const sku = variants[1]?.sku
    const inProjection = async () => (await sendRequest(cart, ReadPrices, { variantIds: [medium] })).entries
    for (const returns of [
      () => send('POST', `/${id}/variants`, { sku, options: { Size: 'M' } }),
      () => send('PATCH', `/${id}`, { variants: [{ id: small }, { sku, options: { Size: 'M' } }] }),
      () =>
        send('PATCH', `/${id}`, {
          variants: [{ id: small }, { id: 'var_of-the-client', sku, options: { Size: 'M' } }],
        }),
    ]) {
      const { etag } = await read(id)
      expect(codeOf(await send('DELETE', `/${id}/variants/${medium}`, undefined, etag))).toBe(200)
      expect(await inProjection()).toEqual([])
      expect((await returns()).statusCode).toBe(200)
      expect((await read(id)).product.variants[1]).toMatchObject({ id: medium, sku, inventory: 5 })
      expect(await inProjection()).toMatchObject([{ variantId: medium, inventory: 5, facts: { published: true } }])
    }
  })

  test('keeps its id after an import too, and when its SKU is generated again', async () => {
    const slug = unique('made')
    const product = (sizes: string[]) => ({
      ...shirt(slug, { sizes, inventory: 0 }),
      variants: sizes.map((size) => ({ options: { Size: size } })),
    })
    const save = async (sizes: string[]) => {
      expect((await importCatalogue(catalog.app, suite, { products: [product(sizes)] })).statusCode).toBe(200)
      return (await page(slug)).variants.map((each) => each.id)
    }
    const before = await save(['S', 'M'])
    expect(await save(['S'])).toEqual(before.slice(0, 1))
    expect(await save(['S', 'M'])).toEqual(before)
  })

  test('gives neither its id nor its stock to other options that make the same SKU', async () => {
    const sizes = { name: 'Size', values: ['大', '小', '中'] }
    const variants = ['大', '小'].map((size) => ({ options: { Size: size }, inventory: 7 }))
    const { id, ids, ...made } = await create({ ...shirt(unique('letters')), options: [sizes], variants })
    const [large = ''] = ids
    const sku = made.variants[0]?.sku
    const add = async (size: string) =>
      AdminVariant.parse((await send('POST', `/${id}/variants`, { options: { Size: size } })).json())
    const { etag } = await read(id)
    expect(codeOf(await send('DELETE', `/${id}/variants/${large}`, undefined, etag))).toBe(200)
    const medium = await add('中')
    expect(medium).toMatchObject({ sku, inventory: 0 })
    expect(ids).not.toContain(medium.id)
    expect(codeOf(await send('DELETE', `/${id}/variants/${medium.id}`))).toBe(200)
    expect(await add('大')).toMatchObject({ id: large, sku, inventory: 7 })
  })

  test('does not give its id to a variant of another product', async () => {
    const one = await create(shirt(unique('owner'), { sizes: ['S', 'M'], inventory: 0 }))
    const sku = one.variants[1]?.sku
    expect(codeOf(await send('DELETE', `/${one.id}/variants/${one.ids[1]}`))).toBe(200)
    const other = await create({ title: unique('Other'), price: usd(1), variants: [{ sku }] })
    expect(other.ids).not.toContain(one.ids[1])
  })

  test('is kept with the last thousand of its product, and deleted with it', async () => {
    const { id, ids } = await create(shirt(unique('many'), { sizes: ['S', 'M'], inventory: 0 }))
    await suite.sql(
      `insert into catalog.former_variants (variant_id, product_id, sku)
       select 'var_former_' || n, $1, 'FORMER-' || n from generate_series(1, 1000) n`,
      [id],
    )
    expect(codeOf(await send('DELETE', `/${id}/variants/${ids[1]}`))).toBe(200)
    const former = async () =>
      suite.sql<{ id: string }>('select variant_id as id from catalog.former_variants where product_id = $1', [id])
    const kept = (await former()).map((row) => row.id)
    expect(kept).toHaveLength(1000)
    expect(kept).toContain(ids[1])
    expect(kept).not.toContain('var_former_1')
    expect((await send('DELETE', `/${id}`)).statusCode).toBe(200)
    expect(await former()).toEqual([])
  })
})

describe('the SKUs of a product', () => {
  const purgedBy = ({ statusCode, payload, headers }: Awaited<ReturnType<typeof send>>) => {
    expect(statusCode, payload).toBe(200)
    return String(headers['surrogate-purge']).split(' ')
  }

  test('purge searches when one is added, changed or removed, and not with another change', async () => {
    const sizes = { name: 'Size', values: ['S', 'M', 'L'] }
    const { id, slug, ids } = await create(shirt(unique('found'), { options: [sizes], inventory: 0 }))
    const variant = `/${id}/variants/${ids[0]}`
    const sku = `${slug}-ABC-123`.toUpperCase()
    expect(purgedBy(await send('PATCH', variant, { sku }))).toContain('search')
    const found = await catalog.app.inject({ url: `/products?q=${sku}` })
    expect(found.json().items).toMatchObject([{ slug }])
    expect(found.headers['surrogate-key']?.toString().split(' ')).toContain('search')
    expect(purgedBy(await send('POST', `/${id}/variants`, { options: { Size: 'L' } }))).toContain('search')
    expect(purgedBy(await send('PATCH', variant, { sku, price: usd(4500) }))).not.toContain('search')
    expect(purgedBy(await send('DELETE', variant))).toContain('search')
    expect(purgedBy(await send('PATCH', `/${id}`, { position: 3 }))).not.toContain('search')
  })

  test('purge searches when an import changes one, and not with another change', async () => {
    const product = shirt(unique('imported'))
    const save = (changes: object) => importCatalogue(catalog.app, suite, { products: [{ ...product, ...changes }] })
    expect(purgedBy(await save({}))).toContain('search')
    expect(purgedBy(await save({ position: 3 }))).not.toContain('search')
    const variants = product.variants.map((each) => ({ ...each, sku: `${each.sku}-NEW` }))
    expect(purgedBy(await save({ position: 3, variants }))).toContain('search')
  })
})

describe('POST /admin/products/:id/variants', () => {
  test('adds a variant at the end, shows it at once, and publishes one event', async () => {
    const sizes = { name: 'Size', values: ['S', 'M', 'L'] }
    const { id, slug } = await create(shirt(unique('added'), { options: [sizes] }))
    const response = await send('POST', `/${id}/variants`, { options: { Size: 'L' }, inventory: 3, price: usd(4500) })
    expect(response.statusCode, response.payload).toBe(200)
    const added = AdminVariant.parse(response.json())
    expect(added).toMatchObject({ options: { Size: 'L' }, inventory: 3, price: usd(4500), priceOverride: true })
    expect(added.sku).toBe(`${slug}-L`.toUpperCase())
    const { product, etag } = await read(id)
    expect(product.variants.at(-1)).toEqual(added)
    expect(response.headers.etag).toBe(etag)
    expect(String(response.headers['surrogate-purge']).split(' ')).toContain(`product:${slug}`)
    expect((await page(slug)).variants.map((each) => each.id)).toEqual(product.variants.map((each) => each.id))
    const published = async () => (await suite.eventsOf(ProductUpdated)).filter((event) => event.productId === id)
    // One for the product, and one for the variant.
    expect(await published()).toHaveLength(2)
    const [audited] = await suite.sql<{ action: string; after: unknown }>(
      `select action, after from catalog.audit_entries where subject_id = $1 order by id desc limit 1`,
      [id],
    )
    expect(audited).toMatchObject({ action: 'update', after: { variants: [{}, {}, { sku: added.sku }] } })
  })

  test('is rejected for invalid values, with paths from the body', async () => {
    const sizes = { name: 'Size', values: ['S', 'M', 'Large'] }
    const { id, ids, variants } = await create(shirt(unique('faulty'), { options: [sizes] }))
    const other = await create(shirt(unique('other')))
    const attempt = (payload: object) => send('POST', `/${id}/variants`, payload)
    expect(issuesOf(await attempt({ options: { Size: 'Larg' } }))).toEqual([
      {
        path: 'options.Size',
        message:
          '"Larg" is not a value of the option "Size", which has the values "S", "M", "Large". Did you mean "Large"?',
      },
    ])
    expect(issuesOf(await attempt({ options: { Sise: 'S' } }))).toEqual([
      {
        path: 'options.Sise',
        message: '"Sise" is not an option of this product, which has the option "Size". Did you mean "Size"?',
      },
    ])
    expect(
      issuesOf(await attempt({ options: { Size: 'Large' }, price: { amount: 1, currency: 'EUR' } })),
    ).toMatchObject([{ path: 'price' }])
    expect(codeOf(await attempt({ options: { Size: 'Large' }, sku: other.variants[0]?.sku }))).toBe('sku_taken')
    expect(codeOf(await attempt({ options: { Size: 'Large' }, sku: variants[0]?.sku }))).toBe('sku_taken')
    const twin = await attempt({ options: { Size: ' M ' }, sku: unique('TWIN') })
    expect(twin.statusCode).toBe(409)
    expect(ErrorBody.parse(twin.json())).toMatchObject({
      code: 'variant_exists',
      detail: { variant: { id: ids[1], sku: variants[1]?.sku, options: { Size: 'M' } } },
    })
    expect(codeOf(await attempt({ options: { Size: 'Large' }, id: ids[0] }))).toBe('variant_exists')
    expect(codeOf(await send('POST', '/prod_none/variants', {}))).toBe('not_found')
    expect((await read(id)).product.version).toBe(1)
  })

  test('does not make more variants than a product may have', async () => {
    const values = Array.from({ length: 100 }, (_, index) => `${index}`)
    const options = [
      { name: 'Size', values },
      { name: 'Color', values: values.slice(0, 10) },
    ]
    const variants = values.flatMap((Size) => values.slice(0, 10).map((Color) => ({ options: { Size, Color } })))
    const { id } = await create({ title: unique('Full'), price: usd(1), options, variants })
    expect(issuesOf(await send('POST', `/${id}/variants`, { options: { Size: '1' } }))).toEqual([
      { path: '', message: 'the product has 1000 variants, which is the maximum' },
    ])
  })
})

describe('PATCH /admin/products/:id/variants/:variantId', () => {
  test('changes only the given fields, and no other variant', async () => {
    const { id, ids } = await create(shirt(unique('changed'), { inventory: 5 }))
    const before = await read(id)
    const response = await send('PATCH', `/${id}/variants/${ids[1]}`, { price: usd(4800) })
    expect(response.statusCode, response.payload).toBe(200)
    const [small, medium] = before.product.variants
    const after = await read(id)
    expect(after.product.variants).toEqual([small, { ...medium, price: usd(4800), priceOverride: true }])
    expect(response.json()).toEqual(after.product.variants[1])
    expect(response.headers.etag).toBe(after.etag)
    const dropped = await send('PATCH', `/${id}/variants/${ids[1]}`, { price: null, inventory: 2, imageId: null })
    expect(dropped.json()).toMatchObject({ price: usd(4000), priceOverride: false, inventory: 2 })
    expect(await stockOf(ids[1] ?? '')).toEqual({ onHand: 2, reserved: 0 })
  })

  test('honors If-Match, with the stock where it sets a quantity', async () => {
    const { id, ids } = await create(shirt(unique('tagged'), { inventory: 5 }))
    const { etag } = await read(id)
    await hold(orders, ids[0] ?? '', 1)
    const attempt = (payload: object, tag: string) => send('PATCH', `/${id}/variants/${ids[0]}`, payload, tag)
    expect(codeOf(await attempt({ inventory: 9 }, etag))).toBe('conflict')
    expect(codeOf(await attempt({ price: usd(1) }, etag))).toBe(200)
    expect(codeOf(await attempt({ price: usd(2) }, etag))).toBe('conflict')
  })

  test('is rejected for invalid values', async () => {
    const { id, ids, variants } = await create(shirt(unique('strict')))
    const other = await create(shirt(unique('foreign')))
    const attempt = (payload: object, variantId = ids[0]) => send('PATCH', `/${id}/variants/${variantId}`, payload)
    expect(issuesOf(await attempt({ options: { Size: 'XS' } }))).toMatchObject([{ path: 'options.Size' }])
    expect(issuesOf(await attempt({ id: ids[1] }))).toEqual([{ path: 'id', message: 'must be the id in the address' }])
    expect(codeOf(await attempt({ options: { Size: 'M' } }))).toBe('variant_exists')
    expect(codeOf(await attempt({ sku: variants[1]?.sku }))).toBe('sku_taken')
    expect(codeOf(await attempt({ sku: other.variants[0]?.sku }))).toBe('sku_taken')
    expect(codeOf(await attempt({ price: usd(1) }, other.ids[0]))).toBe('variant_not_found')
    expect((await read(id)).product.version).toBe(1)
  })
})

describe('DELETE /admin/products/:id/variants/:variantId', () => {
  test('deletes a variant without stock, and one with stock for a merchant who has seen it', async () => {
    const { id, slug, ids } = await create(shirt(unique('removed'), { sizes: ['S', 'M', 'L'], inventory: 1 }))
    const [small = '', medium = '', large = ''] = ids
    const rejected = await send('DELETE', `/${id}/variants/${medium}`)
    expect(Missing.parse(rejected.json()).detail.variants).toMatchObject([{ id: medium, onHand: 1, reserved: 0 }])
    const { etag } = await read(id)
    const response = await send('DELETE', `/${id}/variants/${medium}`, undefined, etag)
    expect([response.statusCode, response.json()]).toEqual([200, { ok: true }])
    const after = await read(id)
    expect(response.headers.etag).toBe(after.etag)
    expect(after.product.variants.map((each) => each.id)).toEqual([small, large])
    expect((await page(slug)).variants.map((each) => each.id)).toEqual([small, large])
    expect(codeOf(await send('DELETE', `/${id}/variants/${large}`, undefined, etag)), 'an old tag').toBe('conflict')
    expect(codeOf(await send('DELETE', `/${id}/variants/${medium}`))).toBe('variant_not_found')
  })

  test('rejects the deletion of the last variant of a product', async () => {
    const { id, ids } = await create(shirt(unique('last'), { sizes: ['S'], inventory: 0 }))
    const response = await send('DELETE', `/${id}/variants/${ids[0]}`)
    expect([response.statusCode, codeOf(response)]).toEqual([409, 'conflict'])
    expect((await read(id)).product.variants).toHaveLength(1)
  })
})

test('variants are written only with the permission to', async () => {
  const { id, ids } = await create(shirt(unique('guarded')))
  const calls = [
    ['POST', `/${id}/variants`],
    ['PATCH', `/${id}/variants/${ids[0]}`],
    ['DELETE', `/${id}/variants/${ids[0]}`],
  ] as const
  for (const [method, path] of calls) {
    const statusFor = async (headers: Record<string, string>) => {
      const url = `/admin/products${path}`
      const payload = method === 'DELETE' ? {} : { payload: { sku: newId('event') } }
      return (await catalog.app.inject({ method, url, headers, ...payload })).statusCode
    }
    expect(await statusFor({}), method).toBe(401)
    expect(await statusFor(suite.headers.customer('cus_1')), method).toBe(403)
    expect(await statusFor(suite.headers.admin(['catalog:read', 'inventory:write'])), method).toBe(403)
  }
})
