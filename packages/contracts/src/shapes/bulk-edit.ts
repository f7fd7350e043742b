import { z } from 'zod'
import { NamedActor } from '../activity.ts'
import { OpaqueId } from '../ids.ts'
import { Money } from '../money.ts'
import { Slug, Timestamp } from './common.ts'
import { AdminProductFilters } from './product.ts'

/** Ids that one request may name; a filter may match any number of products. */
const MAX_BULK_EDIT_IDS = 1000
/** Products that a preview shows as they would be. */
export const MAX_BULK_EDIT_SAMPLES = 20
/** Products that could not be changed and are listed with the reason. */
export const MAX_BULK_EDIT_PROBLEMS = 100

/** The products of a bulk edit. */
export const BulkEditSelection = z
  .union([
    z.object({
      ids: z.array(OpaqueId).min(1).max(MAX_BULK_EDIT_IDS).describe('Ids of products, published or not.'),
    }),
    z.object({
      filter: AdminProductFilters.describe(
        'All products that GET /admin/products lists with these parameters; `{}` is the whole shop.',
      ),
    }),
  ])
  .meta({ id: 'BulkEditSelection' })
export type BulkEditSelection = z.output<typeof BulkEditSelection>

function added<Item extends z.ZodType>(item: Item, what: string) {
  return z.array(item).max(100).default([]).describe(`${what} that the products get, unless they have them.`)
}

function removed<Item extends z.ZodType>(item: Item, what: string) {
  return z.array(item).max(100).default([]).describe(`${what} that the products lose. One that is also added stays.`)
}

const namesSome = ({ add, remove }: { add: readonly string[]; remove: readonly string[] }) =>
  add.length + remove.length > 0

const tag = z.string().trim().min(1).max(100)

const PriceChange = z.object({
  kind: z.literal('price').describe('Changes prices by a percentage.'),
  percent: z
    .number()
    .gt(-100)
    .max(1000)
    .multipleOf(0.01)
    .refine((percent) => percent !== 0, 'must not be 0')
    .describe(
      'Such as -20 for a fifth less, with up to two decimals. Each price is rounded half up to whole smallest units.',
    ),
  endsIn: z
    .int()
    .min(0)
    .max(99)
    .optional()
    .describe(
      'The last two digits of the new amounts, such as 99: each becomes the nearest such amount, of two the higher.',
    ),
  keepAsCompareAt: z
    .boolean()
    .default(false)
    .describe(
      'Puts on sale: a price that falls becomes the `compareAtPrice`, unless there is a higher one already, which stays.',
    ),
})
export type PriceChange = z.output<typeof PriceChange>

/** What a bulk edit does to each of its products. */
export const BulkEditChange = z
  .discriminatedUnion('kind', [
    PriceChange,
    z.object({
      kind: z
        .literal('end-sale')
        .describe('Ends a sale: a `compareAtPrice` above the price becomes the price, and is removed.'),
    }),
    z
      .object({
        kind: z.literal('tags').describe('Adds and removes tags.'),
        add: added(tag, 'Tags'),
        remove: removed(tag, 'Tags'),
      })
      .refine(namesSome, 'must add or remove at least one tag'),
    z.object({
      kind: z.literal('published').describe('Shows products to shoppers, or hides them.'),
      published: z.boolean().describe('False hides the products.'),
    }),
    z
      .object({
        kind: z.literal('categories').describe('Adds and removes categories.'),
        add: added(Slug, 'Categories'),
        remove: removed(Slug, 'Categories'),
      })
      .refine(namesSome, 'must add or remove at least one category'),
  ])
  .meta({ id: 'BulkEditChange' })
export type BulkEditChange = z.output<typeof BulkEditChange>

/** The body of POST /admin/products/bulk and of its preview. */
export const BulkEditRequest = z
  .object({
    products: BulkEditSelection.describe('The products, by their ids or by a filter.'),
    change: BulkEditChange.describe('What is changed about each of them.'),
  })
  .meta({ id: 'BulkEditRequest' })
export type BulkEditRequest = z.output<typeof BulkEditRequest>

/** The fields of a product that a bulk edit changes, with their values before or after it. */
export const BulkEditFields = z
  .object({
    price: Money.optional().describe('Price of the product.'),
    compareAtPrice: Money.nullable().optional().describe('Former price of the product; null for none.'),
    published: z.boolean().optional().describe('Whether shoppers see the product.'),
    tags: z.array(z.string()).optional().describe('All tags of the product.'),
    categories: z.array(z.string()).optional().describe('Slugs of all categories of the product.'),
    variants: z
      .array(
        z.object({
          id: z.string().describe('Id of the variant.'),
          sku: z.string().describe('SKU of the variant.'),
          price: Money.nullable().describe('Its own price; null for that of the product.'),
          compareAtPrice: Money.nullable().describe('Its own former price; null for none.'),
        }),
      )
      .optional()
      .describe('Variants whose own prices are changed.'),
  })
  .meta({ id: 'BulkEditFields' })
export type BulkEditFields = z.output<typeof BulkEditFields>

export const BulkEditProblem = z
  .object({
    id: z.string().describe('Id of the product.'),
    title: z.string().nullable().describe('Title of the product; null when it does not exist.'),
    reason: z
      .enum(['deleted', 'not-possible', 'changed-since', 'error'])
      .describe(
        '`deleted`: it does not exist; `not-possible`: the result would not be valid; `changed-since`: an undo found ' +
          'another value than the bulk edit had written; `error`: a fault on our side.',
      ),
    message: z.string().describe('The same in a sentence.'),
  })
  .meta({ id: 'BulkEditProblem' })
export type BulkEditProblem = z.output<typeof BulkEditProblem>

const problems = z
  .array(BulkEditProblem)
  .max(MAX_BULK_EDIT_PROBLEMS)
  .describe(`The first ${MAX_BULK_EDIT_PROBLEMS} of the products that \`failed\` counts.`)

/** What a bulk edit would do. */
export const BulkEditPreview = z
  .object({
    total: z.int().nonnegative().describe('Products of the selection.'),
    changed: z.int().nonnegative().describe('Products that would change.'),
    unchanged: z.int().nonnegative().describe('Products that are already as the change would make them.'),
    failed: z.int().nonnegative().describe('Products that cannot be changed.'),
    sample: z
      .array(
        z.object({
          id: z.string().describe('Id of the product.'),
          title: z.string().describe('Title of the product.'),
          before: BulkEditFields.describe('The fields that would change, as they are.'),
          after: BulkEditFields.describe('The same fields as they would be.'),
        }),
      )
      .max(MAX_BULK_EDIT_SAMPLES)
      .describe(`The newest products that would change, ${MAX_BULK_EDIT_SAMPLES} at most.`),
    problems,
  })
  .meta({ id: 'BulkEditPreview' })
export type BulkEditPreview = z.output<typeof BulkEditPreview>

export const BulkEditState = z.enum(['queued', 'running', 'done', 'cancelled'])
export type BulkEditState = z.output<typeof BulkEditState>

/** A bulk edit, or the undo of one, as a job. */
export const BulkEdit = z
  .object({
    id: z.string().describe('For GET and DELETE /admin/products/bulk/{id} and its undo.'),
    state: BulkEditState.describe('`done` and `cancelled` are final.'),
    change: BulkEditChange.optional().describe('As requested; left out for an undo.'),
    undoes: z.string().optional().describe('For an undo: id of the bulk edit that it undoes.'),
    undoneBy: z.string().optional().describe('Id of the undo of this bulk edit, if there is one.'),
    total: z.int().nonnegative().describe('Products that were selected when it was requested.'),
    done: z.int().nonnegative().describe('Products that were processed so far.'),
    changed: z.int().nonnegative().describe('Of these, products that were changed.'),
    unchanged: z.int().nonnegative().describe('Of these, products that were already as requested.'),
    failed: z.int().nonnegative().describe('Of these, products that could not be changed.'),
    problems,
    by: NamedActor.describe('Who requested it.'),
    createdAt: Timestamp.describe('When it was requested. ISO 8601, UTC.'),
    finishedAt: Timestamp.optional().describe('When it was done or canceled; left out until then.'),
    undoUntil: Timestamp.optional().describe(
      'Until when it can be undone; left out before its end, when it changed nothing, when it is undone, and for an undo.',
    ),
  })
  .meta({ id: 'BulkEdit' })
export type BulkEdit = z.output<typeof BulkEdit>
