import { ProductList, type Product } from '@storefront/contracts'
import { amount, createSuite, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningCatalog } from '../src/start.ts'
import { fill, shirt, startTestCatalog, usd } from './catalog.ts'
import { expectSamePages, idsOf, pagesByCursor, readPage, request, type Query } from './naive-catalog.ts'

/** Microseconds of CPU time, so that other load of the machine does not count. */
const MAX_MICROSECONDS = 2_000_000

let suite: Suite
let catalog: RunningCatalog

/** A product with only the given text. */
const product = (slug: string, fields: Record<string, unknown>) =>
  shirt(slug, {
    title: 'Plain thing',
    variants: [{ sku: `Z${Buffer.from(slug).toString('hex')}`, options: { Size: 'S' }, inventory: 3 }],
    options: [{ name: 'Size', values: ['S'] }],
    createdAt: '2024-01-01T00:00:00.000Z',
    ...fields,
  })

const withSku = (slug: string, ...skus: string[]) =>
  product(slug, {
    options: [{ name: 'Size', values: skus }],
    variants: skus.map((sku) => ({ sku, options: { Size: sku }, inventory: 1 })),
  })

const CATEGORIES = [
  { slug: 'outdoor-life', name: 'Wilderness' },
  { slug: 'rain-gear', name: 'Wetterschutz', parent: 'outdoor-life' },
  { slug: 'ponchos', name: 'Überwürfe', parent: 'rain-gear' },
  { slug: 'kiosk', name: 'Kiosk' },
  { slug: 'zq-marmalade', name: 'Marmalade' },
  { slug: 'vessels', name: 'Vessels' },
]

const PRODUCTS = [
  product('x-dress', { title: 'Evening dress', description: 'Made for running around.' }),
  product('x-dresses', { title: 'Two dresses', subtitle: 'Embroidered' }),
  product('x-cafe-accent', { title: 'Café apron', subtitle: 'Für die Küche' }),
  product('x-cafe-plain', { title: 'Cafe stool' }),
  product('x-cafe-apart', { title: 'Cafe\u0301 lamp' }),
  product('x-linen-jacket', { title: 'Linen jacket', tags: ['breezy'], description: 'With corduroy elbows.' }),
  product('x-linen-trousers', { title: 'Linen trousers', tags: ['breezy', 'Holiday Mood'] }),
  product('x-overshirt', { title: 'Herringbone overshirt', subtitle: 'Denim' }),
  product('x-wool-jacket', { title: 'Wool jacket' }),
  product('x-running', { title: 'Running shoes', subtitle: 'Accessories included' }),
  product('x-tee', { title: 'Men’s T-Shirt', subtitle: "Sailor's choice" }),
  product('x-poncho', { categories: ['ponchos'] }),
  product('x-draft', { title: 'Secret cloak', published: false }),
  product('x-talker', { title: 'Talker hat', categories: ['kiosk'] }),
  product('x-walker', { title: 'Walker hat', categories: ['kiosk'], tags: ['sturdy'], price: usd(900) }),
  product('x-cardigan', { title: 'Cardigan', subtitle: 'Melange' }),
  product('x-bomber', { title: 'Bomber' }),
  product('x-umbrella', { title: 'Umbrella' }),
  withSku('x-sku-dash', 'AB-1234-XL', 'AB-1234-S'),
  withSku('x-sku-other', 'AB-99-7', 'mixedCase-5b'),
  withSku('x-sku-plain', 'QXK77Z', 'Q7'),
  withSku('x-sku-number', '00471100', '-5-6'),
  withSku('x-sku-odd', 'KV.77_9/B'),
  // One word in every field there is, with the featured order set against relevance.
  product('m-description', { description: `${'Marmalade '.repeat(12)}everywhere.`, position: 1 }),
  product('m-sku', {
    position: 2,
    variants: [{ sku: 'MARMALADE-7', options: { Size: 'S' }, inventory: 1 }],
  }),
  product('m-category', { categories: ['zq-marmalade'], position: 3 }),
  product('m-tag', { tags: ['marmalade'], position: 4 }),
  product('m-subtitle', { subtitle: 'Marmalade', position: 5 }),
  product('m-title', { title: 'Marmalade', position: 6, price: usd(100) }),
  // Enough for some pages, with ties in relevance.
  ...Array.from({ length: 57 }, (_, index) =>
    product(`v-${index}`, {
      title: index % 5 === 0 ? 'Teapot' : 'Kettle',
      subtitle: index % 3 === 0 ? 'Porcelain teapot' : 'Iron',
      description: index % 2 === 0 ? 'A teapot is a pot for tea.' : 'Goes with every teapot.',
      categories: ['vessels'],
      tags: index % 4 === 0 ? ['teapot'] : ['pot'],
      price: usd(1000 + (index % 7)),
      position: index % 6 === 0 ? index : null,
    }),
  ),
]

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  await save({ categories: CATEGORIES, products: PRODUCTS })
})

afterAll(() => suite.stop())

const save = (body: Record<string, unknown>) => fill(catalog.app, suite, body)

const slugsOf = (items: Product[]) => items.map(({ slug }) => slug)

/** The slugs of the results, in their order. */
const ranked = async (q: string, query: Query = {}) =>
  slugsOf((await readPage(catalog.app, { q, per_page: 48, ...query })).items)

const found = async (q: string, query: Query = {}) => (await ranked(q, query)).toSorted()

const foundAll = async (q: string) =>
  (await pagesByCursor(catalog.app, { q }, 48)).flatMap(({ items }) => slugsOf(items)).toSorted()

const foundEach = async (words: string[]) =>
  Object.fromEntries(
    await Promise.all(words.map(async (word): Promise<[string, string[]]> => [word, await found(word)])),
  )

const each = (words: string[], slugs: string[]) => Object.fromEntries(words.map((word) => [word, slugs]))

describe('a word', () => {
  test('is found in its other forms', async () => {
    const words = ['dress', 'dresses', 'DRESS', 'Dresses', 'evening dresses', '  dress ']
    expect(await foundEach(words)).toEqual({
      ...each(words, ['x-dress', 'x-dresses']),
      'evening dresses': ['x-dress'],
    })
    expect(await foundEach(['run shoes', 'running shoe'])).toEqual(each(['run shoes', 'running shoe'], ['x-running']))
  })

  test('is found with and without its accents', async () => {
    const words = ['cafe', 'café', 'Café', 'CAFÉ', 'cafe\u0301', 'cáfè']
    expect(await foundEach(words)).toEqual(each(words, ['x-cafe-accent', 'x-cafe-apart', 'x-cafe-plain']))
    const kitchen = ['küche', 'kuche', 'KÜCHE', 'fur kuche']
    expect(await foundEach(kitchen)).toEqual(each(kitchen, ['x-cafe-accent']))
    expect(await foundEach(['überwürfe', 'uberwurfe'])).toEqual(each(['überwürfe', 'uberwurfe'], ['x-poncho']))
  })

  test('is found by its beginning, however much has been typed', async () => {
    const beginnings = (word: string) => Array.from({ length: word.length - 3 }, (_, index) => word.slice(0, index + 4))
    for (const [word, slug] of [
      ['trousers', 'x-linen-trousers'],
      ['accessories', 'x-running'],
      ['embroidered', 'x-dresses'],
      ['evening', 'x-dress'],
      ['wetterschutz', 'x-poncho'],
    ] satisfies [string, string][]) {
      expect(await foundEach(beginnings(word))).toEqual(each(beginnings(word), [slug]))
    }
    expect(await foundEach(beginnings('running'))).toEqual(each(beginnings('running'), ['x-dress', 'x-running']))
    expect(await found('linen tro')).toEqual(['x-linen-trousers'])
  })

  test('is found by its first letter, in whatever script, alone and behind other words', async () => {
    await save({
      products: [
        product('x-skirt', { title: '裙子', subtitle: 'Ésprit' }),
        product('x-yoke', { title: 'Merino', subtitle: 'Boiled', description: 'Yarn of 7 sheep' }),
      ],
    })
    expect(await foundEach(['裙', '裙子', 'merino b', 'merino y', 'merino 7', 'Merino B'])).toEqual({
      ...each(['裙', '裙子'], ['x-skirt']),
      ...each(['merino b', 'merino y', 'merino 7', 'Merino B'], ['x-yoke']),
    })
    expect(await found('y')).toEqual(['x-yoke'])
    expect(await foundEach(['裙子 é', '裙子 e', '裙子 E\u0301'])).toEqual(
      each(['裙子 é', '裙子 e', '裙子 E\u0301'], ['x-skirt']),
    )
    expect(await foundEach(['merino q', 'b merino', '子', '\u0301', 'q*'])).toEqual(
      each(['merino q', 'b merino', '子', '\u0301', 'q*'], []),
    )
  })

  test('is found by its first letter wherever it is found by two', async () => {
    for (const two of ['tr', 'he', 'um', 'wi', 'ki', 'sh', 'ov']) {
      const [all, more] = [await foundAll(two.slice(0, 1)), await foundAll(two)]
      expect(
        more.filter((slug) => !all.includes(slug)),
        two,
      ).toEqual([])
      expect(more, two).not.toEqual([])
    }
  })

  test('is found by its first letter as the words of products change', async () => {
    const [before, after] = ['Zither', 'Fiddle'].map((title) => product('x-reworded', { title }))
    await save({ products: [before] })
    expect(await found('z')).toContain('x-reworded')
    await save({ products: [after] })
    expect(await found('z')).not.toContain('x-reworded')
    expect(await found('f')).toContain('x-reworded')
    await save({ products: [before] })
    expect(await found('z')).toContain('x-reworded')
  })

  test('is found by a beginning that is a stop word', async () => {
    const common = ['over', 'overs', 'her', 'herr', 'denim over', 'denim her']
    expect(await foundEach(common)).toEqual(each(common, ['x-overshirt']))
  })

  test('is not found beside a stop word at the end, which may be the beginning of another word', async () => {
    expect(await found('linen over')).toEqual([])
  })

  test('is not found by its beginning when it is not the last', async () => {
    expect(await found('wool jack')).toEqual(['x-wool-jacket'])
    expect(await found('wetter outdoor')).toEqual([])
    expect(await found('trou linen')).toEqual([])
  })

  test('is found with hyphens and apostrophes, and by the parts between them', async () => {
    const words = ['t-shirt', 'T-Shirt', 'shirt men', 'men’s', "men's t-shirt", "sailor's", 'sailor']
    expect(await foundEach(words)).toEqual(each(words, ['x-tee']))
  })

  test('is not found in the middle of another', async () => {
    expect(await found('igan')).toEqual([])
  })
})

describe('several words', () => {
  test('are all needed, in whatever order and field', async () => {
    expect(await foundEach(['linen jacket', 'jacket linen', 'corduroy linen', 'breezy corduroy'])).toEqual(
      each(['linen jacket', 'jacket linen', 'corduroy linen', 'breezy corduroy'], ['x-linen-jacket']),
    )
    expect(await found('breezy linen')).toEqual(['x-linen-jacket', 'x-linen-trousers'])
    expect(await found('linen wool')).toEqual([])
    expect(await found('holiday mood')).toEqual(['x-linen-trousers'])
  })
})

describe('fields', () => {
  test('are a title, then a subtitle, tags, categories and SKUs, then a description', async () => {
    for (const query of [{}, { sort: 'featured' }]) {
      const slugs = await ranked('marmalade', query)
      expect([slugs.at(0), slugs.slice(1, -1).toSorted(), slugs.at(-1)]).toEqual([
        'm-title',
        ['m-category', 'm-sku', 'm-subtitle', 'm-tag'],
        'm-description',
      ])
    }
  })

  test('do not affect an explicit sort', async () => {
    expect((await ranked('marmalade', { sort: 'price-asc' })).at(0)).toBe('m-title')
    expect((await ranked('marmalade', { sort: 'price-desc' })).at(-1)).toBe('m-title')
    const byId = (await readPage(catalog.app, { q: 'marmalade', sort: 'newest' })).items.map(({ id }) => id)
    expect(byId).toEqual(byId.toSorted((one, other) => (one < other ? -1 : 1)))
  })

  test('of a category are its name and slug, and those of every category above', async () => {
    const words = ['überwürfe', 'ponchos', 'poncho', 'wetterschutz', 'rain-gear', 'rain gear', 'wilderness', 'outdoor']
    expect(await foundEach([...words, 'outdoor-life'])).toEqual(each([...words, 'outdoor-life'], ['x-poncho']))
  })

  test('of a SKU are the whole and its beginning, with dashes and in any case', async () => {
    const one = ['AB-1234-XL', 'ab-1234-xl', 'Ab-1234-s', 'AB-1234', 'ab-1234-', 'AB-12', 'ab-1234-x']
    expect(await foundEach(one)).toEqual(each(one, ['x-sku-dash']))
    const both = ['AB-', 'ab-']
    expect(await foundEach(both)).toEqual(each(both, ['x-sku-dash', 'x-sku-other']))
    const other = ['AB-99-7', 'ab-99', 'MIXEDCASE-5B', 'mixedcase-5', 'mixedcase']
    expect(await foundEach(other)).toEqual(each(other, ['x-sku-other']))
    expect(await foundEach(['qxk77z', 'QXK7'])).toEqual(each(['qxk77z', 'QXK7'], ['x-sku-plain']))
    expect(await foundEach(['00471100', '004711'])).toEqual(each(['00471100', '004711'], ['x-sku-number']))
    expect(await foundEach(['KV.77_9/B', 'kv.77_9/b'])).toEqual(each(['KV.77_9/B', 'kv.77_9/b'], ['x-sku-odd']))
  })

  test('of a SKU of two characters are both of them, and not the first two of a longer one', async () => {
    expect(await foundEach(['Q7', 'q7'])).toEqual(each(['Q7', 'q7'], ['x-sku-plain']))
    expect(await foundEach(['QX', '00'])).toEqual(each(['QX', '00'], []))
  })
})

describe('a typing error', () => {
  const LETTER = 'x'

  /** Every way to get one letter wrong. */
  function slipsOf(word: string): string[] {
    const places = Array.from({ length: word.length }, (_, place) => place)
    const at = (place: number) => word.charAt(place)
    return [
      ...places.map((place) => word.slice(0, place) + LETTER + word.slice(place + 1)),
      ...places.map((place) => word.slice(0, place) + word.slice(place + 1)),
      ...places.map((place) => word.slice(0, place) + at(place) + word.slice(place)),
      ...places.slice(1).map((place) => word.slice(0, place - 1) + at(place) + at(place - 1) + word.slice(place + 1)),
    ].filter((slip) => slip !== word)
  }

  test.each([
    ['cardigan', 'x-cardigan'],
    ['bomber', 'x-bomber'],
    ['umbrella', 'x-umbrella'],
    ['trousers', 'x-linen-trousers'],
    ['melange', 'x-cardigan'],
    // A word of a description only.
    ['corduroy', 'x-linen-jacket'],
  ])('in %s still finds the product', async (word, slug) => {
    const lost: string[] = []
    for (const slip of slipsOf(word)) {
      if (!(await found(slip)).includes(slug)) lost.push(slip)
    }
    expect(lost).toEqual([])
  })

  test('is corrected beside a correct word', async () => {
    expect(await found('linen trowsers')).toEqual(['x-linen-trousers'])
    expect(await found('trowsers linen')).toEqual(['x-linen-trousers'])
  })

  test('is corrected when the last letter of a word that is not the last is missing', async () => {
    expect(await found('cardiga melange')).toEqual(['x-cardigan'])
  })

  test('is not corrected while there are matches', async () => {
    expect(await found('walker')).toEqual(['x-walker'])
    expect(await found('talker')).toEqual(['x-talker'])
    expect(await found('walker hat')).toEqual(['x-walker'])
  })

  test('is not corrected for a word that occurs nowhere', async () => {
    expect(await foundEach(['qqqqqqqqqq', 'zzyzx', 'bicycle'])).toEqual(each(['qqqqqqqqqq', 'zzyzx', 'bicycle'], []))
  })

  test('does not change filters, total and pages', async () => {
    const right = await readPage(catalog.app, { q: 'porcelain', per_page: 48 })
    const slipped = await readPage(catalog.app, { q: 'porcelian', per_page: 48 })
    expect(right.total).toBe(19)
    expect(slipped.total).toBe(19)
    expect(slugsOf(slipped.items).toSorted()).toEqual(slugsOf(right.items).toSorted())
    expect(slipped.facets).toEqual(right.facets)
    expect(await expectSamePages(catalog.app, { q: 'porcelian' }, 4)).toHaveLength(19)
    expect(await found('porcelian', { max_price: 1000 })).toEqual(await found('porcelain', { max_price: 1000 }))
    expect(await found('porcelian', { category: 'kiosk' })).toEqual([])
  })
})

describe('a search', () => {
  test('is narrowed by filters', async () => {
    expect(await found('hat')).toEqual(['x-talker', 'x-walker'])
    expect(await found('hat', { category: 'kiosk', tags: 'sturdy' })).toEqual(['x-walker'])
    expect(await found('hat', { max_price: 900 })).toEqual(['x-walker'])
    expect(await found('hat', { sizes: 'S', in_stock: '1' })).toEqual(['x-talker', 'x-walker'])
    expect(await found('hat', { sizes: 'M' })).toEqual([])
    expect(await found('hat', { category: 'vessels' })).toEqual([])
    expect(await found('hat', { category: 'nothing' })).toEqual([])
  })

  test('does not change the facets of the category', async () => {
    for (const query of [{}, { category: 'kiosk' }, { category: 'vessels' }]) {
      const { facets } = await readPage(catalog.app, query)
      for (const q of ['hat', 'teapot', 'nothingatall']) {
        expect((await readPage(catalog.app, { ...query, q })).facets, q).toEqual(facets)
      }
    }
  })

  test('finds no unpublished product', async () => {
    for (const q of ['secret', 'cloak', 'secret cloak', 'secert', 'cloka', 'x-draft']) {
      expect(await found(q), q).not.toContain('x-draft')
    }
  })

  test('puts matches in titles before all others on every page, by number and by cursor', async () => {
    for (const perPage of amount({ quick: [2, 12, 48], long: [1, 5, 12, 48] })) {
      const ids = await expectSamePages(catalog.app, { q: 'teapot' }, perPage)
      expect(new Set(ids).size).toBe(57)
    }
    const items = (await pagesByCursor(catalog.app, { q: 'teapot' }, 10)).flatMap((page) => page.items)
    const titled = items.map(({ title }) => title === 'Teapot')
    expect(titled.filter(Boolean)).toHaveLength(12)
    expect(titled.lastIndexOf(true)).toBeLessThan(titled.indexOf(false))
    expect(await expectSamePages(catalog.app, { q: 'teapot', tags: 'pot', max_price: 1003 }, 3)).not.toEqual([])
  })

  test.each(['featured', 'newest', 'price-asc', 'price-desc', 'rating'])(
    'has pages in the order of %s',
    async (sort) => {
      expect(await expectSamePages(catalog.app, { q: 'teapot', sort }, 7)).toHaveLength(57)
    },
  )

  test('is the same with featured and without a sort', async () => {
    const unsorted = idsOf([await readPage(catalog.app, { q: 'teapot', per_page: 48 })])
    expect(idsOf([await readPage(catalog.app, { q: 'teapot', per_page: 48, sort: 'featured' })])).toEqual(unsorted)
  })

  test('has a cursor that is valid only for these words', async () => {
    const { nextCursor } = await readPage(catalog.app, { q: 'teapot', per_page: 5 })
    expect(nextCursor).toEqual(expect.any(String))
    const changes: Query[] = [
      { q: 'kettle' },
      { q: undefined },
      { sort: 'newest' },
      { category: 'vessels' },
      { q: 'teapots pot' },
    ]
    for (const change of changes) {
      const { status, text } = await request(catalog.app, { q: 'teapot', per_page: 5, cursor: nextCursor, ...change })
      expect({ status, ...JSON.parse(text) }, JSON.stringify(change)).toMatchObject({
        status: 422,
        code: 'validation_failed',
      })
    }
  })
})

describe('any search text', () => {
  const marks = String.raw`& | ! <-> :* ( ) ' " % _ \ * ? - -- < <2> ; $1 {} '' \' 100% a_b <b> linen:* linen:A (linen a)`
  const phrases = String.raw`linen &, & linen, linen | wool, !linen, linen <-> jacket, linen' jacket, "linen jacket, linen\ `
  const words =
    'the a OR 1 -1 1e9 1.5 00 http://a.b/c?d=e a@b.example /etc/passwd __proto__ linen_and_or_not the%20and%20of'
  const scripts =
    '🧥 👩‍👩‍👧‍👦 \u202Elinen שמלה فستان лён 衬衫 \u200B li\u200Bnen \uFEFF \u00AD ﬁ İ ẞ ſ \u0301 e\u0301\u0301\u0301'
  const controls = ['\t\n\r', '\u0001', '\uFFFF', '\uFFFD', '\u0000', 'linen\u0000', '\u0000 linen']
  const typed = [
    marks.split(' '),
    phrases.split(', '),
    words.split(' ').map(decodeURIComponent),
    scripts.split(' '),
    controls,
  ].flat()

  const hostile: [what: string, query: string][] = [
    ...typed.map((q): [string, string] => [JSON.stringify(q), `q=${encodeURIComponent(q)}`]),
    ['bytes that are not UTF-8', 'q=%FF%FE'],
    ['half a character', 'q=%ED%A0%80'],
    ['a broken escape', 'q=%ZZ%'],
    ['9,000 letters', `q=${'a'.repeat(9000)}`],
    [
      '9,000 different letters',
      `q=${Array.from({ length: 9000 }, (_, at) => 'abcdefghijk'.charAt((at * at) % 11)).join('')}`,
    ],
    ['9,000 spaces', `q=${'%20'.repeat(9000)}`],
    ['9,001 characters', `q=${'ab '.repeat(3000)}c`.replaceAll(' ', '+')],
    ['9,000 accents', `q=e${encodeURIComponent('\u0301'.repeat(9000))}`],
    ['9,000 emoji', `q=${encodeURIComponent('🧥'.repeat(4500))}`],
    ['9,000 quotes', `q=${'%27'.repeat(9000)}`],
    ['9,000 brackets', `q=${'('.repeat(4500)}${')'.repeat(4500)}`],
    ['9,000 dashes', `q=${'a-'.repeat(4500)}`],
    ['500 words', `q=${Array.from({ length: 500 }, (_, at) => `word${at}`).join('+')}`],
    ['500 times the same word', `q=${'linen+'.repeat(500)}`],
    ['500 misspelled words', `q=${'trowsers+'.repeat(500)}`],
    ['a list', 'q[]=linen'],
    ['an empty list', 'q[]='],
    ['an object', 'q[a]=linen'],
    ['twice the same', 'q=linen&q=linen'],
    ['two', 'q=linen&q=wool'],
    ['a thousand', Array.from({ length: 1000 }, () => 'q=a').join('&')],
    ['nothing', 'q='],
    ['no equals sign', 'q'],
    ['another sort', 'q=%27%3A*&sort=price-asc&page=3'],
  ]

  test.each(hostile)('%s gets a list or a clear error, at once', async (_what, query) => {
    const before = process.threadCpuUsage()
    const { status, text } = await request(catalog.app, query)
    expect(process.threadCpuUsage(before).user).toBeLessThan(MAX_MICROSECONDS)
    const body = JSON.parse(text)
    expect([200, 422]).toContain(status)
    expect(status === 200 ? ProductList.safeParse(body).error : body.code).toBe(
      status === 200 ? undefined : 'validation_failed',
    )
  })

  test('are words, not operators', async () => {
    const words = [
      'linen & jacket',
      'linen <-> jacket',
      'linen (jacket)',
      '"linen jacket"',
      "linen' jacket",
      'linen, jacket!',
    ]
    expect(await foundEach(words)).toEqual(each(words, ['x-linen-jacket']))
    expect(await found('linen | wool')).toEqual([])
  })
})

// Last, because it changes the shop.
describe('what a merchant changes', () => {
  test('is found by its new words and no longer by the old ones', async () => {
    await save({ products: [product('x-umbrella', { title: 'Parasol' })] })
    expect(await found('parasol')).toEqual(['x-umbrella'])
    expect(await found('umbrella')).toEqual([])
  })

  test('is found by a misspelling of a former title word', async () => {
    await save({ products: [product('x-sandals', { title: 'Sanddals' })] })
    expect(await found('sanddals')).toEqual(['x-sandals'])
    await save({ products: [product('x-sandals', { title: 'Sandals' })] })
    expect(await foundEach(['sandals', 'sanddals', 'sandlas'])).toEqual(
      each(['sandals', 'sanddals', 'sandlas'], ['x-sandals']),
    )
  })

  test('is found by the new name of its category, and of the parent', async () => {
    await save({ categories: [{ slug: 'rain-gear', name: 'Monsoon', parent: 'outdoor-life' }] })
    expect(await found('monsoon')).toEqual(['x-poncho'])
    expect(await found('wetterschutz')).toEqual([])
    await save({ categories: [{ slug: 'rain-gear', name: 'Monsoon', parent: 'kiosk' }] })
    expect(await found('monsoon')).toEqual(['x-poncho'])
    expect(await found('wilderness')).toEqual([])
    expect(await found('kiosk')).toEqual(['x-poncho', 'x-talker', 'x-walker'])
  })

  test('is not found once it is hidden, and again when it is shown', async () => {
    await save({ products: [product('x-bomber', { title: 'Bomber', published: false })] })
    expect(await found('bomber')).toEqual([])
    await save({ products: [product('x-bomber', { title: 'Bomber' })] })
    expect(await found('bomber')).toEqual(['x-bomber'])
  })
})
