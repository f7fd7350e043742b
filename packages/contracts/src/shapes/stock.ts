import { z } from 'zod'
import { Timestamp } from './common.ts'
import { Variant } from './product.ts'

const MOVEMENT_KINDS = ['set', 'adjusted', 'reserved', 'released', 'sold', 'returned'] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/** The stock of a variant in numbers. */
const level = {
  onHand: z.int().describe('Units in stock, including reserved ones.'),
  reserved: z.int().describe('Units held by checkouts.'),
  inventory: z.int().describe('Units that can be bought: on hand minus reserved.'),
}

/** One row of a variant's ledger: the change, its cause, and the stock after it. */
export const StockMovement = z
  .object({
    id: z.int().describe('Increases with every movement in the shop; may have gaps.'),
    at: Timestamp.describe('When the stock was moved. ISO 8601, UTC.'),
    kind: z
      .enum(MOVEMENT_KINDS)
      .describe('`set` and `adjusted` by a merchant; `reserved`, `released`, `sold` and `returned` by orders.'),
    onHandDelta: z.int().describe('Units added to the stock; negative for units removed.'),
    reservedDelta: z.int().describe('Units reserved for a checkout; negative for units released.'),
    reason: z.string().nullable().describe('The reason that the merchant gave; null if there is none.'),
    reference: z.string().nullable().describe("The reservation that moved the stock; null for a merchant's change."),
    operationId: z
      .string()
      .nullable()
      .describe('As sent with an adjustment, which counts once for each id; null without one.'),
    actor: z
      .string()
      .nullable()
      .describe('Id of the admin user or the secret key; null when the change was not made by a merchant.'),
    after: z.object(level).describe('The stock right after this movement.'),
  })
  .meta({ id: 'StockMovement' })
export type StockMovement = z.output<typeof StockMovement>

/** A variant of which few units are left, with its product and its stock. */
export const LowStockVariant = Variant.pick({ id: true, sku: true, options: true })
  .extend({
    product: z
      .object({
        id: z.string().describe('For the routes below `/admin/products`.'),
        slug: z.string().describe('Current slug of its product page.'),
        title: z.string().describe('Its current title.'),
        published: z.boolean().describe('False for a draft, which shoppers cannot buy whatever its stock.'),
      })
      .describe('The product of the variant.'),
    ...level,
  })
  .meta({ id: 'LowStockVariant' })
export type LowStockVariant = z.output<typeof LowStockVariant>
