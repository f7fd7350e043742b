import { z } from 'zod'
import { compareFields, unknownFieldFaults, type UnknownField } from '@storefront/http'
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
  StorefrontConfiguration,
  type ImportMode,
  type ImportRowType,
} from '@storefront/contracts'
import { issuesOf, type Issue } from '../errors.ts'
import { inClientShapes } from '../settings/client-shapes.ts'
import { misspelledSettings } from '../settings/known-settings.ts'
import { storedCurrencyOf } from '../settings/stored-settings.ts'
import { slugOf } from '../products/product.ts'
import type { ImportPicture } from './pictures.queries.ts'

/** The data that other rows are compared with, besides the row itself. */
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
  /** Its location in the file, for people. */
  path: string
  data: unknown
  /** Invalid, but its identity is known: others may refer to it. */
  faulty?: boolean
  /**
   * Names of its fields in the file, such as `row 3: Variant SKU` for `variants.1.sku`, where they differ from those of
   * the contract.
   */
  cells?: Readonly<Record<string, string>>
  /** Fields that the file cannot contain: their stored values stay. */
  keeps?: readonly string[]
}

/** The results of reading an import, one after the other. */
export type Reading =
  | { row: ImportRow; characters: number | undefined }
  /** A row whose type is unknown. */
  | { issue: Issue }
  /** A row that no other refers to, or whose name is known. */
  | { issues: Issue[]; named?: ImportRow }
  | { mode: ImportMode }
  | { dryRun: boolean }
  /** Pictures on other servers that the shop's own store is to have. */
  | { pictures: readonly ImportPicture[] }
  /** Columns of a file that products have no field for. */
  | { columnsNotTaken: readonly string[] }
  /** Discounts are included, even if there are none: the shop's are replaced by those of a file that replaces it. */
  | { namesDiscounts: true }
  | { end: { rows: number } }

interface RowKind<Data> {
  /** Accepts a row that is already valid. */
  take: (data: Data, path: string, given?: { characters?: number } & Pick<ImportRow, 'cells' | 'keeps'>) => Reading
  /** Validates a row; it may have any number of errors. @param characters length of its text, when that is known */
  read: (data: unknown, path: string, characters?: number) => Reading[]
  /** Stages a row with errors. */
  reject: (data: unknown, path: string, issues: Issue[], given?: { cells?: ImportRow['cells'] }) => Reading[]
}

/** The identity that a row with errors claims: text that may be anything. */
const Name = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => text.isWellFormed() && !text.includes('\0'))
  .optional()
  .catch(undefined)
/** Other rows must not have the same SKUs and ids, whatever other errors these have. */
const NamedVariants = z
  .array(z.object({ sku: Name, id: Name }).catch({ sku: undefined, id: undefined }))
  .max(2000)
  .catch([])
const Named = z.object({ slug: Name, id: Name, title: Name, variants: NamedVariants })
type Named = z.output<typeof Named>

const UNREFERENCED = 'unreferenced'

/**
 * @param nameOf the name by which others refer to an invalid row, or `unreferenced` when none does; undefined when it
 * is unknown
 * @param unknownIn the unknown names in a row
 */
function kind<Data>(
  type: ImportRowType,
  schema: z.ZodType<Data>,
  factsOf: (data: Data) => RowFacts = () => ({}),
  nameOf: (data: Named) => RowFacts | undefined | typeof UNREFERENCED = () => UNREFERENCED,
  unknownIn: (data: unknown) => readonly UnknownField[] = (data) => compareFields(schema, data).unknown,
): RowKind<Data> {
  const reject: RowKind<Data>['reject'] = (data, path, issues, { cells } = {}) => {
    const facts = nameOf(Named.catch({ variants: [] }).parse(data))
    if (facts === UNREFERENCED) return [{ issues }]
    if (!facts) return issues.map((issue) => ({ issue }))
    return [{ issues, named: { type, path, data: {}, faulty: true, ...facts, ...(cells && { cells }) } }]
  }
  const take: RowKind<Data>['take'] = (data, path, { characters, ...given } = {}) => ({
    row: { type, path, data, ...factsOf(data), ...given },
    characters,
  })
  return {
    take,
    reject,
    read(data, path, characters) {
      const parsed = schema.safeParse(data)
      const unknown = unknownFieldFaults(unknownIn(data))
      if (parsed.success && unknown.length === 0)
        return [take(parsed.data, path, characters === undefined ? {} : { characters })]
      const issues = [...unknown, ...issuesOf(parsed.error)]
      return reject(
        data,
        path,
        issues.map((issue) => ({ ...issue, path: issue.path === '' ? path : `${path}.${issue.path}` })),
      )
    },
  }
}

const nameBySlug = ({ slug }: Named) => (slug === undefined ? undefined : { key: slug })
const nameById = ({ id }: Named) => (id === undefined ? undefined : { key: id })
const nameOfProduct = ({ slug, id, title, variants }: Named) => {
  const key = slug ?? (title === undefined ? undefined : slugOf(title))
  return key === undefined ? undefined : { key, keyMade: slug === undefined, givenId: id, ...factsOfVariants(variants) }
}
const factsOfVariants = (variants: readonly { sku?: string | undefined; id?: string | undefined }[]) => ({
  skus: variants.map(({ sku }) => sku ?? null),
  variantIds: variants.map(({ id }) => id ?? null),
})

export const ROW_KINDS = {
  // What others are compared with: their currency.
  settings: kind(
    'settings',
    z.preprocess((data) => inClientShapes(data, storedCurrencyOf(data)), StorefrontConfiguration),
    undefined,
    () => undefined,
    misspelledSettings,
  ),
  category: kind(
    'category',
    CategoryInput,
    ({ slug, parent }) => ({ key: slug, refs: parent === null ? [] : [parent] }),
    nameBySlug,
  ),
  collection: kind(
    'collection',
    CollectionInput,
    ({ slug, products }) => ({ key: slug, refs: products }),
    (named) => nameBySlug(named) ?? UNREFERENCED,
  ),
  sizeChart: kind('sizeChart', SizeChartInput, ({ id }) => ({ key: id }), nameById),
  product: kind(
    'product',
    ProductInput,
    (product) => ({
      key: product.slug ?? slugOf(product.title),
      keyMade: product.slug === undefined,
      givenId: product.id,
      ...factsOfVariants(product.variants),
      refs: product.categories,
      chart: product.sizeChartId ?? undefined,
    }),
    nameOfProduct,
  ),
  review: kind('review', ReviewTransfer, ({ id, product }) => ({ givenId: id, refs: [product] })),
  attribute: kind('attribute', LibraryAttributeInput),
  feature: kind('feature', LibraryFeatureInput),
  assurance: kind('assurance', LibraryAssuranceInput),
  discount: kind('discount', DiscountInput, ({ code }) => ({ key: code })),
} satisfies Record<ImportRowType, unknown>
