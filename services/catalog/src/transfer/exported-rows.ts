import type { DiscountInput, ImportRowType } from '@storefront/contracts'
import { findCategories } from '../categories/categories.queries.ts'
import { findCollections } from '../collections/collections.queries.ts'
import type { Database } from '../database.ts'
import { findRawProducts } from '../products/raw-product.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { findSizeCharts } from '../size-charts/size-charts.queries.ts'
import { findLibrary } from '../vocabulary/library.queries.ts'
import { findCollectionSlugs, findProductIds, findReviewsToExport } from './export.queries.ts'

export interface ExportedRow {
  type: ImportRowType
  data: unknown
}

/** Rows in memory at once. */
const PRODUCTS = 200
const REVIEWS = 1000

/**
 * Every row of the shop, type by type, each in the shop's own order or in that of the ids.
 * @param discounts of the shop, requested from cart before
 */
export async function* exportedRows(db: Database, discounts: readonly DiscountInput[]): AsyncGenerator<ExportedRow> {
  const { version: _version, ...settings } = (await findSettings(db)).document
  yield { type: 'settings', data: settings }
  for (const { image, ...category } of await findCategories(db)) {
    yield { type: 'category', data: { ...category, ...(image && { image }) } }
  }
  for (const chart of await findSizeCharts(db)) yield { type: 'sizeChart', data: chart }
  for (let after = ''; ;) {
    const ids = await findProductIds(db, after, PRODUCTS)
    const last = ids.at(-1)
    if (last === undefined) break
    for (const { raw } of await findRawProducts(db, ids)) yield { type: 'product', data: raw }
    after = last
  }
  for (const { image, ...collection } of await findCollections(db)) {
    const products = await findCollectionSlugs(db, collection.slug)
    yield { type: 'collection', data: { ...collection, ...(image && { image }), products } }
  }
  for (let after = ''; ;) {
    const reviews = await findReviewsToExport(db, after, REVIEWS)
    const last = reviews.at(-1)
    if (!last) break
    for (const { fit, published, ...review } of reviews) {
      yield { type: 'review', data: { ...review, ...(fit !== null && { fit }), ...(!published && { published }) } }
    }
    after = last.id
  }
  for (const discount of discounts) yield { type: 'discount', data: discount }
  const { attributes, features, assurances } = await findLibrary(db)
  for (const { custom: _custom, ...attribute } of attributes) yield { type: 'attribute', data: attribute }
  for (const feature of features) yield { type: 'feature', data: feature }
  for (const assurance of assurances) yield { type: 'assurance', data: assurance }
}
