import { rm } from 'node:fs/promises'
import { amount, createSuite, temporaryFolder, type Suite } from '@storefront/tools/testing'
import { ErrorBody, ImportBody, ImportResult, Product } from '@storefront/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { RunningCatalog } from '../src/start.ts'
import { minorUnitsOf } from '../src/transfer/decimal-price.ts'
import { importFile, PUBLIC_URL, startTestCatalog } from './catalog.ts'
import { startPictureServer, type PictureServer } from './picture-server.ts'
import { shopifyExport, written, type ShopifyColumn, type ShopifyRow } from './shopify-export.ts'

const PRODUCTS = amount({ quick: 100, long: 200 })
/** How many of them have their own pictures, each of which is fetched four times. */
const PICTURED = amount({ quick: 10, long: PRODUCTS })

let suite: Suite
let folder: string
let catalog: RunningCatalog
let other: PictureServer

beforeAll(async () => {
  suite = await createSuite('catalog')
  folder = await temporaryFolder('storefront-shopify')
  other = await startPictureServer()
  catalog = await startTestCatalog(suite, { MEDIA_DIR: folder, PICTURES_ALLOW_PRIVATE: 'true' })
})
afterAll(async () => {
  await catalog.stop()
  await other.stop()
  await suite.stop()
  await rm(folder, { recursive: true })
})

const send = (rows: readonly ShopifyRow[], query = '') => importFile(catalog.app, suite, written(rows), { query })

async function productsOfShop(): Promise<ImportBody['products']> {
  const reply = await catalog.app.inject({ url: '/admin/export', headers: suite.headers.admin(['catalog:read']) })
  return ImportBody.parse(reply.json()).products
}

async function read(slug: string): Promise<Product | undefined> {
  const reply = await catalog.app.inject({ url: `/products/${slug}` })
  return reply.statusCode === 404 ? undefined : Product.parse(reply.json())
}

/** An invalid row, and where the import must report it. */
interface Planted {
  in: (rows: readonly ShopifyRow[]) => number
  column: ShopifyColumn
  text: string
  /** The column that is named, where it is another one. */
  at?: ShopifyColumn
  message: RegExp
}

const firstRowOf = (product: number) => (rows: readonly ShopifyRow[]) =>
  rows.findIndex((row) => row.Title?.endsWith(`No. ${product}`))
const rowOf = (product: number, nth: number) => (rows: readonly ShopifyRow[]) => firstRowOf(product)(rows) + nth

const planted = (origin: string): Planted[] => [
  { in: firstRowOf(12), column: 'Title', text: ' ', message: /^must not be blank/ },
  {
    in: firstRowOf(48),
    column: 'Status',
    text: 'publish',
    message: /must be one of active, archived, draft, unlisted/,
  },
  { in: rowOf(60, 1), column: 'Variant Price', text: '1.299,00', message: /must be an amount of USD.*“1\.299,00”/ },
  { in: rowOf(71, 2), column: 'Variant Price', text: '', message: /must be given/ },
  { in: rowOf(80, 3), column: 'Variant Inventory Qty', text: 'ten', message: /must be a whole number.*“ten”/ },
  {
    in: rowOf(95, 1),
    column: 'Option2 Value',
    text: '',
    message: /must be given, because the product has the option “Size”/,
  },
  {
    in: rowOf(31, 1),
    column: 'Option2 Value',
    text: 'XS',
    at: 'Option1 Value',
    message: /“Natural \/ XS” is already in row \d+/,
  },
  { in: rowOf(66, 1), column: 'Variant SKU', text: 'L44-0-XS', message: /L44-0-XS occurs twice in this import/ },
  {
    in: firstRowOf(41),
    column: 'Variant Compare At Price',
    text: '99.999',
    message: /must be an amount of USD.*“99\.999”/,
  },
  { in: firstRowOf(51), column: 'Image Src', text: `${origin}/gone.jpg`, message: /replied with status 404/ },
  { in: firstRowOf(90), column: 'Image Src', text: `${origin}/page.html`, message: /is not a JPEG, PNG, WebP/ },
  { in: firstRowOf(75), column: 'Image Src', text: `${origin}/round.jpg`, message: /redirects more than 5 times/ },
]

test(`a dry run of ${PRODUCTS} products reports all twelve errors at once, and after they are fixed the import succeeds`, async () => {
  other.replies.set('/gone.jpg', (_request, response) => response.writeHead(404).end())
  other.replies.set('/page.html', (_request, response) => response.end('<html><body>Please sign in</body></html>'))
  other.replies.set('/round.jpg', (_request, response) => response.writeHead(302, { location: '/round.jpg' }).end())
  const sound = shopifyExport(PRODUCTS, other.origin, PICTURED)
  const faulty = sound.map((row) => ({ ...row }))
  const expected = planted(other.origin).map(({ in: find, column, text, at = column, message }) => {
    const index = find(sound)
    const row = faulty[index]
    if (row) row[column] = text
    // Row 1 is the header, however many lines the descriptions before it have.
    return { path: `row ${index + 2}: ${at}`, message }
  })
  expect(written(faulty).split('\n').length).toBeGreaterThan(faulty.length + 5 * PRODUCTS)

  const rejected = await send(faulty, '?dry_run=1')
  expect(rejected.statusCode, rejected.payload.slice(0, 2000)).toBe(422)
  const { issues, total } = z
    .object({ issues: z.array(z.object({ path: z.string(), message: z.string() })), total: z.int() })
    .parse(ErrorBody.parse(rejected.json()).detail)
  expect(issues.map(({ path }) => path).toSorted()).toEqual(expected.map(({ path }) => path).toSorted())
  expect(total).toBe(12)
  for (const { path, message } of expected)
    expect(issues.find((issue) => issue.path === path)?.message).toMatch(message)
  expect(await suite.sql('select 1 from catalog.products')).toEqual([])

  const dry = ImportResult.parse((await send(sound, '?dry_run=1')).json())
  expect(dry).toMatchObject({ dryRun: true, products: PRODUCTS, counts: { products: { created: PRODUCTS } } })
  expect(await suite.sql('select 1 from catalog.products union all select 1 from catalog.media')).toEqual([])

  const done = ImportResult.parse((await send(sound)).json())
  expect(done.counts).toEqual(dry.counts)
  expect(done.columnsNotTaken).toEqual(dry.columnsNotTaken)
  expect(done.columnsNotTaken).toEqual([
    'Product Category',
    'Option1 Linked To',
    'Variant Grams',
    'Variant Inventory Tracker',
    'Variant Inventory Policy',
    'Variant Fulfillment Service',
    'Variant Requires Shipping',
    'Variant Taxable',
    'Variant Barcode',
    'Gift Card',
    'SEO Title',
    'Google Shopping / Gender',
    'Google Shopping / Condition',
    'Color (product.metafields.shopify.color-pattern)',
    'Variant Weight Unit',
    'Cost per item',
    'Included / United States',
    'Included / International',
  ])
  const stored = await productsOfShop()
  expect(stored).toHaveLength(PRODUCTS)
  expect(stored.flatMap(({ variants }) => variants)).toHaveLength(sound.filter((row) => row['Variant Price']).length)
  expectNoForeignPictures(stored, sound)
  expectReadable(stored)
  await expectSalesAsBefore(sound)
  const again = ImportResult.parse((await send(sound, '?dry_run=1')).json())
  expect(again.counts.products).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: PRODUCTS })
})

function expectNoForeignPictures(stored: ImportBody['products'], sound: readonly ShopifyRow[]): void {
  const urls = stored.flatMap(({ images }) => images.map(({ url }) => url))
  expect(urls).toHaveLength(sound.filter((row) => row['Image Src']).length)
  for (const url of urls) expect(url).toMatch(/^\/media\/uploads\/med_[0-9a-f]{32}\/\d+\.webp$/)
}

function expectReadable(stored: ImportBody['products']): void {
  for (const { description, title } of stored) {
    expect(description).not.toMatch(/[<>]|&\w+;/)
    expect(description).toMatch(`${title} — soft, washed & made to last. Café au lait, ½ lined.`)
  }
  expect(
    stored.filter(({ description }) => description.includes('\nSize | Chest, "flat"\nS | 52 cm\nM | 54 cm')).length,
  ).toBe(Math.ceil(PRODUCTS / 3))
}

/** Every variant has the compare-at price of the file, and a product is on sale if all its cheapest variants are. */
async function expectSalesAsBefore(sound: readonly ShopifyRow[]): Promise<void> {
  const byHandle = Map.groupBy(sound, (row) => row.Handle ?? '')
  let onSale = 0
  let shown = 0
  for (const [handle, rows] of byHandle) {
    const product = await read(handle)
    if (!product) continue
    shown++
    const given = rows
      .filter((row) => row['Variant Price'])
      .map((row) => ({
        sku: row['Variant SKU']?.replace(/^'/, ''),
        price: minorUnitsOf(row['Variant Price'] ?? '', 'USD') ?? 0,
        before: minorUnitsOf(row['Variant Compare At Price'] ?? '', 'USD') || null,
      }))
    const found = product.variants.map(({ sku, price, compareAtPrice }) => ({
      sku,
      price: price.amount,
      before: compareAtPrice?.amount ?? null,
    }))
    expect(found, handle).toEqual(given)
    const lowest = Math.min(...given.map(({ price }) => price))
    const isSale = given
      .filter(({ price }) => price === lowest)
      .every(({ price, before }) => before !== null && before > price)
    expect(product.badges.includes('sale'), handle).toBe(isSale)
    if (isSale) onSale++
    for (const { url } of product.images) expect(url.startsWith(`${PUBLIC_URL}/media/`)).toBe(true)
  }
  expect(shown).toBeGreaterThan(30)
  expect(onSale).toBeGreaterThan(0.15 * PRODUCTS)
}
