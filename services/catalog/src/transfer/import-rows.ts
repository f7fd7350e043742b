import type { z } from 'zod'
import {
  CategoryInput,
  CollectionInput,
  LibraryAssuranceInput,
  LibraryAttributeInput,
  LibraryFeatureInput,
  ProductInput,
  ReviewTransfer,
  SizeChartInput,
  StorefrontConfiguration,
  type ImportMode,
  type ImportRowType,
} from '@storefront/contracts'
import type { Issue } from '../errors.ts'
import { slugOf } from '../products/product.ts'

/** What other rows are compared with, beside the row itself. */
interface RowFacts {
  key?: string
  keyMade?: boolean
  givenId?: string | undefined
  skus?: (string | null)[]
  variantIds?: (string | null)[]
  refs?: readonly string[]
  chart?: string | undefined
}

/** A row of an import that fits its schema, ready to be staged. */
export interface ImportRow extends RowFacts {
  type: ImportRowType
  /** Where it stands in the file, for people. */
  path: string
  data: unknown
}

/** What reading an import gives, one after the other. */
export type Reading =
  | { row: ImportRow; characters: number | undefined }
  | { issue: Issue }
  | { mode: ImportMode }
  | { end: { rows: number } }

interface RowKind<Data> {
  /** Takes a row that fits already. */
  take: (data: Data, path: string, characters?: number) => Reading
  /** Checks a row; it may have any number of faults. @param characters how long its text is, when that is known */
  read: (data: unknown, path: string, characters?: number) => Reading[]
}

function kind<Data>(
  type: ImportRowType,
  schema: z.ZodType<Data>,
  factsOf: (data: Data) => RowFacts = () => ({}),
): RowKind<Data> {
  const take = (data: Data, path: string, characters?: number): Reading => ({
    row: { type, path, data, ...factsOf(data) },
    characters,
  })
  return {
    take,
    read(data, path, characters) {
      const parsed = schema.safeParse(data)
      if (parsed.success) return [take(parsed.data, path, characters)]
      return parsed.error.issues.map((issue) => ({
        issue: { path: [path, ...issue.path.map(String)].join('.'), message: issue.message },
      }))
    },
  }
}

export const ROW_KINDS = {
  settings: kind('settings', StorefrontConfiguration),
  category: kind('category', CategoryInput, ({ slug, parent }) => ({
    key: slug,
    refs: parent === null ? [] : [parent],
  })),
  collection: kind('collection', CollectionInput, ({ slug, products }) => ({ key: slug, refs: products })),
  sizeChart: kind('sizeChart', SizeChartInput, ({ id }) => ({ key: id })),
  product: kind('product', ProductInput, (product) => ({
    key: product.slug ?? slugOf(product.title),
    keyMade: product.slug === undefined,
    givenId: product.id,
    skus: product.variants.map(({ sku }) => sku ?? null),
    variantIds: product.variants.map(({ id }) => id ?? null),
    refs: product.categories,
    chart: product.sizeChartId,
  })),
  review: kind('review', ReviewTransfer, ({ id, product }) => ({ givenId: id, refs: [product] })),
  attribute: kind('attribute', LibraryAttributeInput),
  feature: kind('feature', LibraryFeatureInput),
  assurance: kind('assurance', LibraryAssuranceInput),
} satisfies Record<ImportRowType, unknown>
