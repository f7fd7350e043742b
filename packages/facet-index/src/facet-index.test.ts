import { array, assert, asyncProperty, constantFrom, integer, option, record, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { countBits, forEachBit, type Bits } from './bits.ts'
import { FacetIndex, type IndexChange } from './facet-index.ts'

interface Book {
  id: string
  title: string
  pages: number
  terms: readonly string[]
}

const TOPICS = ['topic:art', 'topic:war', 'topic:sea']
const TERMS = ['all', ...TOPICS, 'lent']

const createIndex = () =>
  new FacetIndex<Book, 'pages' | 'minusPages', 'shortest' | 'longest' | 'title', 'topics'>({
    idOf: ({ id }) => id,
    columns: { pages: ({ pages }) => pages, minusPages: ({ pages }) => -pages },
    orders: { shortest: ['pages'], longest: ['minusPages'], title: 'text' },
    textOf: ({ title }) => title,
    compareTexts: (one, other) => (one < other ? -1 : one > other ? 1 : 0),
    everything: 'all',
    facets: { topics: 'topic:' },
    facetColumn: 'pages',
    isApartFromFacets: (name) => name === 'lent',
  })

const book = record({
  title: constantFrom('Emma', 'Middlemarch', 'Persuasion'),
  pages: integer({ min: 1, max: 6 }),
  terms: uniqueArray(constantFrom(...TOPICS, 'lent')),
})
/** A shelf has few places, so that books are replaced and removed often. */
const change = record({ place: integer({ min: 0, max: 11 }), book: option(book, { freq: 4 }) })

const compareIds = (one: Book, other: Book) => (one.id < other.id ? -1 : 1)
const COMPARE = {
  shortest: (one: Book, other: Book) => one.pages - other.pages || compareIds(one, other),
  longest: (one: Book, other: Book) => other.pages - one.pages || compareIds(one, other),
  title: (one: Book, other: Book) =>
    one.title === other.title ? compareIds(one, other) : one.title < other.title ? -1 : 1,
}

test('filters, facets, orders and pages are those of a plain list, whatever is added, changed and removed', async () => {
  await assert(
    asyncProperty(array(array(change, { maxLength: 30 }), { maxLength: 4 }), async (rounds) => {
      const index = createIndex()
      index.learnTerms(TERMS.map((name, id) => ({ id, name })))
      const shelf = new Map<number, Book>()
      for (const [round, changes] of rounds.entries()) {
        const applied = changes.map(({ place, book: found }): IndexChange<Book> => {
          const before = shelf.get(place)?.terms ?? []
          const item = found && { ...found, id: `book_${place}`, terms: ['all', ...found.terms] }
          if (item) shelf.set(place, item)
          else shelf.delete(place)
          const numbersOf = (terms: readonly string[]) => terms.map((name) => TERMS.indexOf(name))
          return {
            ordinal: place,
            lost: numbersOf(before),
            gained: numbersOf(item?.terms ?? []),
            item: item ?? undefined,
          }
        })
        // The first ones as at a start, when nothing is sorted yet.
        if (round === 0) {
          index.load(applied)
          await index.sortAll()
        } else index.apply(applied)
        expectLike([...shelf.values()], index)
      }
    }),
    { numRuns: 150 },
  )
})

function expectLike(books: readonly Book[], index: ReturnType<typeof createIndex>): void {
  expect(index.count).toBe(books.length)
  const art = index.matching({ groups: [['topic:art', 'topic:war']], range: { order: 'shortest', least: 2, most: 4 } })
  const expected = books.filter(({ pages, terms }) => {
    return pages >= 2 && pages <= 4 && (terms.includes('topic:art') || terms.includes('topic:war'))
  })
  expect(idsOf(index, art).toSorted()).toEqual(expected.map(({ id }) => id).toSorted())
  expect(index.termsOf('topics').map(({ name, items }) => [name, items.countIn(art)])).toEqual(
    TOPICS.map((name) => [name.slice('topic:'.length), expected.filter(({ terms }) => terms.includes(name)).length]),
  )
  const everything = index.matching({ groups: [] })
  expect(countBits(everything)).toBe(books.length)
  for (const name of ['shortest', 'longest', 'title'] as const) {
    const sorted = books.toSorted(COMPARE[name]).map(({ id }) => id)
    const first = index.walk(name, everything, { after: undefined, offset: 0, limit: 3 })
    const last = first.at(-1)
    const after = last === undefined ? undefined : index.keyOf(name, last)
    const rest = after ? index.walk(name, everything, { after, offset: 1, limit: 20 }) : []
    expect(first.map((ordinal) => index.idOf(ordinal))).toEqual(sorted.slice(0, 3))
    expect(rest.map((ordinal) => index.idOf(ordinal))).toEqual(sorted.slice(first.length + 1))
  }
}

function idsOf(index: ReturnType<typeof createIndex>, bits: Bits): string[] {
  const ids: string[] = []
  forEachBit(bits, (ordinal) => ids.push(index.idOf(ordinal)))
  return ids
}

test('a change touches facets only when the shown number or a term that they count changes', () => {
  const index = createIndex()
  index.learnTerms(TERMS.map((name, id) => ({ id, name })))
  const item = { id: 'book_0', title: 'Emma', pages: 300, terms: ['all', 'topic:art'] }
  index.apply([{ ordinal: 0, lost: [], gained: [0, 1], item }])
  const touches = (lost: number[], gained: number[], now: Book | undefined) =>
    index.touchesFacets({ ordinal: 0, lost, gained, item: now })
  expect(touches([], [TERMS.indexOf('lent')], item)).toBe(false)
  expect(touches([], [TERMS.indexOf('topic:sea')], item)).toBe(true)
  expect(touches([], [], { ...item, pages: 301 })).toBe(true)
  expect(touches([], [], { ...item, title: 'Persuasion' })).toBe(false)
  expect(touches([0, 1], [], undefined)).toBe(true)
})
