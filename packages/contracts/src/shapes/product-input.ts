import { z } from 'zod'
import { Price } from '../money.ts'
import { declareReadOnly } from '../read-only-fields.ts'
import { Slug } from './common.ts'
import { Moment, PeriodEnd } from './moment.ts'
import { EnrichmentInput, FabricInput, FitInput } from './product-blocks.ts'
import { Badge } from './product.ts'

const text = (max: number) => z.string().max(max)

/** Shoppers choose and filter by these values: surrounding white space would make two of one. */
const name = text(100).trim().regex(/\S/, 'must not be blank')

export const HexColor = z
  .string()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i, 'must be a color like #rgb, #rrggbb or #rrggbbaa')

/**
 * A variant as a merchant writes it. `price` left out: the product's. `price: null`: removes the variant's own price.
 */
export const VariantInput = z.object({
  id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Identifies the variant; without it the SKU does, and without that the options.'),
  sku: text(100)
    .min(1)
    .optional()
    .describe('Unique in the shop. A new variant without one gets one made from its options.'),
  options: z
    .record(name, name)
    .default({})
    .describe('Its value for each option, which must be one of the values of the option.'),
  price: Price.nullable()
    .optional()
    .describe("The variant's own price, in the currency of the shop; null to use that of the product."),
  priceOverride: z
    .boolean()
    .optional()
    .describe("True makes `price` the variant's own even if it is the same as that of the product."),
  compareAtPrice: Price.nullable().optional().describe("The variant's own former price; null for none."),
  inventory: z
    .int()
    .nonnegative()
    .max(1_000_000_000)
    .optional()
    .describe('Sets how many can be bought. If left out, the stock stays; a new variant then has none.'),
  imageId: text(200).nullish().describe('Id of an image of the product; null for the first image.'),
})
export type VariantInput = z.output<typeof VariantInput>

const pixels = z.int().positive().max(100_000).nullish().describe('In pixels; null or left out if it is not known.')

/**
 * An image as a merchant writes it. `alt` left out becomes the product's title; blank is rejected. A width or height of
 * null is unknown. `type` and `duration` are accepted because an uploaded picture has them, and are not stored.
 */
export const ImageInput = z.object({
  id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Id that variants can refer to; without it, an image with the same `url` keeps its id.'),
  url: text(2000)
    .regex(/^(https?:\/\/|\/)\S+$/, 'must be an http(s) address or a path on this server')
    .describe('Address or path of the file, such as the `path` of an upload.'),
  alt: text(500)
    .regex(/\S/, 'must not be blank')
    .optional()
    .describe('What the image shows; if left out, the title of the product.'),
  width: pixels,
  height: pixels,
  color: text(100).trim().nullish().describe('Color that it shows, as in the options; null for none.'),
  type: z
    .literal('image', { error: 'must be "image": a product has pictures only, no other media' })
    .optional()
    .describe('As in an upload; accepted and not stored.'),
  duration: z
    .null({ error: 'must be null: a picture has no duration' })
    .optional()
    .describe('Null, as in an upload; accepted and not stored.'),
})
export type ImageInput = z.output<typeof ImageInput>

/** The maximum number of variants of one product. */
export const MAX_VARIANTS = 1000

/** These are lists below `/admin/products`: a product with such an id could not be read. */
const NO_PRODUCT_IDS = ['low-stock', 'bulk']

/** A whole product as import and the admin routes accept it; derived fields are not among the keys and are dropped. */
export const ProductInput = z.object({
  id: z
    .string()
    .min(1)
    .max(200)
    .refine((id) => !NO_PRODUCT_IDS.includes(id), {
      error: ({ input }) => `must not be ${String(input)}, the path of a list`,
    })
    .optional()
    .describe('Identifies the product, and becomes the id of a new one; without it the slug identifies it.'),
  slug: Slug.optional().describe('Slug of the product page; a new product without one gets one made from its title.'),
  title: text(300).regex(/\S/, 'must not be blank').describe('Heading that shoppers see; need not be unique.'),
  subtitle: text(500).default('').describe('Line below the title.'),
  description: text(20_000).default('').describe('Long text for the product page.'),
  details: z.array(text(1000)).max(100).default([]).describe('Bullet points for the product page.'),
  care: z.array(text(1000)).max(100).default([]).describe('Care instructions, one for each entry.'),
  price: Price.optional().describe(
    'In the currency of the shop, for all variants without their own; may be left out when one has its own.',
  ),
  compareAtPrice: Price.nullable()
    .default(null)
    .describe('Former price; a discount of 5 percent or more adds the badge `sale`. Null for none.'),
  images: z
    .array(ImageInput)
    .max(100)
    .default([])
    .describe('All pictures in their order; the first one is the main picture.'),
  options: z
    .array(
      z.object({
        name: name.describe('Such as `Color`; white space around it is dropped.'),
        values: z.array(name).max(200).describe('Values in their order.'),
      }),
    )
    .max(10)
    .optional()
    .describe('The options in which variants differ; made from the variants if left out.'),
  swatches: z
    .record(text(100).trim(), HexColor)
    .default({})
    .describe('Color to draw for each value of the color option, such as `{ "Sage": "#9caf88" }`.'),
  variants: z
    .array(VariantInput)
    .max(MAX_VARIANTS)
    .default([])
    .describe('All variants in their order; if empty, the existing ones stay, and a new product gets one.'),
  categories: z.array(Slug).max(50).default([]).describe('Slugs of categories; parent categories need not be named.'),
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
    .describe('Pins `new` and `bestseller`; the others follow from facts and are ignored.'),
  published: z.boolean().default(true).describe('False hides it from shoppers.'),
  publishAt: Moment.nullish().describe(
    'When `published` becomes true by itself; at once when it has passed. Null for never.',
  ),
  unpublishAt: PeriodEnd.nullish().describe(
    'When `published` becomes false by itself; at once when it has passed. Null for never.',
  ),
  createdAt: Moment.optional().describe('A new product without it gets the current time.'),
  position: z
    .int32()
    .nullable()
    .optional()
    .describe('Position in the sort order `featured`, lowest first; null for none.'),
  fit: FitInput.nullish().describe('What the merchant says about the fit; null for nothing.'),
  fabric: FabricInput.nullish().describe('The material; null for none.'),
  sizeChartId: text(200).nullish().describe('Id of a size chart in the shop or in the same import; null for none.'),
  enrichment: EnrichmentInput.nullish().describe('Further blocks for the product page; null for none.'),
  relatedSlugs: z
    .array(Slug)
    .max(50)
    .nullish()
    .describe('Slugs of products to recommend with it under the strategy `manual`; null for none.'),
})
export type ProductInput = z.output<typeof ProductInput>

/** Facts in the replies that change by themselves: a product that is sent back may hold older ones. */
export const LIVE_PRODUCT_FACTS = ['rating', 'social', 'sizeChart', 'version']
// A variant has `replayed` in the reply to a repeated adjustment of its stock, and `delta` in the reply to a set
// quantity.
export const LIVE_VARIANT_FACTS = ['available', 'replayed', 'delta']
declareReadOnly(ImageInput, { fixed: ['focalPoint'] })
declareReadOnly(ProductInput, { live: LIVE_PRODUCT_FACTS })
declareReadOnly(VariantInput, { live: LIVE_VARIANT_FACTS })
