import { Product, SizeChart } from '@storefront/contracts'
import { termsOf } from '../listings/terms.ts'
import type { Listing } from '../listings/update-listings.ts'
import { averageOf } from '../reviews/review-summary.ts'
import { responsesOf, shownSwatches, type ResponseSource } from './product-response.ts'
import { isBestseller, isNew } from './product.ts'
import type { RefreshRow } from './responses.queries.ts'

/** The position of a product without one, after all others. */
const NO_POSITION = 2 ** 31

/** The data that responses are made of besides the product. */
export interface RefreshFacts {
  now: Date
  publicUrl: string
}

export interface Refreshed {
  row: RefreshRow
  item: Product
  page: Product
  listing: Listing
  /** Why the client would reject the item, which must not be served, because it would break every list with it. */
  fault: string | undefined
}

/** Makes the responses and the listing of a product. */
export function refreshedProduct(row: RefreshRow, facts: RefreshFacts): Refreshed {
  const source = sourceOf(row, facts)
  const { item, page } = responsesOf(source)
  const { document } = row
  const listing: Listing = {
    productId: row.id,
    title: row.title,
    priceMinor: row.priceMinor,
    featuredPosition: row.position ?? NO_POSITION,
    unitsSold: row.unitsSold,
    ratingHundredths: Math.round(source.rating.average * 100),
    ratingCount: row.ratingCount,
    createdMs: row.createdAt.getTime(),
    showsNew: isNew(row.createdAt, facts.now),
    showsBestseller: source.isBestseller,
    terms: termsOf({
      leafCategories: source.leafCategories,
      branch: row.branch.map((category) => category.slug),
      collections: row.collections,
      tags: row.tags,
      swatches: shownSwatches(document.swatches),
      variants: row.variants,
    }),
    texts: {
      title: row.title,
      heading: [document.subtitle, ...row.tags, ...row.branch.flatMap(({ slug, name }) => [name, slug])].join(' '),
      description: document.description,
    },
  }
  const checked = Product.safeParse(page)
  const fault = checked.success ? undefined : checked.error.issues.map((issue) => issue.path.join('.')).join(', ')
  return { row, item, page, listing, fault }
}

/** The data that the responses of a product are made of. */
export function sourceOf(row: RefreshRow, { now, publicUrl }: RefreshFacts): ResponseSource {
  const sizeChart = SizeChart.safeParse(row.sizeChart)
  const above = new Set(row.branch.flatMap(({ slug, isAbove }) => (isAbove ? [slug] : [])))
  return {
    product: row,
    variants: row.variants,
    categories: row.categories,
    leafCategories: row.categories.filter((slug) => !above.has(slug)),
    rating: { average: averageOf(row.ratingSum, row.ratingCount), count: row.ratingCount },
    fitCounts: { small: row.fitSmall, true: row.fitTrue, large: row.fitLarge },
    social: { boughtLast30Days: row.unitsSold, savedCount: row.saves },
    isBestseller: isBestseller(row.unitsSold, row.bestsellerUnits),
    sizeChart: sizeChart.success ? sizeChart.data : undefined,
    focalPoints: row.focalPoints,
    now,
    publicUrl,
  }
}
