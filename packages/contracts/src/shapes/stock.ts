import { z } from 'zod'
import { Timestamp } from './common.ts'

export const MOVEMENT_KINDS = ['set', 'adjusted', 'reserved', 'released', 'sold', 'returned'] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/** One row of a variant's ledger: what changed, because of what, and what there was after it. */
export const StockMovement = z
  .object({
    id: z.int(),
    at: Timestamp,
    kind: z.enum(MOVEMENT_KINDS),
    onHandDelta: z.int(),
    reservedDelta: z.int(),
    /** What the merchant gave as the reason. */
    reason: z.string().nullable(),
    /** What moved it when no merchant did: the claim of a reservation. */
    reference: z.string().nullable(),
    operationId: z.string().nullable(),
    /** Id of the admin user or of the secret key. */
    actor: z.string().nullable(),
    after: z.object({ onHand: z.int(), reserved: z.int(), inventory: z.int() }),
  })
  .meta({ id: 'StockMovement' })
export type StockMovement = z.output<typeof StockMovement>
