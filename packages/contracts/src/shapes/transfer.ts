import { z } from 'zod'
import { OpaqueId } from '../ids.ts'
import { Timestamp } from './common.ts'
import { DiscountInput } from './discount.ts'
import { ProductInput } from './product.ts'
import { ReviewInput } from './review.ts'
import { StorefrontConfiguration } from './storefront.ts'
import { CategoryInput, CollectionInput, SizeChartInput } from './taxonomy.ts'
import { LibraryAssuranceInput, LibraryAttributeInput, LibraryFeatureInput } from './vocabulary.ts'

const rows = <Row extends z.ZodType>(row: Row) => z.array(row).default([])

export const LibraryInput = z.object({
  attributes: rows(LibraryAttributeInput),
  features: rows(LibraryFeatureInput),
  assurances: rows(LibraryAssuranceInput),
})
export type LibraryInput = z.output<typeof LibraryInput>

/** A review as it moves between shops: with its id, and with those that are not shown. */
export const ReviewTransfer = ReviewInput.extend({ id: OpaqueId.optional(), published: z.boolean().default(true) })
export type ReviewTransfer = z.output<typeof ReviewTransfer>

export const ImportMode = z.enum(['merge', 'replace'])
export type ImportMode = z.output<typeof ImportMode>

/** The body of POST /admin/import and of GET /admin/export (decisions, section 7). */
export const ImportBody = z
  .object({
    mode: ImportMode,
    /** Checks and compares everything, and changes nothing. `?dry_run=1` says the same; an export has neither. */
    dry_run: z.boolean('must be true or false').optional(),
    /** The same as `dry_run`. */
    dryRun: z.boolean('must be true or false').optional(),
    settings: StorefrontConfiguration.optional(),
    categories: rows(CategoryInput),
    collections: rows(CollectionInput),
    sizeCharts: rows(SizeChartInput),
    products: rows(ProductInput),
    reviews: rows(ReviewTransfer),
    /** Those of the shop become these only where the body has this member; without it they stay as they are. */
    discounts: rows(DiscountInput),
    library: LibraryInput.optional(),
  })
  .meta({ id: 'ImportBody' })
export type ImportBody = z.output<typeof ImportBody>

/** Types of the lines of an import as NDJSON, each `{ type, data }`. */
export const IMPORT_ROW_TYPES = [
  'settings',
  'category',
  'collection',
  'sizeChart',
  'product',
  'review',
  'attribute',
  'feature',
  'assurance',
  'discount',
] as const
export type ImportRowType = (typeof IMPORT_ROW_TYPES)[number]

export const NDJSON = 'application/x-ndjson'
export const CSV = 'text/csv'

export const ImportCounts = z.object({ created: z.int(), updated: z.int(), deleted: z.int(), unchanged: z.int() })
export type ImportCounts = z.output<typeof ImportCounts>

export const IMPORT_KINDS = [
  'products',
  'categories',
  'collections',
  'sizeCharts',
  'reviews',
  'library',
  'discounts',
] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** What an import did, or with `dryRun` would do. */
export const ImportResult = z
  .object({
    ok: z.literal(true),
    mode: ImportMode,
    /** Products that were in the import, whatever became of them. */
    products: z.int(),
    counts: z.record(z.enum(IMPORT_KINDS), ImportCounts),
    settingsChanged: z.boolean(),
    durationMs: z.int(),
    dryRun: z.literal(true).optional(),
    /** Of a dry run: the first hundred products that would change, with the fields that would differ. */
    changes: z.array(z.object({ slug: z.string(), fields: z.array(z.string()) })).optional(),
    /** Of a product CSV: pictures that were fetched from other servers. */
    pictures: z.int().optional(),
    /** Of a product CSV: columns with values for which a product has no place, by their names in the file. */
    columnsNotTaken: z.array(z.string()).optional(),
  })
  .meta({ id: 'ImportResult' })
export type ImportResult = z.output<typeof ImportResult>

export const IMPORT_STATUSES = [
  'receiving',
  'fetching',
  'queued',
  'checking',
  'applying',
  'done',
  'failed',
  'cancelled',
] as const
export const ImportStatus = z.enum(IMPORT_STATUSES)
export type ImportStatus = z.output<typeof ImportStatus>

/** An import as GET /admin/import/:id tells of it. */
export const ImportJob = z
  .object({
    id: z.string(),
    status: ImportStatus,
    mode: ImportMode,
    dryRun: z.boolean(),
    createdAt: Timestamp,
    finishedAt: Timestamp.optional(),
    progress: z.object({
      rowsRead: z.int(),
      rowsChecked: z.int(),
      rowsApplied: z.int(),
      /** Rows a second so far, all stages together. */
      rowsPerSecond: z.int(),
      /** Of a product CSV: pictures on other servers, and how many of them were fetched or turned out to be faulty. */
      pictures: z.int().default(0),
      picturesFetched: z.int().default(0),
    }),
    /** Why it failed, in a sentence. */
    failure: z.string().optional(),
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    issueCount: z.int().optional(),
    result: ImportResult.optional(),
  })
  .meta({ id: 'ImportJob' })
export type ImportJob = z.output<typeof ImportJob>
