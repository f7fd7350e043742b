import { constantFrom, integer, record, sample } from 'fast-check'
import { z } from 'zod'
import type { TestResponse } from './test-client.ts'

/**
 * One product that a merchant edits again and again, the other products of the shop, and what every address must show.
 */

export const SLUG = 'much-edited'
/** Words of the titles, unlike any other word in the shop. */
const WORDS = ['heron', 'kestrel', 'plover']
const CATEGORIES = ['shirts', 'coats']
const TAGS = ['linen', 'wool', 'loden']
const MAX_PRICE = 5000

interface Facts {
  priceMinor: number
  published: boolean
  category: string
  tag: string
  units: number
}

/** The data that a save sets: the product, and one line of the settings. */
export interface State extends Facts {
  word: string
  tagline: string
}

const OTHERS: Record<string, Facts> = {
  'plain-shirt': { priceMinor: 4000, published: true, category: 'shirts', tag: 'linen', units: 5 },
  'plain-coat': { priceMinor: 4500, published: true, category: 'coats', tag: 'wool', units: 0 },
  'plain-hat': { priceMinor: 3000, published: true, category: 'hats', tag: 'straw', units: 10 },
  'plain-bag': { priceMinor: 6000, published: true, category: 'bags', tag: 'canvas', units: 10 },
}
export const PARENTS: Record<string, string | null> = {
  clothes: null,
  shirts: 'clothes',
  coats: 'clothes',
  hats: null,
  bags: null,
}
const RAILS = ['shirts', 'coats', 'hats']
export const HOME = RAILS.map((category) => ({ type: 'product-rail', source: { category, limit: 12 } }))
/** The key under which the client finds a rail (docs/contract.md#bootstrap-and-rails). */
export const railKey = (category: string) =>
  JSON.stringify({ sort: 'featured', category, collection: null, tags: null, limit: 12 })

/**
 * The states of a product that is saved this many times, with the state before the first save; they are the same in
 * every run.
 */
export function seededStates(saves: number): State[] {
  const edits = sample(
    record({
      priceMinor: integer({ min: 1000, max: 9000 }),
      word: constantFrom(...WORDS),
      category: constantFrom(...CATEGORIES),
      tag: constantFrom(...TAGS),
      units: constantFrom(0, 1, 4, 40),
    }),
    { seed: 20_240_607, numRuns: saves },
  )
  const first: State = {
    priceMinor: 4200,
    published: true,
    category: 'shirts',
    tag: 'loden',
    units: 3,
    word: 'heron',
    tagline: 'Day 0',
  }
  const states = [first]
  for (const [index, edit] of edits.entries()) {
    const before = states.at(-1) ?? first
    states.push({ ...before, ...editOf(index, edit, before) })
  }
  return states
}

function editOf(index: number, edit: Pick<State, 'priceMinor' | 'word' | 'category' | 'tag' | 'units'>, before: State) {
  const { priceMinor, word, category, tag, units } = edit
  const rotation: Partial<State>[] = [{ priceMinor }, { word }, { published: false }, { category }, { tag }, { units }]
  return {
    // It is withdrawn for one save only, because nothing else is visible while it is.
    ...(before.published ? {} : { published: true }),
    ...rotation[index % rotation.length],
    ...(index % 10 === 9 ? { tagline: `Day ${index + 1}` } : {}),
  }
}

/** The body of an import that sets this state. */
export function importOf(state: State, before?: State) {
  return {
    mode: 'merge',
    products: [productInput(SLUG, titleOf(state), state)],
    ...(state.tagline === before?.tagline ? {} : { settings: { store: { tagline: state.tagline } } }),
  }
}

/** An import of another product of the shop, with the given changes. */
export function importOfOther(slug: string, change: Partial<Facts> = {}) {
  const facts = OTHERS[slug]
  if (!facts) throw new Error(`there is no ${slug} in the shop`)
  return { mode: 'merge', products: [productInput(slug, slug.replace('-', ' '), { ...facts, ...change })] }
}

export const importOfOthers = () => ({
  mode: 'merge',
  categories: Object.entries(PARENTS).map(([slug, parent]) => ({ slug, name: slug, parent })),
  collections: [{ slug: 'summer', title: 'Summer', products: ['plain-hat', 'plain-bag'] }],
  products: Object.keys(OTHERS).flatMap((slug) => importOfOther(slug).products),
})

const titleOf = ({ word }: State) => `A ${word} in the wind`

function productInput(slug: string, title: string, facts: Facts) {
  return {
    slug,
    title,
    price: { amount: facts.priceMinor, currency: 'USD' },
    published: facts.published,
    categories: [facts.category],
    tags: [facts.tag],
    options: [{ name: 'Size', values: ['M'] }],
    variants: [{ sku: `${slug}-M`, options: { Size: 'M' }, inventory: facts.units }],
  }
}

const Shown = z.object({
  slug: z.string(),
  title: z.string(),
  price: z.object({ amount: z.int() }),
  categories: z.array(z.string()),
  tags: z.array(z.string()),
  variants: z.tuple([z.object({ inventory: z.int(), available: z.boolean() })]),
})

function shownOf(state: State) {
  return {
    slug: SLUG,
    title: titleOf(state),
    price: { amount: state.priceMinor },
    categories: [state.category],
    tags: [state.tag],
    variants: [{ inventory: state.units, available: state.units > 0 }],
  }
}

/** An address of the shop, the part of its response that depends on the product, and its expected value. */
export interface View {
  address: string
  read: (response: TestResponse) => unknown
  expected: (state: State) => unknown
}

const List = z.object({
  items: z.array(z.looseObject({ slug: z.string() })),
  total: z.int(),
  facets: z.object({ tags: z.array(z.string()), priceRange: z.object({ min: z.int(), max: z.int() }) }),
})
const Counted = z.object({ slug: z.string(), count: z.int() })
const Tree = z.array(Counted.extend({ children: z.array(Counted).default([]) }))
const TreeList = z.object({ items: Tree })
const Bootstrap = z.object({
  storefront: z.object({ store: z.object({ tagline: z.string() }) }),
  categories: Tree,
  rails: z.record(z.string(), List.shape.items),
})

function listView(query: string, scope: string | undefined, fits: (facts: Facts, word?: string) => boolean): View {
  return {
    address: `/products?${query}`,
    read({ body }) {
      const { items, total, facets } = List.parse(body)
      return { total, facets, product: ours(items) }
    },
    expected(state) {
      const inScope = [...Object.values(OTHERS), state].filter(
        (facts) => facts.published && (scope === undefined || isIn(facts, scope)),
      )
      const prices = inScope.map((facts) => facts.priceMinor)
      const found = inScope.filter((facts) => fits(facts, facts === state ? state.word : undefined))
      return {
        total: found.length,
        facets: {
          tags: [...new Set(inScope.map((facts) => facts.tag))].toSorted(),
          priceRange: { min: Math.min(...prices), max: Math.max(...prices) },
        },
        product: found.includes(state) ? shownOf(state) : undefined,
      }
    },
  }
}

function ours(items: readonly { slug: string }[]) {
  const found = items.find((item) => item.slug === SLUG)
  return found && Shown.parse(found)
}

const isIn = (facts: Facts, category: string) => facts.category === category || PARENTS[facts.category] === category

function countsIn(roots: z.output<typeof Tree>): Record<string, number> {
  const all = roots.flatMap((root) => [root, ...root.children])
  return Object.fromEntries(all.map(({ slug, count }) => [slug, count]))
}

function expectedCounts(state: State): Record<string, number> {
  const published = [...Object.values(OTHERS), state].filter((facts) => facts.published)
  return Object.fromEntries(
    Object.keys(PARENTS).map((slug) => [slug, published.filter((facts) => isIn(facts, slug)).length]),
  )
}

/** This response has more sources than any other, and so is the most likely to mix states. */
export const FIRST_PAGE: View = {
  address: '/bootstrap',
  read({ body }) {
    const { storefront, categories, rails } = Bootstrap.parse(body)
    const inRail = RAILS.map((category) => [category, ours(rails[railKey(category)] ?? [])])
    return { tagline: storefront.store.tagline, counts: countsIn(categories), rails: Object.fromEntries(inRail) }
  },
  expected: (state) => ({
    tagline: state.tagline,
    counts: expectedCounts(state),
    rails: Object.fromEntries(
      RAILS.map((category) => [category, state.published && state.category === category ? shownOf(state) : undefined]),
    ),
  }),
}

export const VIEWS: readonly View[] = [
  {
    address: `/products/${SLUG}`,
    read: ({ status, body }) => (status === 404 ? 'not there' : Shown.parse(body)),
    expected: (state) => (state.published ? shownOf(state) : 'not there'),
  },
  ...['shirts', 'coats', 'clothes'].map((category) => listView(`category=${category}`, category, () => true)),
  listView('per_page=48', undefined, () => true),
  listView(`max_price=${MAX_PRICE}`, undefined, ({ priceMinor }) => priceMinor <= MAX_PRICE),
  listView('tags=loden,straw', undefined, ({ tag }) => tag === 'loden' || tag === 'straw'),
  listView('sizes=M&category=clothes', 'clothes', ({ units }) => units > 0),
  ...WORDS.map((word) => listView(`q=${word}`, undefined, (_facts, itsWord) => itsWord === word)),
  FIRST_PAGE,
  {
    address: '/categories',
    read: ({ body }) => countsIn(TreeList.parse(body).items),
    expected: expectedCounts,
  },
  {
    address: '/storefront',
    read: ({ body }) => z.object({ store: z.object({ tagline: z.string() }) }).parse(body).store.tagline,
    expected: ({ tagline }) => tagline,
  },
]
