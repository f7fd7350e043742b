import { assert, bigInt, constantFrom, nat, property } from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { ImportJob, ImportResult, minorUnitDigits } from '@storefront/contracts'
import type { RunningCatalog } from '../src/start.ts'
import { readCsvPrice } from '../src/transfer/csv-price.ts'
import { minorUnitsOf } from '../src/transfer/decimal-price.ts'
import { fill, importCatalogue, importFile, issueTextsOf, pageOf, startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})
afterAll(() => suite.stop())
const reset = () => fill(catalog.app, suite, { mode: 'replace', settings: {} })

const HEADER =
  'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,' +
  'Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,Variant Compare At Price,Image Src,Image Position,' +
  'Image Alt Text,Variant Image,Status'

/** Pictures keep their addresses, unless a test is about them. */
const KEEP = '?keep_picture_links=1'

const send = (payload: string | Buffer, type?: string, query = KEEP) =>
  importFile(catalog.app, suite, payload, { type, query })

const short = (...rows: string[]) => ['Handle,Title,Variant Price', ...rows].join('\n')

const product = (slug: string) => pageOf(catalog.app, slug)

describe('a product CSV as Shopify writes it', () => {
  beforeEach(reset)

  const ROWS = [
    HEADER,
    'linen-shirt,"Linen ""Summer"" Shirt","<p>Soft &amp; light,\nwashed.</p><script>alert(1)</script><ul><li>One</li></ul>",' +
      'Loom,Shirts,"eco, linen",TRUE,Size,S,Color,Red,\'LS-S,200,5,19.90,25.00,https://x.example/1.jpg,2,Front,https://x.example/red.jpg,active',
    'linen-shirt,,,,,,,,M,,Red,LS-M,200,-2,24.5,,https://x.example/2.jpg,1,,,',
    'linen-shirt,,,,,,,,,,,,,,,,https://x.example/3.jpg,3,Back,,',
    'gift-card,Gift card,,,,,TRUE,Title,Default Title,,,,,,10,,,,,,draft',
  ].join('\r\n')

  test('becomes products with their variants, pictures and prices to the cent', async () => {
    const response = await send(`\uFEFF${ROWS}\r\n`)
    expect(response.statusCode, response.payload).toBe(200)
    expect(response.json().counts.products.created).toBe(2)
    expect(response.json().products).toBe(2)
    expect(response.json().columnsNotTaken).toEqual(['Variant Grams'])
    const shirt = await product('linen-shirt')
    expect(shirt).toMatchObject({
      title: 'Linen "Summer" Shirt',
      description: 'Soft & light, washed.\n\n• One',
      price: usd(1990),
      compareAtPrice: usd(2500),
      tags: ['eco', 'linen', 'Shirts'],
      options: [
        { name: 'Size', values: ['S', 'M'] },
        { name: 'Color', values: ['Red'] },
      ],
      variants: [
        {
          sku: 'LS-S',
          options: { Size: 'S', Color: 'Red' },
          price: usd(1990),
          compareAtPrice: usd(2500),
          inventory: 5,
        },
        { sku: 'LS-M', options: { Size: 'M', Color: 'Red' }, price: usd(2450), compareAtPrice: null, inventory: 0 },
      ],
      enrichment: { maker: { name: 'Loom' } },
    })
    expect(shirt.images.map(({ url, alt }) => [url, alt])).toEqual([
      ['https://x.example/2.jpg', 'Linen "Summer" Shirt'],
      ['https://x.example/1.jpg', 'Front'],
      ['https://x.example/3.jpg', 'Back'],
      ['https://x.example/red.jpg', 'Linen "Summer" Shirt'],
    ])
    expect(shirt.images.find(({ id }) => id === shirt.variants[0]?.imageId)?.url).toBe('https://x.example/red.jpg')
    expect((await catalog.app.inject({ url: '/products/gift-card' })).statusCode).toBe(404)
    const again = await send(ROWS)
    expect(again.json().counts.products).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 2 })
  })

  test('reports every invalid cell by the row that a spreadsheet shows', async () => {
    const response = await send(
      short(
        'a,A,12.345',
        'b,B,"1,299.00"',
        'c,"C',
        'in two lines",',
        'd,,free',
        '',
        'Not A Slug,E,5',
        'f,F,-1',
        ',,',
        'g,G,1e3',
        'a,A,1',
        'h,H,99999999999',
        ',I,1',
        'j,Too,many,cells',
      ),
    )
    expect(response.statusCode).toBe(422)
    const notAnAmount = (text: string) => `must be an amount of USD in digits, such as 19.90, not “${text}”`
    expect(issueTextsOf(response)).toEqual([
      `row 2: Variant Price: ${notAnAmount('12.345')}`,
      `row 3: Variant Price: ${notAnAmount('1,299.00')}`,
      'row 4: Variant Price: must be given',
      `row 5: Variant Price: ${notAnAmount('free')}`,
      'row 5: Title: must not be blank',
      expect.stringMatching(/^row 7: Handle: must be lower-case/),
      `row 8: Variant Price: ${notAnAmount('-1')}`,
      `row 10: Variant Price: ${notAnAmount('1e3')}`,
      expect.stringMatching(/^row 12: Variant Price: must not exceed/),
      'row 14: has 4 cells, but the header names 3 columns; a cell with a comma may need quotation marks',
      'row 13: Handle: must be given',
      `row 14: Variant Price: ${notAnAmount('many')}`,
      'row 11: Handle: a occurs twice in this import',
    ])
    expect(response.json().detail.total).toBe(13)
    expect(await suite.sql('select 1 from catalog.products')).toEqual([])
  })

  test('reports duplicate SKUs, beside rows with other errors', async () => {
    await send(['Handle,Title,Variant Price,Variant SKU', 'kept,Kept,1,SHOP'].join('\n'))
    const response = await send(
      [
        'Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant SKU',
        'a,A,Size,S,1,ONE',
        'a,,,M,1,TWO',
        'b,B,Size,S,dear,TWO',
        'b,,,M,1,THREE',
        'b,,,L,1,THREE',
        'c,C,,,1,SHOP',
      ].join('\n'),
    )
    expect(issueTextsOf(response)).toEqual([
      expect.stringMatching(/^row 4: Variant Price: /),
      'row 4: Variant SKU: TWO occurs twice in this import',
      'row 6: Variant SKU: THREE occurs twice in this import',
      'row 7: Variant SKU: SKU SHOP belongs to another product',
    ])
  })

  test('reports variants that a shopper could not distinguish, and values without an option', async () => {
    const response = await send(
      [
        'Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant Price',
        'a,A,Size,S,Color,Red,1',
        'a,,,S,,Blue,1',
        'a,,,S,,Red,1',
        'a,,,M,,,1',
        'b,B,,S,,,1',
        'c,C,Size,S,size,S,1',
        'd,D,,,,,1',
        'd,,,,,,2',
      ].join('\n'),
    )
    expect(issueTextsOf(response)).toEqual([
      'row 5: Option2 Value: must be given, because the product has the option “Color”',
      'row 4: Option1 Value: the variant “S / Red” is already in row 2',
      'row 6: Option1 Value: “S” is a value of an option that the first row of the product does not name',
      'row 7: Option2 Name: “size” is already another option of this product',
      'row 9: Variant Price: the variant “without options” is already in row 8',
    ])
  })

  test('reports values that are not allowed', async () => {
    const response = await send(
      [
        'Handle,Title,Published,Status,Variant Price,Variant Compare At Price,Variant Inventory Qty,Image Position,Image Src',
        'a,A,yes,actve,1,much,ten,first,not an address',
      ].join('\n'),
    )
    expect(issueTextsOf(response)).toEqual([
      'row 2: Variant Compare At Price: must be an amount of USD in digits, such as 19.90, not “much”',
      'row 2: Variant Inventory Qty: must be a whole number such as 12, not “ten”',
      'row 2: Image Position: must be a whole number such as 1, not “first”',
      'row 2: Published: must be TRUE or FALSE, not “yes”',
      'row 2: Status: must be one of active, archived, draft, unlisted, not “actve”',
      expect.stringMatching(/^row 2: Image Src: /),
    ])
  })

  test('leaves fields of an existing product that a file does not contain unchanged', async () => {
    const body = {
      categories: [{ slug: 'tops', name: 'Tops' }],
      sizeCharts: [{ id: 'chart', unit: 'cm', columns: ['Size'], rows: [['S']] }],
    }
    expect((await importCatalogue(catalog.app, suite, body)).statusCode).toBe(200)
    const header = 'Handle,Title,Body (HTML),Vendor,Tags,Status,Variant SKU,Variant Price,Image Src,Image Alt Text'
    const shirt = 'shirt,Shirt,Soft,Loom,new,active,S-1,10,https://x.example/1.jpg,Front'
    expect((await send([header, shirt].join('\n'))).statusCode).toBe(200)
    const { id, images } = await product('shirt')
    const edited = {
      subtitle: 'For summer',
      details: ['One'],
      care: ['Cold'],
      categories: ['tops'],
      sizeChartId: 'chart',
      position: 3,
      pinnedBadges: ['bestseller'],
      images: images.map((image) => ({ ...image, color: 'Red' })),
      enrichment: { maker: { name: 'Loom', location: 'Porto' }, specs: { weave: 'Plain weave' }, highlights: [] },
    }
    const saved = await catalog.app.inject({
      method: 'PATCH',
      url: `/admin/products/${id}`,
      headers: suite.headers.admin(),
      payload: edited,
    })
    expect(saved.statusCode, saved.payload).toBe(200)
    const before = await product('shirt')
    const moreExpensive = await send(['Handle,Title,Variant SKU,Variant Price', 'shirt,Shirt,S-1,12'].join('\n'))
    expect(moreExpensive.json().counts.products).toMatchObject({ updated: 1 })
    const variants = before.variants.map((variant) => ({ ...variant, price: usd(1200) }))
    expect(await product('shirt')).toEqual({ ...before, price: usd(1200), variants })
    const dry = await send(
      `${header},Fabric (product.metafields.shopify.fabric)\n${shirt},linen`,
      'text/csv',
      `${KEEP}&dry_run=1`,
    )
    expect(dry.json().changes).toEqual([{ slug: 'shirt', fields: ['enrichment', 'price'] }])
    await send(`${header},Fabric (product.metafields.shopify.fabric)\n${shirt},linen`)
    const after = await product('shirt')
    expect(after.enrichment).toEqual({
      maker: { name: 'Loom', location: 'Porto' },
      specs: { weave: 'Plain weave', fabric: 'linen' },
      highlights: [],
    })
    expect(after).toEqual({ ...before, enrichment: after.enrichment })
  })

  describe('without columns for compare-at prices, options and pictures of variants', () => {
    const IMAGES = ['front', 'red'].map((id) => ({ id, url: `https://x.example/${id}.jpg` }))
    const OPTIONS = [
      { name: 'Color', values: ['Red'] },
      { name: 'Size', values: ['S', 'M'] },
    ]
    const red = (Size: string, more: object) => ({ options: { Color: 'Red', Size }, inventory: 3, ...more })

    async function update(price: string, columns = 'Variant SKU,Variant Price', row = `S-1,${price}`) {
      const response = await send([`Handle,Title,${columns}`, `shirt,Shirt,${row}`].join('\n'))
      expect(response.statusCode, response.payload).toBe(200)
      return product('shirt')
    }

    async function store(variants: object[], more: object = {}) {
      const shirt = { slug: 'shirt', title: 'Shirt', price: usd(1000), compareAtPrice: usd(2000), images: IMAGES }
      const products = [{ ...shirt, options: OPTIONS, variants, ...more }]
      expect((await importCatalogue(catalog.app, suite, { products })).statusCode).toBe(200)
    }

    test('keeps those of a variant with the same SKU', async () => {
      await store([red('S', { sku: 'S-1', imageId: 'red' })])
      const updated = await update('12')
      expect(updated).toMatchObject({ price: usd(1200), compareAtPrice: usd(2000), options: OPTIONS })
      expect(updated.variants).toHaveLength(1)
      expect(updated.variants[0]).toMatchObject({ options: { Color: 'Red', Size: 'S' }, imageId: 'red', inventory: 3 })
      expect(await update('12')).toEqual(updated)
    })

    test('keeps the options of several variants, and reports one that the shop does not have', async () => {
      await store([red('S', { sku: 'S-1' }), red('M', { sku: 'S-2' })])
      const sendBoth = (second: string) =>
        send(`Handle,Title,Variant SKU,Variant Price\nshirt,Shirt,S-1,12\nshirt,,${second},14`)
      const response = await sendBoth('S-2')
      expect(response.statusCode, response.payload).toBe(200)
      const updated = await product('shirt')
      expect(updated.options).toEqual(OPTIONS)
      expect(updated.variants).toMatchObject([
        { sku: 'S-1', options: { Color: 'Red', Size: 'S' }, price: usd(1200), inventory: 3 },
        { sku: 'S-2', options: { Color: 'Red', Size: 'M' }, price: usd(1400), inventory: 3 },
      ])
      expect(issueTextsOf(await sendBoth('S-9'))).toContain(
        'row 3: Variant SKU: must be a SKU that this product has in the shop: the file has no columns for options',
      )
    })

    test("keeps each variant's own compare-at price, except one that its price has reached", async () => {
      await store([
        red('S', { sku: 'S-1' }),
        red('M', { sku: 'S-2', price: usd(1500), priceOverride: true, compareAtPrice: usd(1800) }),
      ])
      const rows = (one: string, two: string) => `S-1,${one},Size,S\nshirt,,S-2,${two},,M`
      const columns = 'Variant SKU,Variant Price,Option1 Name,Option1 Value'
      const updated = await update('', columns, rows('12', '17'))
      expect(updated).toMatchObject({ price: usd(1200), compareAtPrice: usd(2000) })
      expect(updated.variants[1]).toMatchObject({ price: usd(1700), compareAtPrice: usd(1800) })
      const after = await update('', columns, rows('20', '20'))
      expect(after).toMatchObject({ price: usd(2000), compareAtPrice: null })
    })

    test('keeps no picture that the product no longer has, and nothing for a variant with another SKU', async () => {
      await store([red('S', { sku: 'S-1', imageId: 'red', inventory: 0 })])
      const columns = 'Variant SKU,Variant Price,Image Src'
      const pictured = await update('', columns, 'S-1,12,https://x.example/other.jpg')
      expect(pictured.images).toMatchObject([{ url: 'https://x.example/other.jpg' }])
      expect(pictured.variants[0]).not.toMatchObject({ imageId: 'red' })
      const other = await send(`Handle,Title,Variant SKU,Variant Price\nshirt,Shirt,S-9,12`)
      expect(other.statusCode, other.payload).toBe(200)
      const replaced = await product('shirt')
      expect(replaced).toMatchObject({ compareAtPrice: null, variants: [{ sku: 'S-9' }] })
      expect(replaced.variants[0]?.options).not.toMatchObject({ Color: 'Red' })
    })
  })

  test('reports a handle that occurs again further down as a duplicate product', async () => {
    const response = await send(short('a,A,1', 'b,B,1', 'a,A,2'))
    expect(issueTextsOf(response)).toEqual(['row 4: Handle: a occurs twice in this import'])
  })

  test('shows no sale for a variant without a compare-at price, whichever variant is the cheapest', async () => {
    const header = 'Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Compare At Price'
    const done = await send(
      [
        header,
        'cheap,Cheap on sale,Size,S,10,20',
        'cheap,,,M,10,',
        'cheap,,,L,15,',
        'dear,Dear on sale,Size,S,10,',
        'dear,,,M,15,30',
        'all,All on sale,Size,S,10,20',
        'all,,,M,10,20',
        'all,,,L,12,',
        'none,Never on sale,Size,S,10,0.00',
        'none,,,M,12,0',
      ].join('\n'),
    )
    expect(done.statusCode, done.payload).toBe(200)
    const saleOf = async (slug: string) => {
      const { compareAtPrice, variants, badges } = await product(slug)
      const prices = [compareAtPrice, ...variants.map((variant) => variant.compareAtPrice)]
      return { compareAt: prices.map((price) => price?.amount ?? null), isSale: badges.includes('sale') }
    }
    expect(await saleOf('cheap')).toEqual({ compareAt: [null, 2000, null, null], isSale: false })
    expect(await saleOf('dear')).toEqual({ compareAt: [null, null, 3000], isSale: false })
    expect(await saleOf('all')).toEqual({ compareAt: [2000, 2000, 2000, null], isSale: true })
    expect(await saleOf('none')).toEqual({ compareAt: [null, null, null], isSale: false })
  })

  test('imports columns that products have a field for, and names the others', async () => {
    await catalog.app.inject({
      method: 'POST',
      url: '/admin/library/attributes',
      headers: suite.headers.admin(),
      payload: { key: 'story', label: 'Story' },
    })
    const header = [
      'Handle,Title,Variant Price,Variant Barcode,Variant Grams,SEO Title,Cost per item,Google Shopping / MPN',
      'Neckline (product.metafields.shopify.neckline)',
      'Care instructions (product.metafields.shopify.care-instructions)',
      'Fabric (product.metafields.shopify.fabric)',
      'Story (product.metafields.custom.story)',
      'Closure (product.metafields.custom.closure)',
      'Note (product.metafields.custom.note)',
    ].join(',')
    const response = await send(
      [
        header,
        'a,A,1,4006381333931,250,Buy A,0.50,,crew; round,machine-washable; tumble-dry,cotton,A long one,gid://shopify/Metaobject/1,secret',
        'b,B,1,,,,,,,,,,,',
      ].join('\n'),
    )
    expect(response.statusCode, response.payload).toBe(200)
    expect(response.json().columnsNotTaken).toEqual([
      'Variant Barcode',
      'Variant Grams',
      'SEO Title',
      'Cost per item',
      'Closure (product.metafields.custom.closure)',
      'Note (product.metafields.custom.note)',
    ])
    const { care, enrichment } = await product('a')
    expect(care).toEqual(['machine-washable', 'tumble-dry'])
    expect(enrichment).toEqual({ specs: { neckline: 'crew, round', fabric: 'cotton', story: 'A long one' } })
    const again = await send([header, 'a,A,1,1,,,,,,,,,,'].join('\n'), 'text/csv', `${KEEP}&async=1`)
    const job = await waitFor('the import', async () => {
      const found = await catalog.app.inject({
        url: `/admin/import/${again.json().id}`,
        headers: suite.headers.admin(),
      })
      const { status, result } = ImportJob.parse(found.json())
      return status === 'done' && result
    })
    expect(job).toMatchObject({ products: 1, columnsNotTaken: ['Variant Barcode'] })
  })

  test('is accepted in Windows-1252 when that charset is given, and otherwise rejected with a hint', async () => {
    const bytes = Buffer.from(short('cafe,Caf\u00e9,1'), 'latin1')
    const rejected = await send(Buffer.concat([bytes, Buffer.from('\nthe,th\u00e9,1', 'latin1')]))
    expect(rejected.statusCode).toBe(422)
    expect(issueTextsOf(rejected)).toEqual([expect.stringMatching(/^row 2: Title: .*save the file as "CSV UTF-8"/)])
    const taken = await send(bytes, 'text/csv; charset=windows-1252')
    expect(taken.statusCode, taken.payload).toBe(200)
    expect((await product('cafe')).title).toBe('Café')
    const unknown = await send(bytes, 'text/csv; charset=ebcdic')
    expect(issueTextsOf(unknown)).toEqual(['row 1: ebcdic is not supported; send UTF-8'])
  })

  test('never replaces the shop, of which it contains only a part', async () => {
    const response = await send(short('a,A,1'), 'text/csv', '?mode=replace')
    expect(response.statusCode).toBe(422)
    expect(issueTextsOf(response)).toEqual(['mode: must be `merge` for a CSV file'])
  })

  test('counts in the units of the currency of the shop', async () => {
    await importCatalogue(catalog.app, suite, { settings: { pricing: { currency: 'JPY' } } })
    expect(issueTextsOf(await send(short('a,A,12.50')))).toEqual([
      'row 2: Variant Price: must be an amount of JPY in digits, such as 1990, not “12.50”',
    ])
    await send(short('a,A,1200.00'))
    expect((await product('a')).price).toEqual({ amount: 1200, currency: 'JPY' })
  })
})

describe('an unreadable product CSV', () => {
  beforeAll(reset)

  test.each([
    ['other separators', 'Handle|Title|Variant Price\na|A|1', /^row 1: must name the columns/],
    ['other data', 'name,age\nAda,36', /^row 1: must name the columns/],
    ['an unclosed quotation mark', short('a,"A,1', ...Array.from({ length: 9 }, () => 'b,B,1')), /quotation mark/],
    ['NUL', short('a,A\0,1'), /NUL/],
    ['a column twice', 'Handle,Title,Variant Price,Title\na,A,1,B', /^row 1: names the column Title twice/],
    ['no content', '', /^row 1: must name the columns/],
    ['an endless cell', short(`a,"${'x'.repeat(2_000_000)}",1`), /too long/],
    ['an endless row', short('b,B,1', 'a,A,1' + ','.repeat(20_000)), /^row 3: has more than 10000 cells$/],
    ['an endless product', short(...Array.from({ length: 2500 }, () => 'a,A,1')), /at most 2000 rows/],
    [
      'a product of too much text',
      short('b,B,1', 'a,A,1', ...Array.from({ length: 12 }, () => `a,${'x'.repeat(900_000)},1`), 'c,C,1'),
      /^row 3: a product has at most 8388608 characters$/,
    ],
  ])('with %s is rejected in one sentence', async (_what, text, issue) => {
    const response = await send(text)
    expect(response.statusCode, response.payload).toBe(422)
    expect(issueTextsOf(response)[0]).toMatch(issue)
    expect(await suite.sql('select 1 from catalog.import_rows')).toEqual([])
  })
})

test('a price is read to the last digit, in any currency', () => {
  const currencies = constantFrom('USD', 'JPY', 'KWD')
  assert(
    property(bigInt({ min: 0n, max: 10n ** 14n }), currencies, nat(4), (amount, currency, zeros) => {
      const digits = minorUnitDigits(currency)
      const text = amount.toString().padStart(digits + 1, '0')
      const whole = text.slice(0, text.length - digits)
      const fraction = `${text.slice(text.length - digits)}${'0'.repeat(zeros)}`
      expect(minorUnitsOf(fraction === '' ? whole : `${whole}.${fraction}`, currency)).toBe(Number(amount))
    }),
  )
  for (const text of ['', '.', '1.', '.5', '1.999', '0x10', '1e2', '١٢', '1 000', 'NaN', '9'.repeat(16)]) {
    expect(minorUnitsOf(text, 'USD'), text).toBeUndefined()
  }
})

const GERMAN_ROWS = [
  'Artikelnummer,Modell,Bezeichnung,Preis,Farbe,Größe,Material,Notiz',
  'H-1,Hemd 1,Hemd,39.90,Rot,S,Leinen,x',
  'H-2,Hemd 1,Hemd,39.90,Blau,S,Leinen,',
  'M-1,Mütze,Mütze,19.90,,,,',
]
const CHOICES = {
  Artikelnummer: 'Variant SKU',
  Modell: 'Handle',
  bezeichnung: 'Title',
  Preis: 'Variant Price',
  Farbe: 'Option1 Value',
  Größe: 'Option2 Value',
  Material: 'specs.fabric',
  Notiz: null,
}

function sendChosen(rows: readonly string[], columns: unknown, type?: string) {
  const query = new URLSearchParams({ columns: typeof columns === 'string' ? columns : JSON.stringify(columns) })
  return importFile(catalog.app, suite, rows.join('\n'), { type, query: `?${query.toString()}` })
}

describe('a CSV whose columns have other names', () => {
  beforeEach(reset)

  test('becomes products by the columns that the merchant chose', async () => {
    const response = await sendChosen(GERMAN_ROWS, CHOICES)
    expect(response.statusCode, response.payload).toBe(200)
    expect(ImportResult.parse(response.json())).toMatchObject({ products: 2 })
    expect(ImportResult.parse(response.json()).columnsNotTaken).toBeUndefined()
    expect(await product('hemd-1')).toMatchObject({
      title: 'Hemd',
      price: usd(3990),
      variants: [
        { sku: 'H-1', options: { Farbe: 'Rot', Größe: 'S' } },
        { sku: 'H-2', options: { Farbe: 'Blau', Größe: 'S' } },
      ],
      enrichment: { specs: { fabric: 'Leinen' } },
    })
    expect(await product('mutze')).toMatchObject({ variants: [{ sku: 'M-1' }] })
    const again = await sendChosen(GERMAN_ROWS, CHOICES)
    expect(ImportResult.parse(again.json()).counts.products).toMatchObject({ created: 0, unchanged: 2 })
  })

  test('needs no column for the handle: the title names the product', async () => {
    const { Modell: _handle, ...choices } = CHOICES
    expect((await sendChosen(GERMAN_ROWS, choices)).statusCode).toBe(200)
    expect((await product('hemd')).variants).toHaveLength(2)
    const faulty = ['H-3,,Hemd,1,Rot,M,,', 'J-1,,シャツ,1,,,,']
    expect(issueTextsOf(await sendChosen([...GERMAN_ROWS, ...faulty], choices))).toEqual([
      'row 6: Bezeichnung: must have a Latin letter or a digit for the slug of the product',
      'row 5: Bezeichnung: hemd occurs twice in this import',
    ])
  })

  test('has its faults named by its own columns', async () => {
    const response = await sendChosen(
      [
        GERMAN_ROWS[0] ?? '',
        'H-1,hemd,Hemd,"3,990",Rot,S,,',
        'H-2,hemd,Hemd,39.90,Rot,,,',
        'H-1,jacke,,49.90,Rot,S,,',
        'K-1,,Kleid,,,,,',
      ],
      CHOICES,
    )
    expect(response.statusCode).toBe(422)
    expect(issueTextsOf(response)).toEqual([
      'row 2: Preis: must be an amount of USD in digits, such as 19.90, not “3,990”',
      'row 3: Größe: must be given, because the product has the option “Größe”',
      'row 4: Bezeichnung: must not be blank',
      'row 5: Modell: must be given',
      'row 5: Preis: must be given',
      'row 4: Artikelnummer: H-1 occurs twice in this import',
    ])
  })

  test('reads columns with the usual names, and reports those that it did not import', async () => {
    const rows = ['handle,Name,Title,Variant Price,Vendor,Farbe', 'a,Alpha,Old,1,Loom,Rot']
    const response = await sendChosen(rows, { Name: 'Title', Title: null, Vendor: null })
    expect(response.statusCode, response.payload).toBe(200)
    expect(ImportResult.parse(response.json()).columnsNotTaken).toEqual(['Farbe'])
    const { title, enrichment } = await product('a')
    expect({ title, enrichment }).toEqual({ title: 'Alpha', enrichment: undefined })
    const twice = await sendChosen(rows, { Name: 'Title' })
    expect(issueTextsOf(twice)).toEqual(['row 1: has two columns for Title: Name, Title'])
  })

  test('may have columns without a name, and two of one name', async () => {
    const rows = ['Name,,Farbe,Farbe', 'Alpha,1,Rot,Matt']
    const response = await sendChosen(rows, {
      Name: 'Title',
      'column 2': 'Variant Price',
      Farbe: 'Option1 Value',
      'Farbe (column 4)': 'Option2 Value',
    })
    expect(response.statusCode, response.payload).toBe(200)
    expect((await product('alpha')).variants[0]?.options).toMatchObject({ Farbe: 'Rot', 'Farbe (column 4)': 'Matt' })
  })

  test('with columns that the file does not have is rejected', async () => {
    expect(issueTextsOf(await sendChosen(GERMAN_ROWS, { ...CHOICES, Prise: null }))).toEqual([
      'row 1: has no column “Prise”, for which a meaning was sent',
    ])
    expect(issueTextsOf(await sendChosen(GERMAN_ROWS, {}))).toEqual([
      'row 1: must name the columns Handle, Title, Variant Price, separated by commas, semicolons or tabs',
    ])
  })
})

test.each([
  ['no JSON', '{', 'must be a JSON object'],
  ['a list', '["Title"]', 'must be a JSON object'],
  ['two columns for one field', { Name: 'Title', Titel: 'Title' }, 'names two columns for Title: “Name”, “Titel”'],
  ['one column twice', { Name: 'Title', name: 'Handle' }, 'names one column twice: “Name”, “name”'],
  ['an unknown field', { Preis: 'Variant Prize' }, 'did you mean “Variant Price”?'],
  ['an unknown attribute', { Preis: 'specs.nothing-like-it' }, 'has an unknown meaning for “Preis”'],
  ['a number', { Preis: 1 }, 'has an unknown meaning for “Preis”: not a string'],
  ['a field of the prototype', { Preis: '__proto__' }, 'has an unknown meaning for “Preis”: “__proto__”'],
  ['a column of the prototype', '{"__proto__":"constructor"}', 'has an unknown meaning for “__proto__”'],
  ['a name with NUL', { 'a\0': 'Title' }, 'names a column that no file can have'],
  ['half a surrogate pair', '{"\\ud800":null}', 'names a column that no file can have'],
  ['a long name', { ['x'.repeat(300)]: 'Title' }, 'names a column that no file can have'],
  ['20,000 characters', { a: 'x'.repeat(20_000) }, 'must have at most 20000 characters'],
])('columns with %s are rejected in one sentence', async (_what, columns, message) => {
  const response = await sendChosen(GERMAN_ROWS, columns)
  expect(response.statusCode, response.payload).toBe(422)
  const [issue, ...others] = issueTextsOf(response)
  expect(issue).toMatch(/^columns: /)
  expect(issue).toContain(message)
  expect(others).toEqual([])
  expect(await suite.sql('select 1 from catalog.import_rows')).toEqual([])
})

test('columns are rejected for a file that is not a CSV', async () => {
  const response = await sendChosen(['{"mode":"merge"}'], { Name: 'Title' }, 'application/json')
  expect(issueTextsOf(response)).toEqual(['columns: is for a product CSV only'])
})

const SPREADSHEET = [
  ['Handle', 'Title', 'Body (HTML)', 'Option1 Name', 'Option1 Value', 'Variant Price', 'Variant Compare At Price'],
  ['hemd', '"Hemd; weiß, ""kühl"""', '"Zwei\nZeilen"', 'Size', 'S', '1.234,50', '2.000,00'],
  ['hemd', '', '', '', 'M', '1299,9', ''],
  ['schal', 'Schal', '', '', '', '19,90', '25'],
]

test.each([
  ['semicolons', ';'],
  ['tabs', '\t'],
])('a file of a German spreadsheet with %s becomes products with their prices', async (_name, separator) => {
  await reset()
  const text = SPREADSHEET.map((cells) => cells.join(separator)).join('\r\n')
  const taken = await send(`\uFEFF${text}\r\n${separator.repeat(6)}\r\n`)
  expect(taken.statusCode, taken.payload).toBe(200)
  expect(taken.json().counts.products.created).toBe(2)
  expect(await product('hemd')).toMatchObject({
    title: 'Hemd; weiß, "kühl"',
    description: 'Zwei Zeilen',
    price: usd(123_450),
    compareAtPrice: usd(200_000),
    variants: [{ price: usd(123_450) }, { price: usd(129_990), compareAtPrice: null }],
  })
  expect(await product('schal')).toMatchObject({ price: usd(1990), compareAtPrice: usd(2500) })
  const inWindows = await send(Buffer.from(text.replace('Schal', 'Schäl'), 'latin1'), 'text/csv; charset=windows-1252')
  expect(inWindows.statusCode, inWindows.payload).toBe(200)
  expect((await product('schal')).title).toBe('Schäl')
})

test('a file with commas may have semicolons in its texts, and quoted prices with a decimal comma', async () => {
  await reset()
  const taken = await send('Handle,Title,Variant Price\na,A;B;C;D,"19,90"\nb,B,19.90\n')
  expect(taken.statusCode, taken.payload).toBe(200)
  expect(await product('a')).toMatchObject({ title: 'A;B;C;D', price: usd(1990) })
})

test('prices that could be two amounts are errors, and nothing of the file is imported', async () => {
  await reset()
  const rejected = await send(
    [
      'Handle;Title;Variant Price',
      'a;A;1.234',
      'b;B;19,90',
      'c;C;1,250',
      'd;D;1.234.50',
      'e;E;12,345.00',
      'f;F;1;90',
      'g;G;19,999',
    ].join('\n'),
  )
  expect(rejected.statusCode).toBe(422)
  expect(issueTextsOf(rejected)).toEqual([
    'row 2: Variant Price: must be clear: “1.234” could be 1234 or 1.234; write 1234 if that is meant',
    'row 4: Variant Price: must be clear: “1,250” could be 1250 or 1.250; write 1250 if that is meant',
    'row 5: Variant Price: must be an amount of USD in digits, such as 19,90, not “1.234.50”',
    'row 7: has 4 cells, but the header names 3 columns; a cell with a semicolon may need quotation marks',
    'row 6: Variant Price: must be an amount of USD in digits, such as 19,90, not “12,345.00”',
    'row 8: Variant Price: must be clear: “19,999” could be 19999 or 19.999; write 19999 if that is meant',
  ])
  expect(await suite.sql('select 1 from catalog.products')).toEqual([])
})

test('a header that never ends is rejected without being held in memory', async () => {
  const rejected = await send(`Handle;"${'x'.repeat(1_500_000)}`)
  expect(rejected.statusCode).toBe(422)
  expect(rejected.json().detail.issues[0].message).toMatch(/quotation mark may be missing/)
})

describe('a price in a cell', () => {
  const read = (text: string, separator: ',' | ';', currency = 'EUR') => readCsvPrice(text, { currency, separator })
  const AMBIGUOUS = expect.stringMatching(/^must be clear/)
  const NO_AMOUNT = expect.stringMatching(/^must be an amount of EUR/)

  test.each([
    ['19,90', 1990],
    ['19,9', 1990],
    ['0,125', NO_AMOUNT],
    ['0,05', 5],
    ['19.90', 1990],
    ['19', 1900],
    ['1234', 123_400],
    ['1234,5', 123_450],
    ['1.234,50', 123_450],
    ['1.234.567', 123_456_700],
    ['1.234.567,89', 123_456_789],
    ['12.34,50', NO_AMOUNT],
    ['1.234,5,0', NO_AMOUNT],
    [',50', NO_AMOUNT],
    ['19,', NO_AMOUNT],
    ['19,90 €', NO_AMOUNT],
    ['1.234', AMBIGUOUS],
    ['12,345', AMBIGUOUS],
    ['100.000', AMBIGUOUS],
  ])('%s between semicolons is read to the last digit, or is an error', (text, expected) => {
    expect(read(text, ';')).toEqual(expected)
  })

  test.each([
    ['19,90', 1990],
    ['1234,50', 123_450],
    ['1,234', NO_AMOUNT],
    ['19,9', NO_AMOUNT],
    ['1.234,50', NO_AMOUNT],
    ['1,234.50', NO_AMOUNT],
    ['1,234,56', NO_AMOUNT],
    ['12.345', NO_AMOUNT],
  ])('%s between commas is read only if it has one meaning', (text, expected) => {
    expect(read(text, ',')).toEqual(expected)
  })

  test('of a currency with three decimals, or none, is read in the same way', () => {
    expect(read('1,234', ';', 'KWD')).toEqual(AMBIGUOUS)
    expect(read('0,234', ';', 'KWD')).toBe(234)
    expect(read('1234,567', ';', 'KWD')).toBe(1_234_567)
    expect(read('1.234', ',', 'KWD')).toBe(1234)
    expect(read('1.234.000', ';', 'JPY')).toBe(1_234_000)
    expect(read('19,90', ',', 'JPY')).toMatch('JPY')
  })
})
