import { z } from 'zod'

// Razorpay's responses, cut down to what is needed: card data and addresses of buyers are dropped on arrival.

/** Without notes it sends an empty array in place of an object. */
const Notes = z
  .unknown()
  .transform((notes): Record<string, unknown> => z.record(z.string(), z.unknown()).catch({}).parse(notes))

export const RazorpayOrder = z.object({
  id: z.string().min(1),
  amount: z.int(),
  currency: z.string(),
  receipt: z.string().nullish(),
  notes: Notes,
  created_at: z.number().default(0),
})
export type RazorpayOrder = z.output<typeof RazorpayOrder>

export const RazorpayPayment = z.object({
  id: z.string().min(1),
  order_id: z.string().nullish(),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  method: z.string().nullish(),
})
export type RazorpayPayment = z.output<typeof RazorpayPayment>

export const RazorpayRefund = z.object({
  id: z.string().min(1),
  payment_id: z.string().min(1),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  receipt: z.string().nullish(),
  notes: Notes,
})
export type RazorpayRefund = z.output<typeof RazorpayRefund>

/** As many as Razorpay lists at once. */
export const LISTED = 100

export const listOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item) })

export const RazorpayFailure = z.object({
  error: z.object({ code: z.string().default(''), description: z.string().nullish() }),
})

const entityOf = <Entity extends z.ZodType>(entity: Entity) => z.object({ entity }).optional()

export const RazorpayEvent = z.object({
  event: z.string(),
  payload: z
    .object({ payment: entityOf(RazorpayPayment), order: entityOf(RazorpayOrder), refund: entityOf(RazorpayRefund) })
    .default({}),
})
