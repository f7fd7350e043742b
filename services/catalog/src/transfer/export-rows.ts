import type { Picture } from '@storefront/contracts'
import { findCollections, findProductsInCollection } from '../collections/collections.queries.ts'
import type { Database } from '../database.ts'
import { findRawProducts } from '../products/raw-products.queries.ts'
import { findProductIds } from './export.queries.ts'
import { findReviewsToExport } from './reviews.queries.ts'

/** Rows in memory at once. */
const PRODUCTS_AT_ONCE = 200
const REVIEWS_AT_ONCE = 1000

/** In the form of an import: the position is that of the row, and an image that is null is left out. */
export function asInput<Row extends { image: Picture | null; position: number }>({
  image,
  position: _position,
  ...row
}: Row) {
  return { ...row, ...(image && { image }) }
}

export async function* exportProducts(db: Database): AsyncGenerator {
  for (let after: string | undefined = ''; after !== undefined;) {
    const ids = await findProductIds(db, after, PRODUCTS_AT_ONCE)
    for (const { raw } of ids.length === 0 ? [] : await findRawProducts(db, ids)) yield raw
    after = ids.at(-1)
  }
}

export async function* exportCollections(db: Database): AsyncGenerator {
  for (const collection of await findCollections(db)) {
    const products = await findProductsInCollection(db, collection.slug)
    yield { ...asInput(collection), products: products.map(({ slug }) => slug) }
  }
}

export async function* exportReviews(db: Database): AsyncGenerator {
  for (let after: string | undefined = ''; after !== undefined;) {
    const reviews = await findReviewsToExport(db, after, REVIEWS_AT_ONCE)
    for (const { id, product, productId: _productId, fit, published, hidden, ...review } of reviews) {
      yield { id, product, ...review, ...(fit !== null && { fit }), ...(!published && { published, hidden }) }
    }
    after = reviews.at(-1)?.id
  }
}
