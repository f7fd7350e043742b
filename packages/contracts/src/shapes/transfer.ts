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
  attributes: rows(LibraryAttributeInput).describe('Values of the specification table; each key counts once.'),
  features: rows(LibraryFeatureInput).describe('Cards for the product page.'),
  assurances: rows(LibraryAssuranceInput).describe('Promises for the buy button.'),
})
export type LibraryInput = z.output<typeof LibraryInput>

/** A review as it is moved between shops: with its id, and including those that are not shown. */
export const ReviewTransfer = ReviewInput.extend({
  id: OpaqueId.optional().describe(
    'An existing review with this id is replaced; if left out, reviews with the same text are the same review.',
  ),
  published: z.boolean().default(true).describe('False for a review that is pending or hidden.'),
  hidden: z
    .boolean()
    .optional()
    .describe(
      'Of a review that is not `published`: true if it was hidden, false if it is pending. If left out, an existing one stays as it is.',
    ),
}).refine(({ published, hidden }) => !published || hidden !== true, {
  path: ['hidden'],
  error: 'must be false for a published review',
})
export type ReviewTransfer = z.output<typeof ReviewTransfer>

export const ImportMode = z.enum(['merge', 'replace'])
export type ImportMode = z.output<typeof ImportMode>

/** The body of POST /admin/import and of GET /admin/export. */
export const ImportBody = z
  .object({
    mode: ImportMode.describe(
      '`merge` saves the records in the file; `replace` also deletes all others. `?mode=` takes precedence.',
    ),
    dry_run: z
      .boolean('must be true or false')
      .optional()
      .describe('True validates and compares everything and changes nothing, like `?dry_run=1`.'),
    dryRun: z.boolean('must be true or false').optional().describe('Another name of `dry_run`; one of them is enough.'),
    settings: StorefrontConfiguration.optional().describe(
      'Merged into the settings, or replacing them with `replace`; if left out, they stay. Needs `settings:write`.',
    ),
    categories: rows(CategoryInput).describe('Identified by their slugs, in any order: parents need not come first.'),
    collections: rows(CollectionInput).describe('Identified by their slugs; may name products of this import.'),
    sizeCharts: rows(SizeChartInput).describe('Identified by their ids; products of this import may name them.'),
    products: rows(ProductInput).describe('Identified by their ids, or else by their slugs.'),
    reviews: rows(ReviewTransfer).describe(
      'Published and hidden ones. Needs `reviews:write`, and so does `replace` without any.',
    ),
    discounts: rows(DiscountInput).describe(
      'Identified by their codes; if left out, existing ones stay, with `replace` too. Needs `discounts:write`.',
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
  created: z.int().describe('Records that the shop did not have before.'),
  updated: z.int().describe('Records that the shop had with other values.'),
  deleted: z.int().describe('Records that were not in the import; always 0 with `merge`.'),
  unchanged: z.int().describe('Records that the shop had with the same values.'),
})
export type ImportCounts = z.output<typeof ImportCounts>

const IMPORT_KINDS = ['products', 'categories', 'collections', 'sizeCharts', 'reviews', 'library', 'discounts'] as const

/** The result of an import, or with `dryRun` the expected result. */
export const ImportResult = z
  .object({
    ok: z.literal(true).describe('Always true: an import with an error changes nothing and gets an error response.'),
    mode: ImportMode.describe('The mode in which it ran.'),
    products: z.int().describe('Products in the import.'),
    counts: z.record(z.enum(IMPORT_KINDS), ImportCounts).describe('Results by kind of record.'),
    settingsChanged: z.boolean().describe('Whether the storefront configuration changed.'),
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
      .describe('For a dry run: the first hundred products that would change.'),
    pictures: z.int().optional().describe('For a product CSV: pictures that were fetched from other servers.'),
    columnsNotTaken: z
      .array(z.string())
      .optional()
      .describe('For a product CSV: columns with values that products have no field for, by their names in the file.'),
    unknownSettings: z
      .array(z.string())
      .optional()
      .describe(
        'Paths in the settings that the configuration does not declare, the first hundred: they are stored and published, and ' +
          'have no effect. Left out if there are none.',
      ),
  })
  .meta({ id: 'ImportResult' })
export type ImportResult = z.output<typeof ImportResult>

const IMPORT_STATUSES = [
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

/** An import as GET /admin/import/:id returns it. */
export const ImportJob = z
  .object({
    id: z.string().describe('For GET and DELETE /admin/import/{id}.'),
    status: ImportStatus.describe('From `receiving` on; `done`, `failed` and `cancelled` are final.'),
    mode: ImportMode.describe('As requested; final once the upload has been read.'),
    dryRun: z.boolean().describe('Whether it only compares and changes nothing.'),
    actor: z.string().optional().describe('Id of the admin user or secret key that sent it.'),
    createdAt: Timestamp.describe('When the upload began. ISO 8601, UTC.'),
    finishedAt: Timestamp.optional().describe('When it ended, successfully or not; left out until then.'),
    progress: z
      .object({
        rowsRead: z.int().describe('Rows of the upload that were read so far.'),
        rowsChecked: z.int().describe('Rows that were compared with the shop.'),
        rowsApplied: z.int().describe('Rows that were written so far; they take effect together, at the end.'),
        rowsPerSecond: z.int().describe('Rows read per second since it began, all stages together.'),
        pictures: z.int().default(0).describe('For a product CSV: pictures on other servers to fetch.'),
        picturesFetched: z.int().default(0).describe('How many of them were fetched, or found to be invalid.'),
      })
      .describe('Progress of the import.'),
    failure: z.string().optional().describe('Why it failed, in a sentence; left out if it did not fail.'),
    issues: z
      .array(
        z.object({
          path: z
            .string()
            .describe('Location of the error, such as `products.3.price`, `line 7: data.title` or a cell of a CSV.'),
          message: z.string().describe('What is wrong there, and what is allowed.'),
        }),
      )
      .optional()
      .describe('The first hundred errors of the rows, when it has ended and there are any.'),
    issueCount: z.int().optional().describe('Number of all errors.'),
    result: ImportResult.optional().describe('Result of the import; left out until it is done.'),
  })
  .meta({ id: 'ImportJob' })
export type ImportJob = z.output<typeof ImportJob>
