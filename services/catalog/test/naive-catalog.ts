import {
  array,
  boolean,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
  sample,
  subarray,
  type Arbitrary,
} from 'fast-check'
import type { App } from '@storefront/http'
import type { Messaging } from '@storefront/messaging'
import {
  ImportBody,
  OrderPlaced,
  ProductList,
  type Facets,
  type Product,
  type ProductInput,
  type ProductSort,
} from '@storefront/contracts'
import { expect } from 'vitest'
import { usd } from './catalog.ts'
import { hold, placedOrder, publishEvent } from './orders.ts'

/** A catalog as it was imported, with the sales of each variant since. */
export interface Shop {
  body: ImportBody
  unitsSold: Map<string, number>
}

export interface Filters {
  category?: string
  collection?: string
  sizes?: string[]
  colors?: string[]
  tags?: string[]
  min_price?: number
  max_price?: number
  in_stock?: string
  sort?: ProductSort
}

export const CATEGORIES = [
  { slug: 'women', name: 'Women' },
  { slug: 'women-tops', name: 'Tops', parent: 'women' },
  { slug: 'women-shirts', name: 'Shirts', parent: 'women-tops' },
  { slug: 'women-knits', name: 'Knits', parent: 'women-tops' },
  { slug: 'women-skirts', name: 'Skirts', parent: 'women' },
  { slug: 'men', name: 'Men' },
  { slug: 'men-tops', name: 'Tops', parent: 'men' },
  { slug: 'men-shirts', name: 'Shirts', parent: 'men-tops' },
  { slug: 'extras', name: 'Extras' },
]
const DESERTED = { slug: 'deserted', name: 'Deserted', parent: 'extras' }
const SLUGS = CATEGORIES.map(({ slug }) => slug)
const COLLECTIONS = ['summer', 'gifts', 'small']
/** In garment order: letters, numbers, others. */
const SIZES = ['XXS', 'S', 'M', 'XL', 'XXXL', '6', '28', '32.5', '100', 'One Size', 'Petite']
const COLORS: Record<string, string> = {
  Black: '#000000',
  'Café au lait': '#b08d6e',
  Navy: '#001f3f',
  'Red & White': '#ff0000',
  Ω: '#123456',
}
const TAGS = ['cotton', 'eco', 'linen', 'new in', 'wool']

/** Prefixes of ids whose order by code unit differs from that of a dictionary, to find errors in cursors. */
const ID_STARTS = ['prod_', 'PROD_', 'Prod-', 'é_', '_', '~', 'a|b,', '"q"', "o'", 'b\\', 'p q', '0', '[1,']

const maybe = <Value>(value: Arbitrary<Value>, of = 2) =>
  nat(of - 1).chain((roll) => (roll === 0 ? value : constant(undefined)))

const wish = record({
  idStart: constantFrom(...ID_STARTS),
  words: array(constantFrom('Linen', 'Café', 'Robe d’été', '🧥', 'Shirt', 'Ångström', '衬衫', 'ﬁne'), { minLength: 1 }),
  price: constantFrom(undefined, 0, 1999, 2500, 2500, 4000, 9900),
  compareAt: constantFrom(null, null, 2500, 5000),
  categories: oneof(constantFrom(['women-shirts'], ['men-shirts'], ['women']), subarray(SLUGS, { maxLength: 3 })),
  collections: subarray(COLLECTIONS, { maxLength: 2 }),
  tags: subarray(TAGS, { maxLength: 3 }),
  published: nat(9).map((roll) => roll > 0),
  position: maybe(constantFrom(-1, 0, 1, 1, 2, 50), 3),
  day: integer({ min: 1, max: 12 }),
  images: nat(3),
  sizeName: constantFrom(undefined, 'Size', 'Size', 'size', 'SIZE'),
  colorName: constantFrom(undefined, 'Color', 'Colour', 'colour', 'COLOR'),
  otherName: constantFrom(undefined, undefined, 'Sizes', 'Shoe size', 'constructor', 'Coloring'),
  variants: array(
    record({
      size: constantFrom(...SIZES),
      color: constantFrom(...Object.keys(COLORS)),
      other: constantFrom('S', 'M', 'Black'),
      incomplete: nat(9).map((roll) => roll === 0),
      inventory: constantFrom(0, 0, 0, 1, 5, 9),
      price: maybe(constantFrom(1500, 4000, 7000), 4),
    }),
    { maxLength: 6 },
  ),
  ratings: array(constantFrom(3, 4, 4, 5, 1), { maxLength: 4 }),
  rated: boolean(),
})

/** A catalog full of ties, odd spellings and gaps; the same for the same seed. */
export function randomShop(seed: number, size: number): Shop {
  const wishes = sample(wish, { seed, numRuns: size })
  const products = wishes.map(({ idStart, ...wanted }, index) => {
    const variants = new Map<string, object>()
    const options = new Map<string, Set<string>>()
    for (const { size, color, other, incomplete, inventory, price } of wanted.variants) {
      const chosen: Record<string, string> = {}
      if (wanted.sizeName !== undefined && !incomplete) chosen[wanted.sizeName] = size
      if (wanted.colorName !== undefined) chosen[wanted.colorName] = color
      if (wanted.otherName !== undefined) chosen[wanted.otherName] = other
      const key = JSON.stringify(chosen)
      if (variants.has(key)) continue
      for (const [name, value] of Object.entries(chosen)) {
        options.set(name, (options.get(name) ?? new Set()).add(value))
      }
      const id = `var_${index}_${variants.size}`
      variants.set(key, {
        id,
        sku: id.toUpperCase(),
        options: chosen,
        inventory,
        ...(price === undefined ? {} : { price: usd(price), compareAtPrice: usd(6000) }),
      })
    }
    const priced = wanted.variants.some(({ price }) => price !== undefined) && wanted.price === undefined
    const anyPriced = [...variants.values()].some((variant) => 'price' in variant)
    return {
      id: `${idStart}${index}`,
      slug: `p-${index}`,
      title: wanted.words.join(' '),
      ...(priced && anyPriced ? {} : { price: usd(wanted.price ?? 2500) }),
      compareAtPrice: wanted.compareAt === null ? null : usd(wanted.compareAt),
      images: Array.from({ length: wanted.images }, (_, image) => ({ url: `/media/${index}-${image}.svg` })),
      options: [...options].map(([name, values]) => ({ name, values: [...values] })),
      swatches: COLORS,
      variants: [...variants.values()],
      categories: wanted.categories,
      tags: wanted.tags,
      published: wanted.published,
      ...(wanted.position === undefined ? {} : { position: wanted.position }),
      createdAt: `2024-${String(wanted.day).padStart(2, '0')}-01T09:30:00.000Z`,
    }
  })
  const slugsWhere = (test: (wanted: (typeof wishes)[number]) => boolean) =>
    products.filter((_, index) => wishes.slice(index, index + 1).some(test)).map(({ slug }) => slug)
  const body = ImportBody.parse({
    mode: 'merge',
    // Children before their parents, as an import may have them.
    categories: [DESERTED, ...CATEGORIES.toReversed()],
    collections: [
      ...COLLECTIONS.map((slug) => ({
        slug,
        title: slug,
        products: slugsWhere(({ collections }) => collections.includes(slug)).slice(
          0,
          slug === 'small' ? 7 : undefined,
        ),
      })),
      { slug: 'hollow', title: 'Hollow', products: [] },
    ],
    products,
    reviews: wishes.flatMap(({ rated, ratings }, index) =>
      rated
        ? ratings.map((rating, nth) => ({ product: `p-${index}`, author: `Reader ${nth}`, rating, body: 'Worn it.' }))
        : [],
    ),
  })
  return { body, unitsSold: new Map() }
}

export const filters: Arbitrary<Filters> = record(
  {
    category: constantFrom(...SLUGS, 'deserted'),
    collection: constantFrom(...COLLECTIONS, 'hollow'),
    sizes: subarray(SIZES, { minLength: 1 }),
    colors: subarray(Object.keys(COLORS), { minLength: 1 }),
    tags: subarray(TAGS, { minLength: 1 }),
    min_price: constantFrom(0, 1, 1500, 2500, 2501),
    max_price: constantFrom(0, 1999, 2500, 4000, 10_000),
    in_stock: constantFrom('1', 'true'),
    sort: constantFrom<ProductSort>('featured', 'newest', 'price-asc', 'price-desc', 'rating', 'name'),
  },
  { requiredKeys: [] },
)

// A literal implementation of the rules of lists (docs/contract.md).

function roleOf(optionName: string): 'size' | 'color' | undefined {
  const name = optionName.toLowerCase()
  if (name === 'size') return 'size'
  return name === 'color' || name === 'colour' ? 'color' : undefined
}

type VariantRow = ProductInput['variants'][number]

const valuesOf = (variant: VariantRow, role: 'size' | 'color') =>
  Object.entries(variant.options).flatMap(([name, value]) => (roleOf(name) === role ? [value] : []))

const overlap = (some: readonly string[], others: readonly string[]) => some.some((value) => others.includes(value))

const isAvailable = (shop: Shop, variant: VariantRow) =>
  (variant.inventory ?? 0) - (shop.unitsSold.get(variant.id ?? '') ?? 0) > 0

export const priceOf = (product: ProductInput) =>
  product.price?.amount ?? Math.min(...product.variants.flatMap(({ price }) => (price ? [price.amount] : [])))

const averageOf = (ratings: number[]) =>
  ratings.length === 0 ? 0 : ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length

export const soldOf = (shop: Shop, product: ProductInput) =>
  product.variants.reduce((sum, { id }) => sum + (shop.unitsSold.get(id ?? '') ?? 0), 0)

function withDescendants(shop: Shop, slug: string): string[] {
  const children = shop.body.categories.filter(({ parent }) => parent === slug)
  return [slug, ...children.flatMap((child) => withDescendants(shop, child.slug))]
}

function productsInScope(shop: Shop, { category, collection }: Filters): ProductInput[] {
  const categories = category === undefined ? undefined : withDescendants(shop, category)
  const listed = new Set(shop.body.collections.find(({ slug }) => slug === collection)?.products)
  return shop.body.products.filter(
    (product) =>
      product.published &&
      (categories === undefined || overlap(product.categories, categories)) &&
      (collection === undefined || (product.slug !== undefined && listed.has(product.slug))),
  )
}

function passes(shop: Shop, wanted: Filters, product: ProductInput): boolean {
  const { sizes, colors, tags, min_price = 0, max_price = Infinity } = wanted
  const ofColor = product.variants.filter((variant) => !colors || overlap(valuesOf(variant, 'color'), colors))
  if (colors && ofColor.length === 0) return false
  if (sizes && !ofColor.some((each) => isAvailable(shop, each) && overlap(valuesOf(each, 'size'), sizes))) return false
  if (wanted.in_stock !== undefined && !product.variants.some((variant) => isAvailable(shop, variant))) return false
  if (tags && !overlap(product.tags, tags)) return false
  return priceOf(product) >= min_price && priceOf(product) <= max_price
}

/** The places of the titles in the alphabet; titles that compare as equal share one. */
function placesOfTitles(shop: Shop): Map<string, number> {
  const alphabet = new Intl.Collator('en')
  const titles = shop.body.products.map(({ title }) => title).toSorted((one, other) => alphabet.compare(one, other))
  const places = new Map<string, number>()
  for (const [index, title] of titles.entries()) {
    const previous = titles[index - 1]
    const isEqual = previous !== undefined && alphabet.compare(previous, title) === 0
    places.set(title, (isEqual ? places.get(previous) : undefined) ?? index)
  }
  return places
}

/** The products that a list must return, in their order. */
export function naiveList(shop: Shop, wanted: Filters): ProductInput[] {
  const byId = (product: ProductInput) => product.id ?? ''
  const newest = (product: ProductInput) => -Date.parse(product.createdAt ?? '')
  const reviews = Map.groupBy(shop.body.reviews, ({ product }) => product)
  const ratingsOf = ({ slug = '' }: ProductInput) => (reviews.get(slug) ?? []).map(({ rating }) => rating)
  const count = (product: ProductInput) => -ratingsOf(product).length
  const places = wanted.sort === 'name' ? placesOfTitles(shop) : new Map<string, number>()
  const keys: Record<ProductSort, ((product: ProductInput) => number | string)[]> = {
    featured: [(product) => product.position ?? Infinity, (product) => -soldOf(shop, product), count, newest, byId],
    newest: [newest, byId],
    'price-asc': [priceOf, byId],
    'price-desc': [(product) => -priceOf(product), byId],
    rating: [(product) => -averageOf(ratingsOf(product)), count, byId],
    name: [({ title }) => places.get(title) ?? -1, byId],
  }
  return productsInScope(shop, wanted)
    .filter((product) => passes(shop, wanted, product))
    .map((product) => ({ product, key: keys[wanted.sort ?? 'featured'].map((part) => part(product)) }))
    .toSorted((one, other) => {
      for (const [place, value] of one.key.entries()) {
        const against = other.key[place] ?? value
        if (value !== against) return value < against ? -1 : 1
      }
      return 0
    })
    .map(({ product }) => product)
}

/** Facets of all published products in a category, a collection or the shop; colors by name. */
export function naiveFacets(shop: Shop, scope: Pick<Filters, 'category' | 'collection'>): Facets {
  const products = productsInScope(shop, scope)
  const variants = products.flatMap((product) => product.variants)
  const sizes = new Set(variants.flatMap((variant) => valuesOf(variant, 'size')))
  const colors = new Set(variants.flatMap((variant) => valuesOf(variant, 'color')))
  const prices = products.map(priceOf)
  return {
    sizes: SIZES.filter((size) => sizes.has(size)),
    colors: Object.entries(COLORS).flatMap(([name, hex]) => (colors.has(name) ? [{ name, hex }] : [])),
    tags: TAGS.filter((tag) => products.some(({ tags }) => tags.includes(tag))),
    priceRange: prices.length === 0 ? { min: 0, max: 0 } : { min: Math.min(...prices), max: Math.max(...prices) },
  }
}

/** Sorted by name, because docs/contract.md does not define the order of the colors. */
export const colorsByName = ({ colors, ...facets }: Facets): Facets => ({
  ...facets,
  colors: colors.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
})

export type Query = Record<string, string | number | string[] | undefined>

/** A query string as the client writes it: lists are joined by commas. */
export function queryString(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return parameters.toString()
}

export async function request(app: App, query: Query | string) {
  const text = typeof query === 'string' ? query : queryString(query)
  const response = await app.inject({ url: `/products?${text}` })
  return { status: response.statusCode, text: response.payload }
}

const isMoney = ({ amount, currency }: Product['price']) => Number.isInteger(amount) && typeof currency === 'string'

/** Reads one page and validates it as the client does: one invalid item breaks the whole list. */
export async function readPage(app: App, query: Query): Promise<ProductList> {
  const { status, text } = await request(app, query)
  if (status !== 200) throw new Error(`${queryString(query)} has the status ${status}: ${text.slice(0, 500)}`)
  const list = ProductList.parse(JSON.parse(text))
  for (const item of list.items) {
    const isValid = item.id !== '' && item.slug !== '' && item.title !== '' && isMoney(item.price)
    if (!isValid || item.images.length === 0 || item.variants.length === 0) {
      throw new Error(`the client rejects ${JSON.stringify(item)}`)
    }
  }
  return list
}

/** All pages by their number. */
export async function pagesByNumber(app: App, query: Query, perPage: number): Promise<ProductList[]> {
  const pages = [await readPage(app, { ...query, page: 1, per_page: perPage })]
  for (let page = 2; (page - 1) * perPage < (pages[0]?.total ?? 0); page++) {
    pages.push(await readPage(app, { ...query, page, per_page: perPage }))
  }
  return pages
}

/** All pages, each by the cursor of the previous one. */
export async function pagesByCursor(app: App, query: Query, perPage: number): Promise<ProductList[]> {
  const pages = [await readPage(app, { ...query, per_page: perPage })]
  for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    pages.push(await readPage(app, { ...query, per_page: perPage, cursor }))
    if (pages.length > 1000) throw new Error(`the cursor of ${queryString(query)} never ends`)
  }
  return pages
}

export const idsOf = (pages: ProductList[]) => pages.flatMap(({ items }) => items.map(({ id }) => id))

/** Expects that both kinds of pages return every item once, in one order, and report the same positions. */
export async function expectSamePages(app: App, query: Query, perPage: number): Promise<string[]> {
  const byNumber = await pagesByNumber(app, query, perPage)
  const byCursor = await pagesByCursor(app, query, perPage)
  const total = byNumber[0]?.total ?? -1
  const what = `${queryString(query)} in pages of ${perPage}`
  for (const pages of [byNumber, byCursor]) {
    for (const [index, { page, nextCursor, items, ...rest }] of pages.entries()) {
      const left = total - index * perPage
      expect({ page, total: rest.total, perPage: rest.perPage, items: items.length }, what).toEqual({
        page: index + 1,
        total,
        perPage,
        items: Math.min(perPage, left),
      })
      expect(nextCursor !== undefined, `${what}: page ${page} has a next cursor`).toBe(left > perPage)
    }
  }
  expect(idsOf(byCursor), what).toEqual(idsOf(byNumber))
  return idsOf(byNumber)
}

/** Sells as orders does: holds the goods, then publishes that the order was placed. */
export async function sell(orders: Messaging, variantId: string, quantity: number): Promise<void> {
  await publishEvent(orders, OrderPlaced, placedOrder({ reservation: await hold(orders, variantId, quantity) }))
}
