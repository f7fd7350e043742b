import { COLLECTIONS, DEPARTMENTS, LEAVES, MIDDLES, type Leaf } from './departments.ts'
import {
  chooseAdjective,
  chooseColor,
  chooseLeaf,
  chooseMaterial,
  chooseTag,
  type GeneratedCatalog,
} from './generated-catalog.ts'
import { between, distinct, pick, weighted, type Random } from './random.ts'

type Parameters = Record<string, string | number>

export const SORTS = ['featured', 'newest', 'price-asc', 'price-desc', 'rating'] as const

const PER_PAGE = [12, 24, 48]
const DEFAULT_SORT = SORTS[0]
const chooseSort = weighted(
  SORTS,
  (sort) => ({ featured: 55, newest: 15, 'price-asc': 15, 'price-desc': 7, rating: 8 })[sort],
)
const BROAD_CATEGORIES = [...DEPARTMENTS, ...MIDDLES].map(({ slug }) => slug)
const ALL_SIZES = [...new Set(LEAVES.flatMap(({ sizes }) => sizes))]

export function listPath(parameters: Parameters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) query.set(name, String(value))
  return `/products?${query.toString()}`
}

/** As shoppers narrow a category down: one to three filters, any sort, mostly the first pages. */
export function filteredList(random: Random): string {
  const leaf = chooseLeaf(random)
  const category = random() < 0.65 ? leaf.slug : pick(random, [leaf.parent, pick(random, BROAD_CATEGORIES)])
  const filters = distinct(random, between(random, 1, 3), (random) => pick(random, FILTERS))
  return listPath({
    category,
    ...Object.assign({}, ...filters.map((filter) => filter(random, leaf))),
    ...page(random, 4),
    ...sort(random),
  })
}

/** One filter over the whole shop. */
export function broadFilter(random: Random): string {
  const filter = pick(random, [
    { colors: chooseColor(random).name },
    { sizes: pick(random, ALL_SIZES) },
    { in_stock: 1 },
  ])
  return listPath({ ...filter, ...page(random, 20), ...sort(random) })
}

/** The smallest list of a category or collection: most of its work is the total and the facets. */
export function facetsOnly(random: Random): string {
  const scope =
    random() < 0.2
      ? { collection: pick(random, COLLECTIONS).slug }
      : { category: random() < 0.75 ? pick(random, LEAVES).slug : pick(random, BROAD_CATEGORIES) }
  return listPath({ ...scope, per_page: 1, page: between(random, 1, 50), ...sort(random) })
}

/** One to three words, as they are typed: while typing, misspelled now and then, sometimes a SKU from a label. */
export function search(random: Random, catalog: GeneratedCatalog): string {
  if (random() < 0.03) return listPath({ q: skuOf(random, catalog) })
  const words = wordsFor(random, catalog)
  const last = words.at(-1) ?? ''
  if (random() < 1 / 3 && last.length > 3) words[words.length - 1] = last.slice(0, between(random, 3, last.length - 1))
  else if (random() < 0.08) words[0] = misspell(random, words[0] ?? '')
  return listPath({
    q: words.join(' '),
    ...(random() < 0.1 ? pick(random, FILTERS)(random, chooseLeaf(random)) : {}),
    ...page(random, 2),
  })
}

/**
 * What a shopper has typed so far: one or two words, the last of them from its first letter on, misspelled now and
 * then.
 */
export function suggest(random: Random, catalog: GeneratedCatalog): string {
  const words = wordsFor(random, catalog).slice(0, 2)
  const last = words.pop() ?? ''
  const typed = random() < 0.08 ? misspell(random, last) : last.slice(0, between(random, 1, last.length))
  return `/search/suggest?${new URLSearchParams({ q: [...words, typed].join(' ') }).toString()}`
}

type Filter = (random: Random, leaf: Leaf) => Parameters

const FILTERS: readonly Filter[] = [
  (random) => ({ colors: distinct(random, between(random, 1, 2), (random) => chooseColor(random).name).join(',') }),
  (random, { sizes }) => ({
    sizes: distinct(random, between(random, 1, 2), (random) => pick(random, sizes)).join(','),
  }),
  priceRange,
  () => ({ in_stock: 1 }),
  (random) => (random() < 0.3 ? { tags: chooseTag(random) } : { in_stock: 1 }),
]

function priceRange(random: Random, { typicalPrice }: Leaf): Parameters {
  const from = Math.floor(typicalPrice * (0.4 + random()))
  const kind = random()
  return {
    ...(kind < 0.75 ? { min_price: from * 100 } : {}),
    ...(kind > 0.25 ? { max_price: Math.floor(from * (1.2 + random())) * 100 } : {}),
  }
}

function page(random: Random, most: number): Parameters {
  const number = random() < 0.75 ? 1 : between(random, 2, most)
  return { per_page: pick(random, PER_PAGE), ...(number === 1 ? {} : { page: number }) }
}

function sort(random: Random): Parameters {
  const chosen = chooseSort(random)
  return chosen === DEFAULT_SORT ? {} : { sort: chosen }
}

/** Mostly words that stand together in some title; otherwise whatever comes to mind, which may find nothing. */
function wordsFor(random: Random, catalog: GeneratedCatalog): string[] {
  const phrase =
    random() < 0.7
      ? catalog.titleAt(between(random, 0, catalog.count - 1)).title
      : [chooseAdjective(random), chooseMaterial(random), pick(random, chooseLeaf(random).garments)].join(' ')
  const words = phrase.toLowerCase().split(' ')
  const count = Math.min(words.length, between(random, 1, 3))
  const from = between(random, 0, words.length - count)
  return words.slice(from, from + count)
}

/** Swaps two neighboring letters. */
function misspell(random: Random, word: string): string {
  if (word.length < 5) return word
  const at = between(random, 1, word.length - 3)
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)
}

function skuOf(random: Random, catalog: GeneratedCatalog): string {
  return pick(random, catalog.productAt(between(random, 0, catalog.count - 1)).variants).sku
}
