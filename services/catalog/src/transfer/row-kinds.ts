import {
  CategoryInput,
  CollectionInput,
  DiscountInput,
  LibraryAssuranceInput,
  LibraryAttributeInput,
  LibraryFeatureInput,
  ProductInput,
  ReviewTransfer,
  SizeChartInput,
  type ImportRowType,
  type LibraryInput,
} from '@storefront/contracts'
import { findCategories } from '../categories/categories.queries.ts'
import { checkImportedDiscounts } from '../discounts/check-imported-discounts.ts'
import { slugOf } from '../products/product.ts'
import { misspelledSettings } from '../settings/known-settings.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { findSizeCharts } from '../size-charts/size-charts.queries.ts'
import { findLibrary } from '../vocabulary/library.queries.ts'
import { applyDiscounts } from './apply-discounts.ts'
import { applyLibrary } from './apply-library.ts'
import { applyProducts } from './apply-products.ts'
import { applyReviews } from './apply-reviews.ts'
import { applySettings, SettingsRow } from './apply-settings.ts'
import { applyCategories, applyCollections, applySizeCharts, deleteOtherCategories } from './apply-taxonomy.ts'
import { checkCategories } from './check-categories.ts'
import { checkProducts } from './check-products.ts'
import { asInput, exportCollections, exportProducts, exportReviews } from './export-rows.ts'
import { rowKind, UNREFERENCED, type Named, type Reading } from './row-kind.ts'

const nameBySlug = ({ slug }: Named) => (slug === undefined ? undefined : { key: slug })
const factsOfVariants = (variants: readonly { sku?: string | undefined; id?: string | undefined }[]) => ({
  skus: variants.map(({ sku }) => sku ?? null),
  variantIds: variants.map(({ id }) => id ?? null),
})

/**
 * The kinds of rows in the order in which they are applied: kinds that others refer to come first. An export has the
 * same order, with the library at its end.
 */
export const ROW_KINDS = {
  settings: rowKind('settings', {
    schema: SettingsRow,
    permission: 'settings:write',
    // Unknown if the settings are invalid, because other rows are compared with their currency.
    nameOf: () => undefined,
    unknownIn: misspelledSettings,
    apply: applySettings,
    async exported(db) {
      const { version: _version, ...settings } = (await findSettings(db)).document
      return [settings]
    },
  }),
  attribute: rowKind('attribute', {
    schema: LibraryAttributeInput,
    list: 'attributes',
    inLibrary: true,
    // Applies the whole library.
    apply: applyLibrary,
    async exported(db) {
      return (await findLibrary(db)).attributes.map(({ custom: _custom, ...attribute }) => attribute)
    },
  }),
  feature: rowKind('feature', {
    schema: LibraryFeatureInput,
    list: 'features',
    inLibrary: true,
    exported: async (db) => (await findLibrary(db)).features,
  }),
  assurance: rowKind('assurance', {
    schema: LibraryAssuranceInput,
    list: 'assurances',
    inLibrary: true,
    exported: async (db) => (await findLibrary(db)).assurances,
  }),
  category: rowKind('category', {
    schema: CategoryInput,
    list: 'categories',
    unique: 'slug',
    factsOf: ({ slug, parent }) => ({ key: slug, refs: parent === null ? [] : [parent] }),
    nameOf: nameBySlug,
    check: checkCategories,
    apply: applyCategories,
    finish: deleteOtherCategories,
    exported: async (db) => (await findCategories(db)).map(asInput),
  }),
  sizeChart: rowKind('sizeChart', {
    schema: SizeChartInput,
    list: 'sizeCharts',
    unique: 'id',
    factsOf: ({ id }) => ({ key: id }),
    nameOf: ({ id }) => (id === undefined ? undefined : { key: id }),
    apply: applySizeCharts,
    exported: findSizeCharts,
  }),
  product: rowKind('product', {
    schema: ProductInput,
    list: 'products',
    unique: 'slug',
    factsOf: ({ id, slug, title, variants, categories, sizeChartId }) => ({
      key: slug ?? slugOf(title),
      keyMade: slug === undefined,
      givenId: id,
      ...factsOfVariants(variants),
      refs: categories,
      chart: sizeChartId ?? undefined,
    }),
    nameOf({ slug, id, title, variants }) {
      const key = slug ?? (title === undefined ? undefined : slugOf(title))
      return key === undefined
        ? undefined
        : { key, keyMade: slug === undefined, givenId: id, ...factsOfVariants(variants) }
    },
    check: checkProducts,
    apply: applyProducts,
    exported: exportProducts,
  }),
  collection: rowKind('collection', {
    schema: CollectionInput,
    list: 'collections',
    unique: 'slug',
    factsOf: ({ slug, products }) => ({ key: slug, refs: products }),
    nameOf: (named) => nameBySlug(named) ?? UNREFERENCED,
    apply: applyCollections,
    exported: exportCollections,
  }),
  review: rowKind('review', {
    schema: ReviewTransfer,
    list: 'reviews',
    permission: 'reviews:write',
    deletedWhenAbsent: true,
    factsOf: ({ id, product }) => ({ givenId: id, refs: [product] }),
    apply: applyReviews,
    exported: exportReviews,
  }),
  discount: rowKind('discount', {
    schema: DiscountInput,
    list: 'discounts',
    permission: 'discounts:write',
    unique: 'code',
    factsOf: ({ code }) => ({ key: code }),
    check: (tx, { job, discounts, issues }) => checkImportedDiscounts(tx, job, discounts, issues),
    apply: applyDiscounts,
    exported: (_db, discounts) => discounts,
  }),
} satisfies Record<ImportRowType, unknown>

export const KINDS_IN_ORDER = Object.values(ROW_KINDS)

/** The rows of a library. @param pathOf their locations in the file */
export function takeLibrary(
  { attributes, features, assurances }: LibraryInput,
  pathOf: (list: string, index: number) => string,
): Reading[] {
  return [
    ...attributes.map((row, index) => ROW_KINDS.attribute.take(row, pathOf('attributes', index))),
    ...features.map((row, index) => ROW_KINDS.feature.take(row, pathOf('features', index))),
    ...assurances.map((row, index) => ROW_KINDS.assurance.take(row, pathOf('assurances', index))),
  ]
}
