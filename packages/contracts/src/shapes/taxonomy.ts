import { z } from 'zod'
import { declareReadOnly } from '../read-only-fields.ts'
import { Picture, Slug } from './common.ts'

const category = {
  slug: z.string().min(1).describe('Identifies the category in paths, in filters and in `categories` of products.'),
  name: z.string().min(1).describe('Shown in navigation and as the heading of the category.'),
  parent: z.string().nullable().describe('Slug of the parent category; null at the top of the tree.'),
  blurb: z.string().describe('Short text about the category; empty when there is none.'),
  image: Picture.describe('Picture of the category, at an absolute address; a placeholder if none was saved.'),
  count: z.int().nonnegative().describe('Published products in it and in all its subcategories, each counted once.'),
}
export const FlatCategory = z.object(category)
export type FlatCategory = z.output<typeof FlatCategory>

export interface Category extends FlatCategory {
  children?: Category[] | undefined
}
export const Category: z.ZodType<Category> = z
  .object({
    ...category,
    children: z
      .lazy(() => z.array(Category))
      .optional()
      .describe('Its direct subcategories; left out in the flat list.'),
  })
  .meta({ id: 'Category' })

export const CategoryInput = z.object({
  slug: Slug.describe('Identifies the category: an existing one with this slug is changed.'),
  name: z.string().max(200).regex(/\S/, 'must not be blank').describe('Shown to shoppers; need not be unique.'),
  parent: Slug.nullable()
    .default(null)
    .describe('Slug of the parent category, of the import or of the shop; null for the top of the tree.'),
  blurb: z.string().max(2000).default('').describe('Short text about the category.'),
  image: Picture.optional().describe('If left out, storefronts get a placeholder.'),
})
export type CategoryInput = z.output<typeof CategoryInput>

export const Collection = z
  .object({
    slug: z.string().describe('Identifies the collection in paths and in the filter `collection`.'),
    title: z.string().describe('Heading of the collection.'),
    blurb: z.string().describe('Short text about the collection; empty when there is none.'),
    image: Picture.describe('Picture of the collection, at an absolute address; a placeholder if none was saved.'),
    count: z.int().nonnegative().describe('Published products in it.'),
  })
  .meta({ id: 'Collection' })
export type Collection = z.output<typeof Collection>

export const CollectionInput = z.object({
  slug: Slug.describe('Identifies the collection: an existing one with this slug is changed.'),
  title: z.string().max(200).regex(/\S/, 'must not be blank').describe('Heading that shoppers see.'),
  blurb: z.string().max(2000).default('').describe('Short text about the collection.'),
  image: Picture.optional().describe('If left out, a placeholder is shown.'),
  products: z
    .array(Slug)
    .max(100_000)
    .default([])
    .describe('Slugs of its products in their order, of the import or of the shop.'),
})
export type CollectionInput = z.output<typeof CollectionInput>

/** A picture as a merchant writes it: a path on this server or an address elsewhere. */
const PictureInput = z.object({
  url: z
    .string()
    .max(2000)
    .regex(/^(https?:\/\/|\/)\S+$/, 'must be an http(s) address or a path on this server')
    .describe('An http(s) address, or a path on this server such as the `path` of an upload.'),
  alt: z.string().max(500).regex(/\S/, 'must not be blank').describe('What the picture shows; must not be blank.'),
})

/** The position of a category or a collection in its list. */
const position = z
  .int32()
  .optional()
  .describe('Position in its list, lowest first. If left out, a new one comes last and an existing one stays.')

/** A category as a merchant saves it, new or under an existing slug: then fields that are left out stay as they are. */
export const CategoryChange = z.object({
  slug: Slug.describe('The category with this slug is changed; if there is none, a new category is created.'),
  name: CategoryInput.shape.name.optional().describe('Shown to shoppers; required for a new category.'),
  parent: Slug.nullable()
    .optional()
    .describe('Slug of the parent category; null for the top of the tree. If left out, it stays.'),
  blurb: z.string().max(2000).optional().describe('Short text about the category; if left out, it stays.'),
  image: PictureInput.nullable()
    .optional()
    .describe('Null removes the picture of the category; if left out, it stays.'),
  position,
})
export type CategoryChange = z.output<typeof CategoryChange>

/**
 * The maximum number of products that one save can place in a collection: they are all added to its lists in one
 * transaction.
 */
const MAX_COLLECTION_PRODUCTS = 20_000

/**
 * A collection as a merchant saves it. Fields that are left out stay as they are; `products` lists all of them, in
 * their order.
 */
export const CollectionChange = z.object({
  slug: Slug.describe('The collection with this slug is changed; if there is none, a new collection is created.'),
  title: CollectionInput.shape.title.optional().describe('Heading that shoppers see; required for a new collection.'),
  blurb: z.string().max(2000).optional().describe('Short text about the collection; if left out, it stays.'),
  image: PictureInput.nullable()
    .optional()
    .describe('Null removes the picture of the collection; if left out, it stays.'),
  position,
  products: z
    .array(Slug)
    .max(MAX_COLLECTION_PRODUCTS)
    .optional()
    .describe('Slugs of all its products in their order, which replace the current ones; if left out, they stay.'),
})
export type CollectionChange = z.output<typeof CollectionChange>

const text = (max: number) => z.string().max(max)
/** A cell after the first: a number, or a number as text from a form field. */
const Measurement = z.union([z.number().nonnegative(), text(100)])
const Cell = z.union([text(100), z.number()])

const sizeChartFields = z.object({
  unit: text(50).describe('Unit of the measurements, such as `cm` or `in`; any text.'),
  note: text(2000).default('').describe('Text for shoppers, such as how the garments were measured.'),
  columns: z.array(text(100)).min(1).max(50).describe('Headings of the table, beginning with that of the sizes.'),
  rows: z
    .array(z.tuple([Cell], Measurement))
    .max(500)
    .describe('Each begins with its size and has one cell for each column; `51.5` as text becomes a number.'),
})
type SizeChartFields = z.output<typeof sizeChartFields>

/**
 * Digits with at most one point: no sign, no exponent, no thousands separators, nothing that could mean two numbers.
 */
const DECIMAL = /^\d{1,9}(?:\.\d{1,6})?$/

/** Why a cell is not a measurement; undefined if it is one. */
function faultOfMeasurement(cell: string | number): string | undefined {
  if (typeof cell === 'number' || DECIMAL.test(cell.trim())) return undefined
  if (cell.trim() === '') return 'is empty and must be a number'
  const found = `is "${cell}" and must be a number such as 51.5`
  return /^\s*\d+\s*[-–—/]\s*\d+\s*$/.test(cell) ? `${found}; give a range in two columns, one for each end` : found
}

/**
 * Reports the row and the column of each measurement that is not a number, and each row that does not have a cell for
 * each column.
 */
function checkRows({ columns, rows }: SizeChartFields, context: z.RefinementCtx): void {
  rows.forEach((row, index) => {
    const rowName = `row ${index + 1} (${JSON.stringify(row[0])})`
    row.forEach((cell, place) => {
      // The first cell is the size.
      const fault = place === 0 ? undefined : faultOfMeasurement(cell)
      if (fault === undefined) return
      const column = columns[place]
      const columnName = `column ${place + 1}${column === undefined ? '' : ` (${JSON.stringify(column)})`}`
      const message = `${rowName}, ${columnName}: ${fault}`
      context.addIssue({ code: 'custom', path: ['rows', index, place], message })
    })
    if (row.length === columns.length) return
    const message = `must have ${columns.length} cells, one for each column, and has ${row.length}`
    context.addIssue({ code: 'custom', path: ['rows', index], message })
  })
}

/** Measurements as numbers: the stored form of a valid chart. */
function measuredRows(rows: SizeChartFields['rows']): SizeChartFields['rows'] {
  return rows.map(([size, ...cells]) => [size, ...cells.map(Number)])
}

const withMeasuredRows = <Chart extends SizeChartFields>(chart: Chart): Chart => ({
  ...chart,
  rows: measuredRows(chart.rows),
})

/**
 * A size chart of an import, whole. Each row begins with its size, and has one measurement for every further column.
 */
export const SizeChartInput = sizeChartFields
  .extend({
    id: z
      .string()
      .max(200)
      .regex(/\S/, 'must not be blank')
      .describe('Referenced by products; an existing chart with the same id is replaced.'),
  })
  .superRefine(checkRows)
  .overwrite(withMeasuredRows)
export type SizeChartInput = z.output<typeof SizeChartInput>

/** A size chart as a merchant saves it. A new one has no id, or an empty one as the client's editor sends it. */
export const SizeChartChange = sizeChartFields
  .extend({
    id: z
      .union([z.literal(''), SizeChartInput.shape.id])
      .optional()
      .describe('Id to save the chart under; empty or left out, the chart gets a new one.'),
  })
  .superRefine(checkRows)
  .overwrite(withMeasuredRows)
export type SizeChartChange = z.output<typeof SizeChartChange>

declareReadOnly(SizeChartInput, { live: ['productCount', 'etag'] })
declareReadOnly(SizeChartChange, { live: ['productCount', 'etag'] })
declareReadOnly(CategoryInput, { live: ['count', 'productCount', 'children', 'etag'] })
declareReadOnly(CollectionInput, { live: ['count', 'productCount', 'etag'] })
declareReadOnly(CategoryChange, { live: ['count', 'productCount', 'children', 'etag'] })
declareReadOnly(CollectionChange, { live: ['count', 'productCount', 'etag'] })
