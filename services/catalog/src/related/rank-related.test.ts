import { array, assert, constantFrom, integer, property, record, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { ListingIndex, type ListingChange } from '../listings/listing-index.ts'
import { term } from '../listings/terms.ts'
import { mostAlike } from './rank-related.ts'

const CATEGORIES = ['shirts', 'knits', 'coats']
const TAGS = ['linen', 'wool', 'summer', 'blue']

const thing = record({
  categories: uniqueArray(constantFrom(...CATEGORIES)),
  tags: uniqueArray(constantFrom(...TAGS)),
  priceMinor: integer({ min: 0, max: 5 }),
})
type Thing = typeof thing extends { generate: (...args: never[]) => { value: infer Value } } ? Value : never

/** More than the service checks when it shows related products, so that the best may be anywhere. */
const things = array(thing, { minLength: 1, maxLength: 200 })

function indexOf(listed: readonly Thing[]): ListingIndex {
  const index = new ListingIndex()
  const names = [...CATEGORIES.map(term.leaf), ...TAGS.map(term.tag), term.everything]
  index.learnTerms(names.map((name, id) => ({ id, name })))
  index.apply(
    listed.map(({ categories, tags, priceMinor }, ordinal): ListingChange => ({
      ordinal,
      lost: [],
      gained: [...categories.map(term.leaf), ...tags.map(term.tag), term.everything].map((name) => names.indexOf(name)),
      item: {
        productId: idOf(ordinal),
        title: '',
        priceMinor,
        featuredPosition: 0,
        unitsSold: 0,
        ratingHundredths: 0,
        ratingCount: 0,
        createdMs: 0,
      },
    })),
  )
  return index
}

const idOf = (ordinal: number) => `prod_${String(ordinal).padStart(4, '0')}`
const shared = (one: readonly string[], other: readonly string[]) => one.filter((each) => other.includes(each)).length

test('products of the whole shop are ranked by shared categories, then by shared tags, then by nearness in price', () => {
  assert(
    property(things, thing, integer({ min: 1, max: 49 }), (listed, source, limit) => {
      const expected = listed
        .map((other, ordinal) => ({
          id: idOf(ordinal),
          categories: shared(source.categories, other.categories),
          tags: shared(source.tags, other.tags),
          distance: Math.abs(source.priceMinor - other.priceMinor),
        }))
        .filter(({ categories, tags }) => categories + tags > 0)
        .toSorted(
          (one, other) =>
            other.categories - one.categories ||
            other.tags - one.tags ||
            one.distance - other.distance ||
            (one.id < other.id ? -1 : 1),
        )
        .slice(0, limit)
        .map(({ id }) => id)
      expect(mostAlike(indexOf(listed), source, limit)).toEqual(expected)
    }),
    { numRuns: 150 },
  )
})
