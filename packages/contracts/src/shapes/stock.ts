import { z } from 'zod'
import { Timestamp } from './common.ts'

export const MOVEMENT_KINDS = ['set', 'adjusted', 'reserved', 'released', 'sold', 'returned'] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/** One row of a variant's ledger: what changed, because of what, and what there was after it. */
export const StockMovement = z
  .object({
    id: z.int().describe('Grows with every movement in the shop; not without gaps.'),
    at: Timestamp.describe('When the stock was moved. ISO 8601, UTC.'),
    kind: z
      .enum(MOVEMENT_KINDS)
      .describe('`set` and `adjusted` by a merchant; `reserved`, `released`, `sold` and `returned` by orders.'),
    onHandDelta: z.int().describe('Units that came to the stock; negative for those that left it.'),
    reservedDelta: z.int().describe('Units that were reserved for a checkout; negative for those no longer reserved.'),
    reason: z.string().nullable().describe('What the merchant gave as the reason; null when nothing was given.'),
    reference: z.string().nullable().describe('The reservation that moved the stock; null when a merchant did.'),
    operationId: z
      .string()
      .nullable()
      .describe('As sent with an adjustment, so that it counts once; null without one.'),
    actor: z.string().nullable().describe('Id of the admin user or the secret key; null when no merchant did it.'),
    after: z
      .object({
        onHand: z.int().describe('Units in the store, reserved ones too.'),
        reserved: z.int().describe('Units that checkouts hold.'),
        inventory: z.int().describe('Units that can be bought: on hand minus reserved.'),
      })
      .describe('The stock right after this movement.'),
  })
  .meta({ id: 'StockMovement' })
export type StockMovement = z.output<typeof StockMovement>
