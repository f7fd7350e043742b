import { z } from 'zod'

/** The statuses of an order that is not canceled, in the order in which it gets them. */
export const ORDER_PROGRESS = ['placed', 'paid', 'fulfilled', 'delivered'] as const
const OrderStatus = z.enum([...ORDER_PROGRESS, 'cancelled'])
/** The statuses of a payment that did not fail, in the order in which it gets them. */
export const PAYMENT_PROGRESS = ['pending', 'authorized', 'captured', 'partially_refunded', 'refunded'] as const
const PaymentStatus = z.enum([...PAYMENT_PROGRESS, 'failed'])

/** What the checker compares of an order, with every amount in minor units. */
export const OrderRecord = z.object({
  id: z.string(),
  number: z.string(),
  status: OrderStatus,
  email: z.string(),
  currency: z.string(),
  totalMinor: z.int(),
  lines: z.array(z.object({ id: z.string(), variantId: z.string(), quantity: z.int(), unitMinor: z.int() })),
  payment: z.object({
    provider: z.string(),
    status: PaymentStatus,
    /** Its id at the provider, which only admins see. */
    reference: z.string().optional(),
  }),
  refunds: z.array(
    z.object({
      status: z.string(),
      /** Whether it returned the goods of the whole order. */
      restocked: z.boolean(),
      lines: z.array(z.object({ lineId: z.string(), restocked: z.int() })),
    }),
  ),
  /** Why the order needs a person, if it does; only admins see it. */
  attention: z.string().nullable(),
})
export type OrderRecord = z.output<typeof OrderRecord>

const Money = z.looseObject({ amount: z.int(), currency: z.string() })

/** An order in a response of the shop, to buyers and to admins. */
const ShownOrder = z.looseObject({
  id: z.string(),
  number: z.string(),
  status: OrderStatus,
  email: z.string(),
  total: Money,
  lines: z.array(z.looseObject({ id: z.string(), variantId: z.string(), quantity: z.int(), unitPrice: Money })),
  payment: z.looseObject({ provider: z.string(), status: PaymentStatus, reference: z.string().optional() }),
  refunds: z.array(
    z.looseObject({
      status: z.string(),
      restocked: z.boolean(),
      lines: z.array(z.looseObject({ lineId: z.string(), restocked: z.int() })).optional(),
    }),
  ),
  attention: z.string().optional(),
})

/**
 * Reads an order from the body of a response.
 * @returns undefined when the body is not an order, such as a payment page
 */
export function readOrderRecord(body: unknown): OrderRecord | undefined {
  const { data } = ShownOrder.safeParse(body)
  if (!data) return undefined
  const { id, number, status, email, total, lines, payment, refunds, attention = null } = data
  return OrderRecord.parse({
    id,
    number,
    status,
    email,
    currency: total.currency,
    totalMinor: total.amount,
    lines: lines.map(({ unitPrice, ...line }) => ({ ...line, unitMinor: unitPrice.amount })),
    payment,
    refunds: refunds.map((refund) => ({ ...refund, lines: refund.lines ?? [] })),
    attention,
  })
}

/** Whether the money of the order was received, even if it was refunded afterwards. */
export function isCaptured({ payment }: OrderRecord): boolean {
  return PAYMENT_PROGRESS.indexOf('captured') <= progressOf(PAYMENT_PROGRESS, payment.status)
}

/** @returns how far it got; -1 for a value outside of the list */
export function progressOf(progress: readonly string[], value: string): number {
  return progress.indexOf(value)
}
