import { z } from 'zod'
import { OpaqueId } from '../ids.ts'
import { Timestamp } from './common.ts'
import { DiscountInput } from './discount.ts'
import { ProductInput } from './product-input.ts'
import { ReviewInput } from './review.ts'
import { StorefrontConfiguration } from './storefront.ts'
import { CategoryInput, CollectionInput, SizeChartInput } from './taxonomy.ts'
import { LibraryAssuranceInput, LibraryAttributeInput, LibraryFeatureInput } from './vocabulary.ts'

const rows = <Row extends z.ZodType>(row: Row) => z.array(row).default([])

export const LibraryInput = z.object({
  attributes: rows(LibraryAttributeInput).describe('Of the specification table; each key counts once.'),
  features: rows(LibraryFeatureInput).describe('Cards for the product page.'),
  assurances: rows(LibraryAssuranceInput).describe('Promises for the buy button.'),
})
export type LibraryInput = z.output<typeof LibraryInput>

/** A review as it moves between shops: with its id, and with those that are not shown. */
export const ReviewTransfer = ReviewInput.extend({
  id: OpaqueId.optional().describe(
    'A stored review with it is replaced; left out, the same words are the same review.',
  ),
  published: z.boolean().default(true).describe('False for a review that waits for a merchant or was hidden.'),
})
export type ReviewTransfer = z.output<typeof ReviewTransfer>

export const ImportMode = z.enum(['merge', 'replace'])
export type ImportMode = z.output<typeof ImportMode>

/** The body of POST /admin/import and of GET /admin/export (decisions, section 7). */
export const ImportBody = z
  .object({
    mode: ImportMode.describe(
      '`merge` saves what is here; `replace` also deletes what is not. `?mode=` goes before it.',
    ),
    dry_run: z
      .boolean('must be true or false')
      .optional()
      .describe('True checks and compares everything and changes nothing, as `?dry_run=1` does.'),
    dryRun: z.boolean('must be true or false').optional().describe('Another name of `dry_run`; one of them is enough.'),
    settings: StorefrontConfiguration.optional().describe(
      'Merged into the settings, or put in their place by `replace`; left out, they stay. Needs `settings:write`.',
    ),
    categories: rows(CategoryInput).describe('Known by their slugs, in any order: parents need not come first.'),
    collections: rows(CollectionInput).describe('Known by their slugs; may name products of this import.'),
    sizeCharts: rows(SizeChartInput).describe('Known by their ids; products of this import may name them.'),
    products: rows(ProductInput).describe('Known by their ids, or else by their slugs.'),
    reviews: rows(ReviewTransfer).describe('Published and hidden ones. Needs `reviews:write`.'),
    discounts: rows(DiscountInput).describe(
      'Known by their codes; left out, those of the shop stay, with `replace` too. Needs `discounts:write`.',
    ),
    library: LibraryInput.optional().describe('Attributes, feature cards and assurances for products to use.'),
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

export const ImportCounts = z.object({
  created: z.int().describe('Were not in the shop before.'),
  updated: z.int().describe('Were there and differ now.'),
  deleted: z.int().describe('Were not in the import; always 0 with `merge`.'),
  unchanged: z.int().describe('Were in the shop exactly so.'),
})
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
    ok: z.literal(true).describe('Always true: an import with a fault changes nothing and is an error.'),
    mode: ImportMode.describe('The mode in which it ran.'),
    products: z.int().describe('Products that were in the import, whatever became of them.'),
    counts: z.record(z.enum(IMPORT_KINDS), ImportCounts).describe('What became of the rows, kind by kind.'),
    settingsChanged: z.boolean().describe('Whether the storefront configuration is another one now.'),
    durationMs: z.int().describe('Milliseconds that it took to apply or compare, without the upload.'),
    dryRun: z.literal(true).optional().describe('True when nothing was written and this is what would happen.'),
    changes: z
      .array(
        z.object({
          slug: z.string().describe('Slug of the product in the import.'),
          fields: z.array(z.string()).describe('Names of the fields that would differ.'),
        }),
      )
      .optional()
      .describe('Of a dry run: the first hundred products that would change.'),
    pictures: z.int().optional().describe('Of a product CSV: pictures that were fetched from other servers.'),
    columnsNotTaken: z
      .array(z.string())
      .optional()
      .describe('Of a product CSV: columns with values for which a product has no place, by their names in the file.'),
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
    id: z.string().describe('For GET and DELETE /admin/import/{id}.'),
    status: ImportStatus.describe('From `receiving` on; `done`, `failed` and `cancelled` are final.'),
    mode: ImportMode.describe('As requested; known for certain when the upload has been read.'),
    dryRun: z.boolean().describe('Whether it only compares and changes nothing.'),
    createdAt: Timestamp.describe('When the upload began. ISO 8601, UTC.'),
    finishedAt: Timestamp.optional().describe('When it ended, with success or without; absent until then.'),
    progress: z
      .object({
        rowsRead: z.int().describe('Rows of the upload that were read so far.'),
        rowsChecked: z.int().describe('Rows that were compared with the shop.'),
        rowsApplied: z.int().describe('Rows that were written so far; they take effect together, at the end.'),
        rowsPerSecond: z.int().describe('Rows read per second since it began, all stages together.'),
        pictures: z.int().default(0).describe('Of a product CSV: pictures on other servers to fetch.'),
        picturesFetched: z.int().default(0).describe('How many of them were fetched, or found to be faulty.'),
      })
      .describe('How far it is.'),
    failure: z.string().optional().describe('Why it failed, in a sentence; absent when it did not.'),
    issues: z
      .array(
        z.object({
          path: z
            .string()
            .describe('Where the fault is: such as `products.3.price`, `line 7: data.title` or a cell of a CSV.'),
          message: z.string().describe('What is wrong there, and what is allowed.'),
        }),
      )
      .optional()
      .describe('The first hundred faults of the rows, when it has ended and there are any.'),
    issueCount: z.int().optional().describe('How many faults there are in all.'),
    result: ImportResult.optional().describe('What it did; absent until it is done.'),
  })
  .meta({ id: 'ImportJob' })
export type ImportJob = z.output<typeof ImportJob>
