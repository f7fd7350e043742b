import { z } from 'zod'
import { Money } from '../money.ts'
import { FocalPoint, Timestamp } from './common.ts'
import { Enrichment, Fabric, Fit, SizeChart, Social } from './product-blocks.ts'

export const BADGES = ['new', 'sale', 'bestseller', 'low-stock', 'sold-out'] as const
export const Badge = z.enum(BADGES)
export type Badge = z.output<typeof Badge>

export const Image = z
  .object({
    id: z.string().min(1).describe('Referred to by `imageId` of a variant.'),
    url: z.string().min(1).describe('Absolute address of the file.'),
    alt: z.string().min(1).describe('What the image shows, for screen readers; the title of the product by default.'),
    width: z.int().positive().describe('Width in pixels; 1200 if it is not known.'),
    height: z.int().positive().describe('Height in pixels; 1500 if it is not known.'),
    color: z
      .string()
      .optional()
      .describe('Color that it shows, as in the options: the gallery follows the color picker.'),
    focalPoint: FocalPoint.optional().describe(
      'What stays visible where the image is cropped; left out for the middle, and for images that were not uploaded.',
    ),
  })
  .meta({ id: 'Image' })
export type Image = z.output<typeof Image>

export const ProductOption = z.object({
  name: z.string().min(1).describe('Such as `Color` or `Size`; the key in `options` of the variants.'),
  values: z.array(z.string()).describe('The values of the option, in display order.'),
})
export type ProductOption = z.output<typeof ProductOption>

/**
 * Puts the chosen values of a variant in the order of its product's options: JSON in the database does not keep the
 * order.
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

const formerPrice = Money.nullable().describe(
  'Former price, to be shown struck through while it is above `price`; null for none.',
)

export const Variant = z
  .object({
    id: z.string().min(1).describe('Identifies the variant in carts, orders and stock routes.'),
    sku: z.string().describe("The merchant's stock keeping unit, unique in the shop."),
    options: z
      .record(z.string(), z.string())
      .describe('Its value for each option, such as `{ "Color": "Sage", "Size": "S" }`.'),
    price: Money.describe('Price of one unit: its own price, or else that of the product.'),
    compareAtPrice: formerPrice,
    inventory: z.int().nonnegative().describe('Units that can be bought now: on hand minus reserved by checkouts.'),
    available: z.boolean().describe('Whether it can be bought: `inventory` is above 0.'),
    imageId: z
      .string()
      .min(1)
      .describe('Image to show if none has its color; always one of the product, the first by default.'),
  })
  .meta({ id: 'Variant' })
export type Variant = z.output<typeof Variant>

/** A product as a shopper reads it. The client rejects a whole list for one invalid item. */
export const Product = z
  .object({
    id: z.string().min(1).describe('Stays the same when the slug changes.'),
    slug: z.string().min(1).describe('Slug of the product page, unique; former slugs lead to it too.'),
    title: z.string().min(1).describe('Heading of the product page and of its card in lists.'),
    subtitle: z.string().describe('Line beneath the title; empty when there is none.'),
    description: z.string().describe('Long text of the product page; empty when there is none.'),
    details: z.array(z.string()).describe('Bullet points of the product page.'),
    care: z.array(z.string()).describe('Care instructions, one each.'),
    price: Money.describe('As the merchant set it; the lowest of the variants if only they were priced.'),
    compareAtPrice: formerPrice,
    images: z.array(Image).min(1).describe('In their order; a product without images has one placeholder.'),
    options: z
      .array(ProductOption)
      .describe(
        'The options that shoppers choose; always with `Color` and `Size`, by which every variant can be reached.',
      ),
    swatches: z.record(z.string(), z.string()).describe('Hex color, such as `#9caf88`, for each color by its name.'),
    variants: z.array(Variant).min(1).describe('In the order of the merchant, at least one, including sold-out ones.'),
    categories: z
      .array(z.string())
      .describe('Slugs of its categories; for shoppers without one that is above another of them.'),
    tags: z.array(z.string()).describe("The merchant's tags, for filters and the search."),
    rating: z
      .object({
        average: z.number().describe('Mean of the stars, from 1 to 5 with two decimals; 0 without reviews.'),
        count: z.int().nonnegative().describe('Published reviews of the product.'),
      })
      .describe('Number and mean of its published reviews.'),
    badges: z
      .array(Badge)
      .describe('Determined by its date, price, sales and stock; a merchant may pin `new` and `bestseller`.'),
    published: z
      .boolean()
      .describe('False for a draft, which only admin routes show; true for every product that shoppers see.'),
    createdAt: Timestamp.describe('ISO 8601, UTC. It counts as new for 30 days from here; the merchant may set it.'),
    fit: Fit.optional().describe('How it fits; left out in product lists.'),
    fabric: Fabric.optional().describe('The material; left out in product lists.'),
    sizeChartId: z.string().optional().describe('Id of its chart in GET /size-charts; left out if there is none.'),
    sizeChart: SizeChart.optional().describe('The chart with the id `sizeChartId`; left out in lists.'),
    social: Social.optional().describe('Actual counts of buyers and wishlists; left out in product lists.'),
    enrichment: Enrichment.optional().describe('Further blocks of the product page; left out in product lists.'),
  })
  .meta({ id: 'Product' })
export type Product = z.output<typeof Product>

const PRODUCT_SORTS = ['featured', 'newest', 'price-asc', 'price-desc', 'rating', 'name'] as const
export const ProductSort = z.enum(PRODUCT_SORTS)
export type ProductSort = z.output<typeof ProductSort>

export const Facets = z
  .object({
    sizes: z.array(z.string()).describe('From XXS to XXXL, then numbers, then others by name.'),
    colors: z
      .array(
        z.object({
          name: z.string().describe('The value for the filter `colors`.'),
          hex: z.string().describe('Color to draw, as most of the products show it.'),
        }),
      )
      .describe('Colors of the variants, by name.'),
    tags: z.array(z.string()).describe('Values for the filter `tags`, by name.'),
    priceRange: z
      .object({
        min: z.int().nonnegative().describe('Lowest price of a product, in minor units; 0 without products.'),
        max: z.int().nonnegative().describe('Highest price of a product, in minor units; 0 without products.'),
      })
      .describe('In the currency of the store.'),
  })
  .meta({ id: 'Facets' })
export type Facets = z.output<typeof Facets>

export const ProductList = z
  .object({
    items: z.array(Product).describe('Products of this page, without the blocks that only the product page shows.'),
    total: z.int().nonnegative().describe('Products that match, on all pages.'),
    page: z.int().positive().describe('Number of this page, from 1.'),
    perPage: z.int().positive().describe('Products on a full page, at most 48 whatever was requested.'),
    nextCursor: z.string().optional().describe('The `cursor` of the next page; left out on the last page.'),
    facets: Facets.describe('The filter values of the whole category or collection, whatever the other filters.'),
  })
  .meta({ id: 'ProductList' })
export type ProductList = z.output<typeof ProductList>

/** Badges that a merchant may set besides those that follow from facts. */
export const PINNABLE_BADGES = ['new', 'bestseller'] as const satisfies readonly Badge[]
export const PinnableBadge = z.enum(PINNABLE_BADGES)
export type PinnableBadge = z.output<typeof PinnableBadge>

/** A variant as a merchant reads it. */
export const AdminVariant = Variant.extend({
  priceOverride: z.boolean().describe('Whether `price` is its own: then it stays when that of the product changes.'),
}).meta({ id: 'AdminVariant' })
export type AdminVariant = z.output<typeof AdminVariant>

/** A product as a merchant reads it: the shopper's fields, also for drafts, and fields that only merchants see. */
export const AdminProduct = Product.omit({ sizeChart: true })
  .extend({
    options: z.array(ProductOption).describe('As the merchant wrote them, or as made from the variants.'),
    variants: z.array(AdminVariant).describe('In their order, with the options as the merchant wrote them.'),
    pinnedBadges: z.array(PinnableBadge).describe('Badges that are shown whatever the facts.'),
    position: z
      .int()
      .nullable()
      .describe('Position in the sort order `featured`, lowest first; null for after those that have one.'),
    relatedSlugs: z.array(z.string()).describe('Products to recommend with it when the strategy is `manual`.'),
    publishAt: Timestamp.nullable().describe(
      'When it is published by itself, ISO 8601 in UTC; null for never, and again after it has happened.',
    ),
    unpublishAt: Timestamp.nullable().describe(
      'When it is hidden by itself, ISO 8601 in UTC; null for never, and again after it has happened.',
    ),
    version: z.int().positive().describe('Counts every change of the product, its stock aside; part of the ETag.'),
  })
  .meta({ id: 'AdminProduct' })
export type AdminProduct = z.output<typeof AdminProduct>

/** Which products the list of a merchant shows. */
export const AdminProductFilters = z.object({
  q: z.string().max(500).default('').describe('Words that a product must all contain.'),
  published: z.enum(['true', 'false']).optional().describe('`false` lists only drafts; left out, all are listed.'),
  category: z
    .string()
    .max(200)
    .optional()
    .describe('Slug of a category; products in its subcategories are listed too.'),
})
export type AdminProductFilters = z.output<typeof AdminProductFilters>

const ADMIN_PRODUCT_SORTS = ['newest', 'oldest', 'title', 'price-asc', 'price-desc'] as const
export const AdminProductSort = z.enum(ADMIN_PRODUCT_SORTS)
export type AdminProductSort = z.output<typeof AdminProductSort>
