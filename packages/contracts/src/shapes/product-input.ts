import { z } from 'zod'
import { Price } from '../money.ts'
import { declareReadOnly } from '../read-only-fields.ts'
import { Slug } from './common.ts'
import { EnrichmentInput, FabricInput, Fit } from './product-blocks.ts'
import { Badge, PinnableBadge } from './product.ts'

const text = (max: number) => z.string().max(max)

/** Shoppers choose and filter by these: white space around them would make two of one. */
const name = text(100).trim().regex(/\S/, 'must not be blank')

export const HexColor = z
  .string()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i, 'must be a colour like #rgb, #rrggbb or #rrggbbaa')

/** A variant as a merchant writes it. `price` left out: the product's. `price: null`: drop the override. */
export const VariantInput = z.object({
  id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Says which variant it is; without it the SKU does, and without that the options.'),
  sku: text(100)
    .min(1)
    .optional()
    .describe('Unique in the shop. A new variant without one gets one made of its options.'),
  options: z.record(name, name).default({}).describe('Its value of each option, which must be among those offered.'),
  price: Price.nullable()
    .optional()
    .describe('A price of its own, in the currency of the store; null for that of the product.'),
  priceOverride: z
    .boolean()
    .optional()
    .describe('True makes `price` its own even where it is the same as that of the product.'),
  compareAtPrice: Price.nullable().optional().describe('A former price of its own; null for none of its own.'),
  inventory: z
    .int()
    .nonnegative()
    .max(1_000_000_000)
    .optional()
    .describe('Sets how many can be bought. Left out, the stock stays; a new variant then has none.'),
  imageId: text(200).nullish().describe('Id of an image of the product; null for the first.'),
})
export type VariantInput = z.output<typeof VariantInput>

const pixels = z.int().positive().max(100_000).nullish().describe('In pixels; null or left out when it is not known.')

/**
 * An image as a merchant writes it. `alt` left out becomes the product's title; blank is rejected. A width or a height of
 * null is not known to the merchant. `type` and `duration` are what an uploaded picture has, and are not stored.
 */
export const ImageInput = z.object({
  id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('For variants to name; without it, an image with the same `url` keeps its id.'),
  url: text(2000)
    .regex(/^(https?:\/\/|\/)\S+$/, 'must be an http(s) address or a path on this server')
    .describe('Address or path of the file, such as the `path` of an upload.'),
  alt: text(500)
    .regex(/\S/, 'must not be blank')
    .optional()
    .describe('What is to be seen; left out, the title of the product.'),
  width: pixels,
  height: pixels,
  color: text(100).trim().nullish().describe('Color that it shows, as in the options; null for none.'),
  type: z
    .literal('image', { error: 'must be "image": a product shows pictures, no other media' })
    .optional()
    .describe('As an upload has it; taken and not stored.'),
  duration: z
    .null({ error: 'must be null: a picture has no duration' })
    .optional()
    .describe('Null, as an upload has it; taken and not stored.'),
})
export type ImageInput = z.output<typeof ImageInput>

/** The most that a product may have. */
export const MAX_VARIANTS = 1000

/** A whole product as import and the admin routes take it; derived fields are not among the keys and fall away. */
export const ProductInput = z.object({
  id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Says which product it is, and stays the id of a new one; without it the slug says it.'),
  slug: Slug.optional().describe('Address of the product page; a new product without one gets one made of its title.'),
  title: text(300).regex(/\S/, 'must not be blank').describe('Heading that shoppers read; need not be unique.'),
  subtitle: text(500).default('').describe('Line to stand beneath the title.'),
  description: text(20_000).default('').describe('Long text for the product page.'),
  details: z.array(text(1000)).max(100).default([]).describe('Bullet points for the product page.'),
  care: z.array(text(1000)).max(100).default([]).describe('How to wash and keep it, an instruction each.'),
  price: Price.optional().describe(
    'In the currency of the store, for all variants without their own; may be left out when one has its own.',
  ),
  compareAtPrice: Price.nullable()
    .default(null)
    .describe('Former price; a discount of 5 percent or more gives the badge `sale`. Null for none.'),
  images: z.array(ImageInput).max(100).default([]).describe('All pictures in their order; the first one leads.'),
  options: z
    .array(
      z.object({
        name: name.describe('Such as `Color`; white space around it is dropped.'),
        values: z.array(name).max(200).describe('Choices in their order.'),
      }),
    )
    .max(10)
    .optional()
    .describe('What variants differ in; made from the variants when it is left out.'),
  swatches: z
    .record(text(100).trim(), HexColor)
    .default({})
    .describe('Color to draw for each value of the color option, such as `{ "Sage": "#9caf88" }`.'),
  variants: z
    .array(VariantInput)
    .max(MAX_VARIANTS)
    .default([])
    .describe('All variants in their order; empty, those in the shop stay, and a new product gets one.'),
  categories: z.array(Slug).max(50).default([]).describe('Slugs of categories; those above them need not be named.'),
  tags: z
    .array(text(100).trim())
    .max(100)
    .overwrite((tags) => tags.filter((tag) => tag !== ''))
    .default([])
    .describe('Words to filter and search by; empty ones are dropped.'),
  badges: z
    .array(Badge)
    .max(5)
    .default([])
    .describe('`new` and `bestseller` are pinned by it; the others follow from facts and are ignored.'),
  published: z.boolean().default(true).describe('False keeps shoppers from seeing it.'),
  createdAt: z.iso.datetime().optional().describe('ISO 8601, UTC; a new product without it is of this moment.'),
  position: z
    .int32()
    .nullable()
    .optional()
    .describe('Place in the order `featured`, the lowest first; null for none of its own.'),
  fit: Fit.nullish().describe('What the merchant says about the fit; null for nothing.'),
  fabric: FabricInput.nullish().describe('What it is made of; null when nothing is said about it.'),
  sizeChartId: text(200).nullish().describe('Id of a chart in the shop or in the same import; null for none.'),
  enrichment: EnrichmentInput.nullish().describe('Further blocks for the product page; null for none.'),
  relatedSlugs: z
    .array(Slug)
    .max(50)
    .nullish()
    .describe('Slugs of products to recommend with it under the strategy `manual`; null for none.'),
})
export type ProductInput = z.output<typeof ProductInput>

const { shape: whole } = ProductInput
const { shape: wholeVariant } = VariantInput

/** A field of a partial product without its default: left out it stays. */
function kept<Field extends z.ZodType>(field: z.ZodDefault<Field>) {
  return field
    .unwrap()
    .optional()
    .describe(field.description ?? '')
}

/** The same where null gives back what a new product has. */
function resettable<Field extends z.ZodType>(field: z.ZodDefault<Field>) {
  return field
    .unwrap()
    .nullish()
    .describe(field.description ?? '')
}

/** A variant of a partial product. It is known by its id, else its SKU, else its options; what is left out stays. */
export const VariantPatch = z.object({
  id: wholeVariant.id,
  sku: wholeVariant.sku,
  options: kept(wholeVariant.options),
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
    subtitle: resettable(whole.subtitle),
    description: resettable(whole.description),
    details: resettable(whole.details),
    care: resettable(whole.care),
    price: whole.price,
    compareAtPrice: kept(whole.compareAtPrice),
    images: resettable(whole.images),
    options: whole.options
      .unwrap()
      .nullish()
      .describe(whole.options.description ?? ''),
    swatches: resettable(whole.swatches),
    variants: z
      .array(VariantPatch)
      .max(MAX_VARIANTS)
      .optional()
      .describe('All variants that it is to have, in their order; empty or left out, they stay as they are.'),
    categories: resettable(whole.categories),
    tags: resettable(whole.tags),
    badges: whole.badges
      .unwrap()
      .nullish()
      .describe('`new` and `bestseller` are pinned where the product does not show them anyway; see `pinnedBadges`.'),
    pinnedBadges: z
      .array(PinnableBadge)
      .max(5)
      .optional()
      .describe('Exactly these badges stand whatever the facts say; goes before `badges`.'),
    published: kept(whole.published),
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

const liveFacts = ['rating', 'social', 'sizeChart', 'version']
declareReadOnly(ProductInput, { live: liveFacts })
declareReadOnly(ProductPatch, { fixed: ['id'], live: liveFacts })
declareReadOnly(NewProduct, { fixed: ['id'], live: liveFacts })
declareReadOnly(VariantInput, { live: ['available'] })
declareReadOnly(VariantPatch, { live: ['available'] })
