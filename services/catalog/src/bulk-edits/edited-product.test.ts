import { describe, expect, test } from 'vitest'
import { BulkEditChange } from '@storefront/contracts'
import { differencesOf, patchOf, undoneFields, type EditableProduct, type EditableVariant } from './edited-fields.ts'
import { editedProduct, faultOf } from './edited-product.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })
const variant = (id: string, price?: number, compareAt?: number): EditableVariant => ({
  id,
  sku: id.toUpperCase(),
  ...(price !== undefined && { price: usd(price) }),
  ...(compareAt !== undefined && { compareAtPrice: usd(compareAt) }),
})
const shirt = (more: Partial<EditableProduct> = {}): EditableProduct => ({
  id: 'prod_1',
  title: 'Shirt',
  price: usd(4000),
  compareAtPrice: null,
  published: true,
  tags: ['linen', 'summer'],
  categories: ['men', 'shirts'],
  variants: [variant('s'), variant('m')],
  ...more,
})
/** The fields of a product that a change sets. */
const after = (product: EditableProduct, change: unknown) =>
  differencesOf(product, editedProduct(product, BulkEditChange.parse(change)))?.after

describe('a change of prices by percent', () => {
  test.each([
    [4000, -20, 3200],
    [4000, 12.5, 4500],
    [999, -10, 899],
    [995, -10, 896],
    [1, -50, 1],
    [105, -33.33, 70],
    [10_000_000_000, -0.01, 9_999_000_000],
  ])('changes %d by %d percent to %d, rounded half up', (price, percent, expected) => {
    expect(after(shirt({ price: usd(price) }), { kind: 'price', percent })).toEqual(
      price === expected ? undefined : { price: usd(expected) },
    )
  })

  test.each([
    [4000, 99, 3199],
    [4000, 0, 3200],
    [4060, 99, 3199],
    [4061, 99, 3299],
    [4062, 99, 3299],
    [4063, 50, 3250],
    [60, 99, 99],
  ])('changes %d by -20 percent, with the ending %d, to %d', (price, endsIn, expected) => {
    expect(after(shirt({ price: usd(price) }), { kind: 'price', percent: -20, endsIn })).toEqual({
      price: usd(expected),
    })
  })

  test("keeps the compare-at price, and also changes the variants' own prices", () => {
    const product = shirt({
      compareAtPrice: usd(5000),
      variants: [variant('s'), variant('m', 3000), variant('l', 2000, 2500)],
    })
    expect(after(product, { kind: 'price', percent: -10 })).toEqual({
      price: usd(3600),
      variants: [
        { id: 'm', sku: 'M', price: usd(2700), compareAtPrice: null },
        { id: 'l', sku: 'L', price: usd(1800), compareAtPrice: usd(2500) },
      ],
    })
  })

  test('puts on sale, with a regular price that a second sale does not replace', () => {
    const product = shirt({ variants: [variant('s'), variant('m', 3000), variant('l', 2000, 2500)] })
    const sale = { kind: 'price', percent: -10, keepAsCompareAt: true }
    const first = editedProduct(product, BulkEditChange.parse(sale))
    expect(differencesOf(product, first)?.after).toEqual({
      price: usd(3600),
      compareAtPrice: usd(4000),
      variants: [
        { id: 'm', sku: 'M', price: usd(2700), compareAtPrice: usd(3000) },
        { id: 'l', sku: 'L', price: usd(1800), compareAtPrice: usd(2500) },
      ],
    })
    expect(after(first, sale)).toMatchObject({ price: usd(3240), variants: [{ compareAtPrice: usd(3000) }, {}] })
    expect(after(first, sale)).not.toHaveProperty('compareAtPrice')
  })

  test('adds no compare-at price when the price rises', () => {
    expect(after(shirt(), { kind: 'price', percent: 10, keepAsCompareAt: true })).toEqual({ price: usd(4400) })
  })

  test('is not valid for 0 or -100 percent, or with three decimals', () => {
    for (const percent of [0, -100, 0.001, 1000.01]) {
      expect(BulkEditChange.safeParse({ kind: 'price', percent }).success, String(percent)).toBe(false)
    }
  })
})

describe('the end of a sale', () => {
  const end = { kind: 'end-sale' }

  test('restores the prices of products and variants exactly as they were before it', () => {
    const product = shirt({ variants: [variant('s'), variant('m', 3000), variant('l', 4000)] })
    const sale = editedProduct(product, BulkEditChange.parse({ kind: 'price', percent: -15, keepAsCompareAt: true }))
    expect(differencesOf(product, editedProduct(sale, BulkEditChange.parse(end)))).toBeUndefined()
  })

  test('does not change a product that is not on sale', () => {
    for (const compareAtPrice of [null, usd(4000), usd(3000)]) {
      expect(after(shirt({ compareAtPrice }), end)).toBeUndefined()
    }
  })

  test('gives a variant its own regular price only where that differs from the one of the product', () => {
    const variants = [variant('s', undefined, 5000), variant('m', undefined, 4500), variant('l', 3000, 2000)]
    expect(after(shirt({ compareAtPrice: usd(5000), variants }), end)).toEqual({
      price: usd(5000),
      compareAtPrice: null,
      variants: [
        { id: 's', sku: 'S', price: null, compareAtPrice: null },
        { id: 'm', sku: 'M', price: usd(4500), compareAtPrice: null },
      ],
    })
  })
})

describe('changes of tags, categories and publication', () => {
  test.each([
    [{ kind: 'tags', add: ['new', 'linen'], remove: ['summer', 'winter'] }, { tags: ['linen', 'new'] }],
    [{ kind: 'tags', add: ['linen'] }, undefined],
    [{ kind: 'tags', add: ['summer'], remove: ['summer'] }, undefined],
    [{ kind: 'categories', add: ['coats'] }, { categories: ['coats', 'men', 'shirts'] }],
    [{ kind: 'categories', remove: ['shirts'] }, { categories: ['men'] }],
    [{ kind: 'published', published: false }, { published: false }],
    [{ kind: 'published', published: true }, undefined],
  ])('%j makes %j', (change, expected) => {
    expect(after(shirt(), change)).toEqual(expected)
  })

  test('must not be empty', () => {
    for (const kind of ['tags', 'categories']) {
      expect(BulkEditChange.safeParse({ kind, add: [], remove: [] }).success).toBe(false)
    }
  })
})

describe('a change that is not possible', () => {
  const faultAfter = (product: EditableProduct, change: unknown) => {
    const edit = differencesOf(product, editedProduct(product, BulkEditChange.parse(change)))
    return edit && faultOf(product, edit)
  }

  test('is a price that becomes 0, of the product or of a variant', () => {
    expect(faultAfter(shirt({ price: usd(40) }), { kind: 'price', percent: -99 })).toBe('A price would become 0.')
    const variants = [variant('s', 0), variant('m', 40)]
    expect(faultAfter(shirt({ variants }), { kind: 'price', percent: -99 })).toBe('A price would become 0.')
    expect(faultAfter(shirt({ variants: [variant('s', 0)] }), { kind: 'price', percent: -99 })).toBeUndefined()
  })

  test('is one that would be rejected for the product alone', () => {
    expect(faultAfter(shirt({ price: usd(9_000_000_000) }), { kind: 'price', percent: 50 })).toMatch(
      /^price\.amount: must/,
    )
    const tags = Array.from({ length: 100 }, (_, index) => `tag ${index}`)
    expect(faultAfter(shirt({ tags }), { kind: 'tags', add: ['one more'] })).toMatch(/^tags: /)
  })
})

describe('an undo', () => {
  const sale = BulkEditChange.parse({ kind: 'price', percent: -10, keepAsCompareAt: true })
  const product = shirt({ variants: [variant('s'), variant('m', 3000)] })
  const changed = editedProduct(product, sale)
  const edit = differencesOf(product, changed) ?? { before: {}, after: {} }

  test('writes the former values of the fields that were changed', () => {
    expect(undoneFields(changed, edit)).toEqual({
      price: usd(4000),
      compareAtPrice: null,
      variants: [{ id: 'm', sku: 'M', price: usd(3000), compareAtPrice: null }],
    })
  })

  test.each<[string, Partial<EditableProduct>]>([
    ['the price', { price: usd(1) }],
    ['the compare-at price', { compareAtPrice: null }],
    ['the price of a variant', { variants: [variant('s'), variant('m', 1, 3000)] }],
    ['the variants', { variants: [variant('s')] }],
  ])('does nothing when %s changed since', (_what, since) => {
    expect(undoneFields({ ...changed, ...since }, edit)).toBe('changed-since')
  })

  test('is not prevented by changes of other fields, and has no effect the second time', () => {
    const since = { tags: [], published: false, variants: [variant('s', 1), ...changed.variants.slice(1)] }
    expect(undoneFields({ ...changed, ...since }, edit)).toEqual(edit.before)
    expect(undoneFields(product, edit)).toBe('unchanged')
  })
})

test('the patch of a product names all of its variants, so that none is deleted', () => {
  const variants = [{ id: 'm', sku: 'M', price: usd(1), compareAtPrice: null }]
  expect(patchOf(shirt(), { price: usd(2), variants })).toEqual({
    price: usd(2),
    variants: [{ id: 's' }, { id: 'm', price: usd(1), compareAtPrice: null, priceOverride: true }],
  })
  expect(patchOf(shirt(), { published: false })).toEqual({ published: false })
})
