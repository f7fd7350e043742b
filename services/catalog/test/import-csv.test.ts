import { array, assert, bigInt, constantFrom, nat, property } from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { minorUnitDigits, Product } from '@storefront/contracts'
import type { RunningCatalog } from '../src/start.ts'
import { minorUnitsOf } from '../src/transfer/decimal-price.ts'
import { plainText } from '../src/transfer/plain-text.ts'
import { importCatalogue, startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})
afterAll(async () => {
  await catalog.stop()
  await suite.stop()
})
beforeEach(async () => {
  const emptied = await importCatalogue(catalog.app, suite, { mode: 'replace', settings: {} })
  expect(emptied.statusCode).toBe(200)
})

const HEADER =
  'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,' +
  'Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,Variant Compare At Price,Image Src,Image Position,' +
  'Image Alt Text,Variant Image,Status'

async function send(payload: string | Buffer, type = 'text/csv', query = '') {
  return catalog.app.inject({
    method: 'POST',
    url: `/admin/import${query}`,
    headers: { ...suite.headers.admin(), 'content-type': type },
    payload,
  })
}

const short = (...rows: string[]) => ['Handle,Title,Variant Price', ...rows].join('\n')
const issuesOf = (answer: { json: () => { detail: { issues: { path: string; message: string }[] } } }) =>
  answer.json().detail.issues.map(({ path, message }) => `${path}: ${message}`)

async function product(slug: string): Promise<Product> {
  const answer = await catalog.app.inject({ url: `/products/${slug}` })
  expect(answer.statusCode, answer.payload).toBe(200)
  return Product.parse(answer.json())
}

describe('a product CSV as Shopify writes it', () => {
  const ROWS = [
    HEADER,
    'linen-shirt,"Linen ""Summer"" Shirt","<p>Soft &amp; light,\nwashed.</p><script>alert(1)</script><ul><li>One</li></ul>",' +
      'Loom,Shirts,"eco, linen",TRUE,Size,S,Color,Red,\'LS-S,200,5,19.90,25.00,https://x.example/1.jpg,2,Front,https://x.example/red.jpg,active',
    'linen-shirt,,,,,,,,M,,Red,LS-M,200,-2,24.5,,https://x.example/2.jpg,1,,,',
    'linen-shirt,,,,,,,,,,,,,,,,https://x.example/3.jpg,3,Back,,',
    'gift-card,Gift card,,,,,TRUE,Title,Default Title,,,,,,10,,,,,,draft',
  ].join('\r\n')

  test('becomes products with their variants, pictures and prices to the cent', async () => {
    const answer = await send(`\uFEFF${ROWS}\r\n`)
    expect(answer.statusCode, answer.payload).toBe(200)
    expect(answer.json().counts.products.created).toBe(2)
    const shirt = await product('linen-shirt')
    expect(shirt).toMatchObject({
      title: 'Linen "Summer" Shirt',
      description: 'Soft & light,\nwashed.\n\nOne',
      price: usd(1990),
      compareAtPrice: usd(2500),
      tags: ['eco', 'linen', 'Shirts'],
      options: [
        { name: 'Size', values: ['S', 'M'] },
        { name: 'Color', values: ['Red'] },
      ],
      variants: [
        { sku: 'LS-S', options: { Size: 'S', Color: 'Red' }, price: usd(1990), inventory: 5 },
        { sku: 'LS-M', options: { Size: 'M', Color: 'Red' }, price: usd(2450), inventory: 0 },
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

  test('names bad rows by their lines', async () => {
    const answer = await send(
      short(
        'a,A,12.345',
        'b,B,"1,299.00"',
        'c,C,',
        'd,,5',
        'Not A Slug,E,5',
        'f,F,-1',
        'g,G,1e3',
        'a,A,1',
        'h,H,99999999999',
      ),
    )
    expect(answer.statusCode).toBe(422)
    expect(issuesOf(answer)).toEqual([
      'line 2: variant price: 12.345 is no price in USD',
      'line 3: variant price: 1,299.00 is no price in USD',
      'line 4: variant price: must be given',
      'line 5.title: must not be blank',
      expect.stringMatching(/^line 6\.slug: must be lower-case/),
      'line 7: variant price: -1 is no price in USD',
      'line 8: variant price: 1e3 is no price in USD',
      expect.stringMatching(/^line 10\.price\.amount: must not exceed/),
      'line 9.slug: a stands in this import twice',
    ])
    expect(await suite.sql('select 1 from catalog.products')).toEqual([])
  })

  test('a handle that comes back further down is the same product twice', async () => {
    const answer = await send(short('a,A,1', 'b,B,1', 'a,A,2'))
    expect(issuesOf(answer)).toEqual(['line 4.slug: a stands in this import twice'])
  })

  test('is taken in Windows-1252 when it says so, and told how to be saved otherwise', async () => {
    const bytes = Buffer.from(short('cafe,Caf\u00e9,1'), 'latin1')
    const refused = await send(bytes)
    expect(refused.statusCode).toBe(422)
    expect(issuesOf(refused)[0]).toContain('save the file as "CSV UTF-8"')
    const taken = await send(bytes, 'text/csv; charset=windows-1252')
    expect(taken.statusCode, taken.payload).toBe(200)
    expect((await product('cafe')).title).toBe('Café')
    const unknown = await send(bytes, 'text/csv; charset=ebcdic')
    expect(issuesOf(unknown)).toEqual(['line 1: ebcdic is not understood; send UTF-8'])
  })

  test.each([
    ['semicolons', 'Handle;Title;Variant Price\na;A;1', /^line 1: must name the columns/],
    ['no rows of a shop at all', 'name,age\nAda,36', /^line 1: must name the columns/],
    [
      'a quotation mark without its partner',
      short('a,"A,1', ...Array.from({ length: 9 }, () => 'b,B,1')),
      /quotation mark/,
    ],
    ['NUL', short('a,A\0,1'), /NUL/],
    ['an endless cell', short(`a,"${'x'.repeat(2_000_000)}",1`), /too long/],
    ['an endless product', short(...Array.from({ length: 2500 }, () => 'a,A,1')), /at most 2000 rows/],
  ])('with %s is refused in a sentence', async (_what, text, issue) => {
    const answer = await send(text)
    expect(answer.statusCode, answer.payload).toBe(422)
    expect(issuesOf(answer)[0]).toMatch(issue)
    expect(await suite.sql('select 1 from catalog.import_rows')).toEqual([])
  })

  test('never replaces the shop, of which it holds a part only', async () => {
    const answer = await send(short('a,A,1'), 'text/csv', '?mode=replace')
    expect(answer.statusCode).toBe(422)
  })

  test('counts in the units of the currency of the shop', async () => {
    await importCatalogue(catalog.app, suite, { settings: { pricing: { currency: 'JPY' } } })
    expect(issuesOf(await send(short('a,A,12.50')))).toEqual(['line 2: variant price: 12.50 is no price in JPY'])
    await send(short('a,A,1200.00'))
    expect((await product('a')).price).toEqual({ amount: 1200, currency: 'JPY' })
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

test('what is made of HTML holds nothing that a browser could take for markup', () => {
  const piece = constantFrom(
    '<',
    '>',
    '&lt;',
    '&gt;',
    '&amp;',
    '&#60;',
    '&#x3c;',
    'script',
    '/',
    '!--',
    '-->',
    '<b>',
    '</p>',
    '<img src=x onerror=alert(1)>',
    ' ',
    'text',
    '&',
    ';',
    'lt',
    '\u0130',
    '<svg',
    '"',
  )
  assert(
    property(array(piece, { maxLength: 40 }), (pieces) => {
      expect(plainText(pieces.join(''))).not.toMatch(/<[a-z/!?]/i)
    }),
    { numRuns: 2000 },
  )
  expect(plainText('Sizes 3 < 5 & 7 > 6')).toBe('Sizes 3 < 5 & 7 > 6')
  const before = process.threadCpuUsage()
  plainText('<'.repeat(500_000) + '&lt;'.repeat(100_000) + '<!--'.repeat(100_000))
  expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000)
})
