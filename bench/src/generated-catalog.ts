import type { ImageInput, Money, ProductInput, VariantInput } from '@storefront/contracts'
import { CATEGORIES, COLLECTIONS, DEPARTMENTS, LEAVES, type Leaf } from './departments.ts'
import { between, distinct, pick, seeded, skewed, weighted, type Random } from './random.ts'
import { ADJECTIVES, COLORS, DETAILS, MATERIALS, SENTENCES, TAGS, type Color } from './vocabulary.ts'

const DAY_MS = 24 * 3600 * 1000
const CREATED_OVER_DAYS = 730
const SOLD_OUT_PRODUCTS = 0.03
/** Together with the products that are wholly sold out, 8 of 100 variants are. */
const SOLD_OUT_VARIANTS = 0.0515
const UNPUBLISHED = 0.015
const CHEAPEST_MINOR = 900
const DEAREST_MINOR = 60_000
const CENTS = [0, 0, 0, 50, 90, 95, 99]

type GeneratedProduct = Pick<
  ProductInput,
  'subtitle' | 'description' | 'details' | 'options' | 'swatches' | 'categories' | 'tags' | 'published' | 'position'
> & {
  slug: string
  title: string
  price: Money
  compareAtPrice: Money | null
  images: ImageInput[]
  variants: (VariantInput & { sku: string })[]
  createdAt: string
}

export interface GeneratedCatalog {
  count: number
  /** Any product by its number, without making those before it. */
  productAt(index: number): GeneratedProduct
  /** What stands in the title and in the address of a product: far cheaper than the whole. */
  titleAt(index: number): Title
  collectionsAt(index: number): string[]
  /** All products, `size` at a time: the whole would not fit in memory comfortably. */
  chunks(size: number): Generator<GeneratedProduct[]>
}

interface Title {
  title: string
  slug: string
  published: boolean
}

interface Words {
  adjective: string
  material: string
  garment: string
  colors: Color[]
  leaf: Leaf
}

export const chooseAdjective = skewed(ADJECTIVES, 0.95)
export const chooseMaterial = skewed(MATERIALS, 0.95)
export const chooseColor = skewed(COLORS, 0.8)
export const chooseTag = skewed(TAGS, 0.8)
export const chooseLeaf = weighted(LEAVES, ({ weight }) => weight)
const chooseGarment = new Map(LEAVES.map((leaf) => [leaf, skewed(leaf.garments)]))

export const generatedCategories = CATEGORIES.map(({ slug, name, parent }) => ({
  slug,
  name,
  parent,
  blurb: `${name}, made to be worn for years.`,
}))

export const generatedCollections = COLLECTIONS.map(({ slug, title }) => ({
  slug,
  title,
  blurb: `${title}: chosen by people who wear it.`,
}))

/** A believable apparel shop: the same seed and `now` always give the same products. */
export function generateCatalog({ seed, count, now }: { seed: string; count: number; now: Date }): GeneratedCatalog {
  const randomOf = (purpose: string, index: number) => seeded(`${seed} ${purpose} ${index}`)
  const wordsAt = (index: number) => wordsOf(randomOf('words', index))
  const titleAt = (index: number) => titleOf(index, wordsAt(index), randomOf('title', index))
  const productAt = (index: number) =>
    buildProduct(index, { title: titleAt(index), words: wordsAt(index) }, randomOf('facts', index), now)
  return {
    count,
    productAt,
    titleAt,
    collectionsAt(index) {
      const random = randomOf('collections', index)
      return COLLECTIONS.filter(({ share }) => random() < share).map(({ slug }) => slug)
    },
    *chunks(size) {
      for (let from = 0; from < count; from += size) {
        yield Array.from({ length: Math.min(size, count - from) }, (_, offset) => productAt(from + offset))
      }
    },
  }
}

function wordsOf(random: Random): Words {
  const leaf = chooseLeaf(random)
  return {
    leaf,
    garment: chooseGarment.get(leaf)?.(random) ?? leaf.name,
    adjective: chooseAdjective(random),
    material: chooseMaterial(random),
    colors: distinct(random, 2, chooseColor),
  }
}

function titleOf(index: number, { adjective, material, garment, colors }: Words, random: Random): Title {
  const words = [
    ...(random() < 0.8 ? [adjective] : []),
    ...(random() < 0.22 ? [colors[0]?.name ?? ''] : []),
    ...(random() < 0.75 ? [material] : []),
    ...garment.split(' '),
  ]
  const title = words.join(' ')
  return { title, slug: `${slugged(title)}-${index + 1}`, published: random() >= UNPUBLISHED }
}

function buildProduct(
  index: number,
  { title: { title, slug, published }, words }: { title: Title; words: Words },
  random: Random,
  now: Date,
): GeneratedProduct {
  const { leaf, colors } = words
  const department = DEPARTMENTS.find(({ leaves }) => leaves.includes(leaf))
  const price = priceOf(leaf, random)
  const sizes = sizesOf(leaf, random)
  const isSoldOut = random() < SOLD_OUT_PRODUCTS
  const second = random() < 0.25 ? pick(random, department?.leaves ?? [leaf]) : leaf
  return {
    slug,
    title,
    subtitle: `${words.material} ${words.garment.toLowerCase()}, ${pick(random, TAGS).replaceAll('-', ' ')}`,
    description: descriptionOf(words, random),
    details: distinct(random, between(random, 2, 5), (random) => pick(random, DETAILS)),
    price: usd(price),
    compareAtPrice: random() < 0.2 ? usd(Math.round(price / (1 - 0.03 - random() * 0.47))) : null,
    images: imagesOf(slug, words, random),
    options: [
      { name: 'Color', values: colors.map(({ name }) => name) },
      { name: 'Size', values: sizes },
    ],
    swatches: Object.fromEntries(colors.map(({ name, hex }) => [name, hex])),
    variants: colors.flatMap(({ name, code }) =>
      sizes.map((size) => ({
        sku: [department?.code, String(index + 1).padStart(6, '0'), code, skuPart(size)].join('-'),
        options: { Color: name, Size: size },
        inventory: isSoldOut || random() < SOLD_OUT_VARIANTS ? 0 : Math.ceil(60 * random() ** 2) || 1,
      })),
    ),
    categories: [...new Set([leaf.slug, second.slug])],
    tags: distinct(random, between(random, 2, 5), chooseTag),
    published,
    createdAt: new Date(now.getTime() - Math.floor(random() * CREATED_OVER_DAYS * DAY_MS)).toISOString(),
    position: null,
  }
}

const usd = (amount: number): Money => ({ amount, currency: 'USD' })

/** Around what the category usually costs: many a little less, few a lot more. */
function priceOf({ typicalPrice }: Leaf, random: Random): number {
  const spread = Math.exp(0.9 * (random() + random() + random() - 1.5))
  const minor = Math.floor(typicalPrice * spread) * 100 + pick(random, CENTS)
  return Math.min(DEAREST_MINOR, Math.max(CHEAPEST_MINOR, minor))
}

/** Three neighbors, mostly from the middle of the scale. */
function sizesOf({ sizes }: Leaf, random: Random): string[] {
  const from = Math.floor(((random() + random()) / 2) * (sizes.length - 2))
  return sizes.slice(from, from + 3)
}

function descriptionOf({ adjective, material, garment, colors }: Words, random: Random): string {
  const words: Record<string, string> = {
    adjective: adjective.toLowerCase(),
    material: material.toLowerCase(),
    garment: garment.toLowerCase(),
    color: colors[0]?.name.toLowerCase() ?? '',
  }
  return distinct(random, between(random, 2, 4), (random) => pick(random, SENTENCES))
    .join(' ')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '')
}

function imagesOf(slug: string, { colors, garment }: Words, random: Random): ImageInput[] {
  const folder = random() < 0.5 ? '/media/catalog' : 'https://images.example.com/catalog'
  const ofColors = colors.map(({ name, code }) => ({
    url: `${folder}/${slug}-${code.toLowerCase()}.jpg`,
    alt: `${garment} in ${name.toLowerCase()}`,
    width: 1200,
    height: 1500,
    color: name,
  }))
  const detail = { url: `${folder}/${slug}-detail.jpg`, width: 1200, height: 1500 }
  return random() < 0.5 ? ofColors : [...ofColors, detail]
}

function slugged(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

function skuPart(size: string): string {
  return size.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '')
}
