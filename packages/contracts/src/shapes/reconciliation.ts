import { z } from 'zod'
import { Timestamp } from './common.ts'

/** Something that does not add up between orders, payments, holds and stock. */
export const Finding = z
  .object({
    /** For machines, such as `refund_stuck`. */
    kind: z.string(),
    /** What it is about: the id of an order, a payment, a hold … */
    subject: z.string(),
    /** For whoever runs the shop: what is wrong, and what to do about it. */
    message: z.string(),
  })
  .meta({ id: 'Finding' })
export type Finding = z.output<typeof Finding>

/** The last comparison of the books (decisions, section 5: nothing is lost, nothing is sold twice). */
export const Reconciliation = z
  .object({
    /** At most the first thousand of them; `total` counts all that were found, at most a thousand of each kind of ours. */
    items: z.array(Finding),
    total: z.int().nonnegative(),
    /** What was put right on the way. */
    repaired: z.array(Finding),
    /** The books were compared, everybody could be asked, and there is no finding. */
    ok: z.boolean(),
    /** Whoever could not be asked, so that nothing is said of his books. */
    unasked: z.array(z.string()),
    /** Nothing when the books were never compared. */
    checkedAt: Timestamp.nullable(),
    durationMs: z.int().nonnegative(),
  })
  .meta({ id: 'Reconciliation' })
export type Reconciliation = z.output<typeof Reconciliation>
