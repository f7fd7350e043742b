import type { ImportBody } from '@storefront/contracts'
import type { Issue } from '../errors.ts'
import { parentsFirst } from '../categories/category-tree.ts'
import { faultsOf } from '../products/product.ts'

/** What the shop holds already and rows of an import may refer to. */
export interface KnownReferences {
  categories: readonly string[]
  sizeCharts: readonly string[]
}

/**
 * Every fault of an import that its schema cannot see, so that a merchant mends all of them in one go.
 * @param known empty for mode `replace`: nothing outlives it
 */
export function faultsOfImport(body: ImportBody, known: KnownReferences, currency: string): Issue[] {
  const categories = new Set([...known.categories, ...body.categories.map((each) => each.slug)])
  const sizeCharts = new Set([...known.sizeCharts, ...body.sizeCharts.map((each) => each.id)])
  return [
    ...unsupported(body),
    ...repeated(body.products, 'products', (each) => each.slug),
    ...repeated(body.categories, 'categories', (each) => each.slug),
    ...repeated(body.collections, 'collections', (each) => each.slug),
    ...repeated(body.products, 'products', (each) => each.id),
    ...repeatedSkus(body),
    ...body.products.flatMap((product, index) => faultsOf(product, currency, `products.${index}`)),
    ...body.products.flatMap((product, index) => [
      ...product.categories
        .filter((slug) => !categories.has(slug))
        .map((slug) => ({ path: `products.${index}.categories`, message: `there is no category ${slug}` })),
      ...(product.sizeChartId !== undefined && !sizeCharts.has(product.sizeChartId)
        ? [{ path: `products.${index}.sizeChartId`, message: `there is no size chart ${product.sizeChartId}` }]
        : []),
    ]),
    ...body.categories.flatMap(({ parent }, index) =>
      parent !== null && !categories.has(parent)
        ? [{ path: `categories.${index}.parent`, message: `there is no category ${parent}` }]
        : [],
    ),
    ...(parentsFirst(body.categories).circle ?? []).map((slug) => ({
      path: 'categories',
      message: `${slug} would be its own ancestor`,
    })),
  ]
}

/** Refused rather than dropped: a merchant who sends them expects to find them afterwards. */
function unsupported(body: ImportBody): Issue[] {
  return body.discounts.length > 0 ? [{ path: 'discounts', message: 'cannot be imported yet' }] : []
}

function repeated<Row>(rows: readonly Row[], name: string, keyOf: (row: Row) => string | undefined): Issue[] {
  const seen = new Set<string>()
  return rows.flatMap((row, index) => {
    const key = keyOf(row)
    if (key === undefined) return []
    if (seen.has(key)) return [{ path: `${name}.${index}.slug`, message: `${key} stands in this import twice` }]
    seen.add(key)
    return []
  })
}

function repeatedSkus(body: ImportBody): Issue[] {
  const owner = new Map<string, number>()
  return body.products.flatMap((product, index) =>
    product.variants.flatMap(({ sku }, place) => {
      if (sku === undefined) return []
      const before = owner.get(sku)
      owner.set(sku, before ?? index)
      return before === undefined || before === index
        ? []
        : [{ path: `products.${index}.variants.${place}.sku`, message: `${sku} stands in this import twice` }]
    }),
  )
}
