import { z } from 'zod'
import { Money, Price } from '../money.ts'
import { declareReadOnly } from '../read-only-fields.ts'
import { Slug, Timestamp } from './common.ts'
import { Icon } from './vocabulary.ts'

export const BADGES = ['new', 'sale', 'bestseller', 'low-stock', 'sold-out'] as const
export const Badge = z.enum(BADGES)
export type Badge = z.output<typeof Badge>

export const Image = z
  .object({
    id: z.string().min(1),
    url: z.string().min(1),
    alt: z.string().min(1),
    width: z.int().positive(),
    height: z.int().positive(),
    color: z.string().optional(),
  })
  .meta({ id: 'Image' })
export type Image = z.output<typeof Image>

export const ProductOption = z.object({ name: z.string().min(1), values: z.array(z.string()) })
export type ProductOption = z.output<typeof ProductOption>

/**
 * Puts the chosen values of a variant in the order of its product's options: stored as JSON they come back in another one.
 * @param options chosen values by the names of the options
 * @param names of the product's options, in their order
 * @returns the same values: first those of the names, then any others as they came
 */
export function inOptionOrder(
  options: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  const places = new Map(names.map((each, place) => [each, place]))
  const placeOf = ([each]: [string, string]) => places.get(each) ?? names.length
  return Object.fromEntries(Object.entries(options).toSorted((one, other) => placeOf(one) - placeOf(other)))
}

export const Variant = z
  .object({
    id: z.string().min(1),
    sku: z.string(),
    options: z.record(z.string(), z.string()),
    price: Money,
    compareAtPrice: Money.nullable(),
    inventory: z.int().nonnegative(),
    available: z.boolean(),
    /** The image for it where none carries its colour: always one of the product's. */
    imageId: z.string().min(1),
  })
  .meta({ id: 'Variant' })
export type Variant = z.output<typeof Variant>

export const FitFeedback = z.object({ small: z.int(), true: z.int(), large: z.int() })

export const Fit = z
  .object({
    verdict: z.enum(['true-to-size', 'runs-small', 'runs-large']).nullable().optional(),
    feedback: FitFeedback.optional(),
    sample: z.int().nonnegative().optional(),
    note: z.string().optional(),
    model: z.object({ height: z.int(), size: z.string(), label: z.string().optional() }).optional(),
  })
  .meta({ id: 'Fit' })

/** What a garment is made of, as a merchant writes it: every part may be left out. */
export const FabricInput = z.object({
  composition: z.array(z.tuple([z.string(), z.number()])).optional(),
  weight: z.number().optional(),
  weave: z.string().optional(),
  origin: z.string().optional(),
  certifications: z.array(z.string()).optional(),
})

/** The same as everybody reads it: the client goes through `composition` without looking whether it is there. */
export const Fabric = FabricInput.extend({ composition: z.array(z.tuple([z.string(), z.number()])) }).meta({
  id: 'Fabric',
})

export const SizeChart = z
  .object({
    id: z.string().min(1).max(200),
    unit: z.string(),
    note: z.string().default(''),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.union([z.string(), z.number()]))),
  })
  .meta({ id: 'SizeChart' })
export type SizeChart = z.output<typeof SizeChart>

const Feature = z.object({ icon: z.string(), title: z.string(), body: z.string() })
const Assurance = z.object({ icon: z.string(), label: z.string(), note: z.string().optional() })

export const Enrichment = z
  .object({
    highlights: z.array(z.object({ key: z.string(), value: z.string() })).optional(),
    features: z.array(Feature).optional(),
    assurances: z.array(Assurance).optional(),
    maker: z.object({ name: z.string(), location: z.string() }).optional(),
    specs: z.record(z.string(), z.string()).optional(),
    manufacturer: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'Enrichment' })

export const Social = z.object({
  unitsAvailable: z.int().nonnegative(),
  boughtLast30Days: z.int().nonnegative(),
  savedCount: z.int().nonnegative(),
})

/** A product as a shopper reads it. The client refuses a whole listing for one item that does not fit. */
export const Product = z
  .object({
    id: z.string().min(1),
    slug: z.string().min(1),
    title: z.string().min(1),
    subtitle: z.string(),
    description: z.string(),
    details: z.array(z.string()),
    care: z.array(z.string()),
    price: Money,
    compareAtPrice: Money.nullable(),
    images: z.array(Image).min(1),
    options: z.array(ProductOption),
    swatches: z.record(z.string(), z.string()),
    variants: z.array(Variant).min(1),
    categories: z.array(z.string()),
    tags: z.array(z.string()),
    rating: z.object({ average: z.number(), count: z.int().nonnegative() }),
    badges: z.array(Badge),
    published: z.boolean(),
    createdAt: Timestamp,
    fit: Fit.optional(),
    fabric: Fabric.optional(),
    sizeChartId: z.string().optional(),
    sizeChart: SizeChart.optional(),
    social: Social.optional(),
    enrichment: Enrichment.optional(),
  })
  .meta({ id: 'Product' })
export type Product = z.output<typeof Product>

export const PRODUCT_SORTS = ['featured', 'newest', 'price-asc', 'price-desc', 'rating', 'name'] as const
export const ProductSort = z.enum(PRODUCT_SORTS)
export type ProductSort = z.output<typeof ProductSort>

export const Facets = z
  .object({
    sizes: z.array(z.string()),
    colors: z.array(z.object({ name: z.string(), hex: z.string() })),
    tags: z.array(z.string()),
    priceRange: z.object({ min: z.int().nonnegative(), max: z.int().nonnegative() }),
  })
  .meta({ id: 'Facets' })
export type Facets = z.output<typeof Facets>

export const ProductList = z
  .object({
    items: z.array(Product),
    total: z.int().nonnegative(),
    page: z.int().positive(),
    perPage: z.int().positive(),
    nextCursor: z.string().optional(),
    facets: Facets,
  })
  .meta({ id: 'ProductList' })
export type ProductList = z.output<typeof ProductList>

const text = (max: number) => z.string().max(max)

/** Shoppers choose and filter by these: white space around them would make two of one. */
const name = text(100).trim().regex(/\S/, 'must not be blank')

export const HexColor = z
  .string()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i, 'must be a colour like #rgb, #rrggbb or #rrggbbaa')

/** A variant as a merchant writes it. `price` left out: the product's. `price: null`: drop the override. */
export const VariantInput = z.object({
  id: z.string().min(1).max(200).optional(),
  sku: text(100).min(1).optional(),
  options: z.record(name, name).default({}),
  price: Price.nullable().optional(),
  /** The price is the variant's own, even if the product's is the same and the two only happen to agree. */
  priceOverride: z.boolean().optional(),
  compareAtPrice: Price.nullable().optional(),
  inventory: z.int().nonnegative().max(1_000_000_000).optional(),
  imageId: text(200).nullish(),
})
export type VariantInput = z.output<typeof VariantInput>

/** The blocks of a product as a merchant writes them. */
export const EnrichmentInput = Enrichment.extend({
  features: z.array(Feature.extend({ icon: Icon })).optional(),
  assurances: z.array(Assurance.extend({ icon: Icon })).optional(),
})

const pixels = z.int().positive().max(100_000).nullish()

/**
 * An image as a merchant writes it. `alt` left out becomes the product's title; blank is rejected. A width or a height of
 * null is not known to the merchant. `type` and `duration` are what an uploaded picture has, and are not stored.
 */
export const ImageInput = z.object({
  id: z.string().min(1).max(200).optional(),
  url: text(2000).regex(/^(https?:\/\/|\/)\S+$/, 'must be an http(s) address or a path on this server'),
  alt: text(500).regex(/\S/, 'must not be blank').optional(),
  width: pixels,
  height: pixels,
  color: text(100).trim().nullish(),
  type: z.literal('image', { error: 'must be "image": a product shows pictures, no other media' }).optional(),
  duration: z.null({ error: 'must be null: a picture has no duration' }).optional(),
})
export type ImageInput = z.output<typeof ImageInput>

/** The most that a product may have. */
export const MAX_VARIANTS = 1000

/** A whole product as import and the admin routes take it; derived fields are not among the keys and fall away. */
export const ProductInput = z.object({
  id: z.string().min(1).max(200).optional(),
  slug: Slug.optional(),
  title: text(300).regex(/\S/, 'must not be blank'),
  subtitle: text(500).default(''),
  description: text(20_000).default(''),
  details: z.array(text(1000)).max(100).default([]),
  care: z.array(text(1000)).max(100).default([]),
  price: Price.optional(),
  compareAtPrice: Price.nullable().default(null),
  images: z.array(ImageInput).max(100).default([]),
  /** Left out they are made from the variants. */
  options: z
    .array(z.object({ name, values: z.array(name).max(200) }))
    .max(10)
    .optional(),
  swatches: z.record(text(100).trim(), HexColor).default({}),
  variants: z.array(VariantInput).max(MAX_VARIANTS).default([]),
  categories: z.array(Slug).max(50).default([]),
  tags: z
    .array(text(100).trim())
    .max(100)
    .overwrite((tags) => tags.filter((tag) => tag !== ''))
    .default([]),
  badges: z.array(Badge).max(5).default([]),
  published: z.boolean().default(true),
  createdAt: z.iso.datetime().optional(),
  position: z.int32().nullable().optional(),
  fit: Fit.nullish(),
  fabric: FabricInput.nullish(),
  sizeChartId: text(200).nullish(),
  enrichment: EnrichmentInput.nullish(),
  relatedSlugs: z.array(Slug).max(50).nullish(),
})
export type ProductInput = z.output<typeof ProductInput>

/** Badges that a merchant may give a product beside those that follow from facts (decisions, section 3). */
export const PINNABLE_BADGES = ['new', 'bestseller'] as const satisfies readonly Badge[]
export const PinnableBadge = z.enum(PINNABLE_BADGES)
export type PinnableBadge = z.output<typeof PinnableBadge>

/** A variant as a merchant reads it. */
export const AdminVariant = Variant.extend({ priceOverride: z.boolean() }).meta({ id: 'AdminVariant' })
export type AdminVariant = z.output<typeof AdminVariant>

/** A product as a merchant reads it: as shoppers do, drafts too, with what only merchants see. */
export const AdminProduct = Product.omit({ sizeChart: true })
  .extend({
    variants: z.array(AdminVariant),
    /** Those of the badges that stand whatever the facts say. */
    pinnedBadges: z.array(PinnableBadge),
    position: z.int().nullable(),
    relatedSlugs: z.array(z.string()),
    /** Counts every change of the product, its stock aside; the ETag is made of it. */
    version: z.int().positive(),
  })
  .meta({ id: 'AdminProduct' })
export type AdminProduct = z.output<typeof AdminProduct>

const { shape: whole } = ProductInput
const { shape: wholeVariant } = VariantInput

/** A variant of a partial product. It is known by its id, else its SKU, else its options; what is left out stays. */
export const VariantPatch = z.object({
  id: wholeVariant.id,
  sku: wholeVariant.sku,
  options: wholeVariant.options.unwrap().optional(),
  price: wholeVariant.price,
  priceOverride: wholeVariant.priceOverride,
  compareAtPrice: wholeVariant.compareAtPrice,
  inventory: wholeVariant.inventory,
  imageId: wholeVariant.imageId,
})
export type VariantPatch = z.output<typeof VariantPatch>

/** A partial product as PATCH takes it: what is left out stays, and null gives back what a new product has. */
export const ProductPatch = z
  .object({
    slug: whole.slug,
    title: whole.title.optional(),
    subtitle: whole.subtitle.unwrap().nullish(),
    description: whole.description.unwrap().nullish(),
    details: whole.details.unwrap().nullish(),
    care: whole.care.unwrap().nullish(),
    price: whole.price,
    compareAtPrice: whole.compareAtPrice.unwrap().optional(),
    images: whole.images.unwrap().nullish(),
    options: whole.options.unwrap().nullish(),
    swatches: whole.swatches.unwrap().nullish(),
    variants: z.array(VariantPatch).max(MAX_VARIANTS).optional(),
    categories: whole.categories.unwrap().nullish(),
    tags: whole.tags.unwrap().nullish(),
    badges: whole.badges.unwrap().nullish(),
    pinnedBadges: z.array(PinnableBadge).max(5).optional(),
    published: whole.published.unwrap().optional(),
    createdAt: whole.createdAt,
    position: whole.position,
    fit: whole.fit,
    fabric: whole.fabric,
    sizeChartId: whole.sizeChartId,
    enrichment: whole.enrichment,
    relatedSlugs: whole.relatedSlugs,
  })
  .meta({ id: 'ProductPatch' })
export type ProductPatch = z.output<typeof ProductPatch>

/** A partial product as POST takes it: the title has no default. */
export const NewProduct = ProductPatch.extend({ title: whole.title }).meta({ id: 'NewProduct' })
export type NewProduct = z.output<typeof NewProduct>

export const ADMIN_PRODUCT_SORTS = ['newest', 'oldest', 'title', 'price-asc', 'price-desc'] as const
export const AdminProductSort = z.enum(ADMIN_PRODUCT_SORTS)
export type AdminProductSort = z.output<typeof AdminProductSort>

const liveFacts = ['rating', 'social', 'sizeChart', 'version']
declareReadOnly(ProductInput, { live: liveFacts })
declareReadOnly(ProductPatch, { fixed: ['id'], live: liveFacts })
declareReadOnly(NewProduct, { fixed: ['id'], live: liveFacts })
declareReadOnly(VariantInput, { live: ['available'] })
declareReadOnly(VariantPatch, { live: ['available'] })
