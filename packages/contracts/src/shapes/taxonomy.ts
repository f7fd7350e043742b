import { z } from 'zod'
import { declareReadOnly } from '../read-only-fields.ts'
import { Picture, Slug } from './common.ts'

const category = {
  slug: z.string().min(1),
  name: z.string().min(1),
  parent: z.string().nullable(),
  blurb: z.string(),
  image: Picture,
  count: z.int().nonnegative(),
}
export const FlatCategory = z.object(category)
export type FlatCategory = z.output<typeof FlatCategory>

export interface Category extends FlatCategory {
  children?: Category[] | undefined
}
export const Category: z.ZodType<Category> = z
  .object({ ...category, children: z.lazy(() => z.array(Category)).optional() })
  .meta({ id: 'Category' })

export const CategoryInput = z.object({
  slug: Slug,
  name: z.string().max(200).regex(/\S/, 'must not be blank'),
  parent: Slug.nullable().default(null),
  blurb: z.string().max(2000).default(''),
  image: Picture.optional(),
})
export type CategoryInput = z.output<typeof CategoryInput>

export const Collection = z
  .object({ slug: z.string(), title: z.string(), blurb: z.string(), image: Picture, count: z.int().nonnegative() })
  .meta({ id: 'Collection' })
export type Collection = z.output<typeof Collection>

export const CollectionInput = z.object({
  slug: Slug,
  title: z.string().max(200).regex(/\S/, 'must not be blank'),
  blurb: z.string().max(2000).default(''),
  image: Picture.optional(),
  products: z.array(Slug).max(100_000).default([]),
})
export type CollectionInput = z.output<typeof CollectionInput>

/** A picture as a merchant writes it: a path on this server or an address elsewhere. */
const PictureInput = z.object({
  url: z
    .string()
    .max(2000)
    .regex(/^(https?:\/\/|\/)\S+$/, 'must be an http(s) address or a path on this server'),
  alt: z.string().max(500).regex(/\S/, 'must not be blank'),
})

/** A category as a merchant saves it, new or under a slug that is known: then what is left out stays as it is. */
export const CategoryChange = z.object({
  slug: Slug,
  name: CategoryInput.shape.name.optional(),
  parent: Slug.nullable().optional(),
  blurb: z.string().max(2000).optional(),
  /** `null` takes the picture away. */
  image: PictureInput.nullable().optional(),
  /** Where it stands among its siblings, the lowest first. A new one comes last. */
  position: z.int32().optional(),
})
export type CategoryChange = z.output<typeof CategoryChange>

/** The most products that one save can place in a collection: they are all put on its lists in one transaction. */
export const MAX_COLLECTION_PRODUCTS = 20_000

/** A collection as a merchant saves it. What is left out stays as it is; products are all of them, in their order. */
export const CollectionChange = z.object({
  slug: Slug,
  title: CollectionInput.shape.title.optional(),
  blurb: z.string().max(2000).optional(),
  image: PictureInput.nullable().optional(),
  position: z.int32().optional(),
  products: z.array(Slug).max(MAX_COLLECTION_PRODUCTS).optional(),
})
export type CollectionChange = z.output<typeof CollectionChange>

const text = (max: number) => z.string().max(max)
/** A cell behind the first: a number, or a number as a form field gives it. */
const Measurement = z.union([z.number().nonnegative(), text(100)])
const Cell = z.union([text(100), z.number()])

const sizeChartFields = z.object({
  unit: text(50),
  note: text(2000).default(''),
  columns: z.array(text(100)).min(1).max(50),
  rows: z.array(z.tuple([Cell], Measurement)).max(500),
})
type SizeChartFields = z.output<typeof sizeChartFields>

/** Digits with at most one point: no sign, no exponent, no thousands separators, nothing that could mean two numbers. */
const DECIMAL = /^\d{1,9}(?:\.\d{1,6})?$/

/** What keeps a cell from being a measurement; undefined when nothing does. */
function faultOfMeasurement(cell: string | number): string | undefined {
  if (typeof cell === 'number' || DECIMAL.test(cell.trim())) return undefined
  if (cell.trim() === '') return 'is empty and must be a number'
  const found = `is "${cell}" and must be a number such as 51.5`
  return /^\s*\d+\s*[-–—/]\s*\d+\s*$/.test(cell) ? `${found}; give a range a column for each of its ends` : found
}

/** Names the row and the column of each measurement that is not a number, and each row of another length than the columns. */
function checkRows({ columns, rows }: SizeChartFields, context: z.RefinementCtx): void {
  rows.forEach((row, index) => {
    const rowName = `row ${index + 1} (${JSON.stringify(row[0])})`
    row.slice(1).forEach((cell, place) => {
      const fault = faultOfMeasurement(cell)
      if (fault === undefined) return
      const column = columns[place + 1]
      const columnName = `column ${place + 2}${column === undefined ? '' : ` (${JSON.stringify(column)})`}`
      const message = `${rowName}, ${columnName}: ${fault}`
      context.addIssue({ code: 'custom', path: ['rows', index, place + 1], message })
    })
    if (row.length === columns.length) return
    const message = `must have ${columns.length} cells, one for each column, and has ${row.length}`
    context.addIssue({ code: 'custom', path: ['rows', index], message })
  })
}

/** Measurements as numbers. What is stored of a chart that was found sound. */
function measuredRows(rows: SizeChartFields['rows']): SizeChartFields['rows'] {
  return rows.map(([size, ...cells]) => [size, ...cells.map(Number)])
}

const withMeasuredRows = <Chart extends SizeChartFields>(chart: Chart): Chart => ({
  ...chart,
  rows: measuredRows(chart.rows),
})

/** A size chart of an import, whole. Each row begins with its size, and measures once for every further column. */
export const SizeChartInput = sizeChartFields
  .extend({ id: z.string().max(200).regex(/\S/, 'must not be blank') })
  .superRefine(checkRows)
  .overwrite(withMeasuredRows)
export type SizeChartInput = z.output<typeof SizeChartInput>

/** A size chart as a merchant saves it. A new one has no id, or an empty one as the client's editor sends it. */
export const SizeChartChange = sizeChartFields
  .extend({
    id: z.union([z.literal(''), SizeChartInput.shape.id]).optional(),
  })
  .superRefine(checkRows)
  .overwrite(withMeasuredRows)
export type SizeChartChange = z.output<typeof SizeChartChange>

declareReadOnly(CategoryInput, { live: ['count', 'productCount', 'children'] })
declareReadOnly(CollectionInput, { live: ['count'] })
declareReadOnly(CategoryChange, { live: ['count', 'productCount', 'children'] })
declareReadOnly(CollectionChange, { live: ['count'] })
