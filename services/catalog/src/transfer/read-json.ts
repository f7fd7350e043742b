import type { ImportBody } from '@storefront/contracts'
import { ROW_KINDS, type Reading } from './import-rows.ts'

/** The rows of an import that came as one JSON document. */
export function* readJson(body: ImportBody): Generator<Reading> {
  yield { mode: body.mode }
  if (body.settings) yield ROW_KINDS.settings.take(body.settings, 'settings')
  for (const [index, row] of body.categories.entries()) yield ROW_KINDS.category.take(row, `categories.${index}`)
  for (const [index, row] of body.collections.entries()) yield ROW_KINDS.collection.take(row, `collections.${index}`)
  for (const [index, row] of body.sizeCharts.entries()) yield ROW_KINDS.sizeChart.take(row, `sizeCharts.${index}`)
  for (const [index, row] of body.products.entries()) yield ROW_KINDS.product.take(row, `products.${index}`)
  for (const [index, row] of body.reviews.entries()) yield ROW_KINDS.review.take(row, `reviews.${index}`)
  const { attributes = [], features = [], assurances = [] } = body.library ?? {}
  for (const [index, row] of attributes.entries()) yield ROW_KINDS.attribute.take(row, `library.attributes.${index}`)
  for (const [index, row] of features.entries()) yield ROW_KINDS.feature.take(row, `library.features.${index}`)
  for (const [index, row] of assurances.entries()) yield ROW_KINDS.assurance.take(row, `library.assurances.${index}`)
  // Refused rather than dropped: a merchant who sends them expects to find them afterwards.
  if (body.discounts.length > 0) yield { issue: { path: 'discounts', message: 'cannot be imported yet' } }
}
