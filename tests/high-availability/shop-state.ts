import { z } from 'zod'
import { OrderRecord } from './order-record.ts'

/** A mail that a mail server received. */
export const SentMail = z.object({
  /** Such as `orderPlaced`. */
  kind: z.string(),
  orderNumber: z.string(),
  to: z.string(),
})
export type SentMail = z.output<typeof SentMail>

/** A webhook that the receiver has acknowledged. */
export const ReceivedEvent = z.object({
  /** The same at every attempt to deliver this event. */
  id: z.string(),
  type: z.string(),
  orderId: z.string(),
  /** The whole payload as text, with which deliveries of one event are compared. */
  payload: z.string(),
})
export type ReceivedEvent = z.output<typeof ReceivedEvent>

/** A payment that the provider has captured. */
const ProviderPayment = z.object({
  id: z.string(),
  /** The id of the payment session at the shop. */
  sessionId: z.string(),
  isRefunded: z.boolean(),
})

/** An event of a service that one of its consumers has not processed. */
const UnconsumedEvent = z.object({ id: z.string(), name: z.string(), consumer: z.string() })

/** Everything about a shop that can be seen from outside, at one time, and what only its database shows of events. */
export const ShopState = z.object({
  orders: z.array(OrderRecord),
  stock: z.array(z.object({ variantId: z.string(), onHand: z.int(), reserved: z.int() })),
  mails: z.array(SentMail),
  /** Mails of which the shop does not know whether they arrived; it never sends such a mail again. */
  uncertainMails: z.array(SentMail),
  events: z.array(ReceivedEvent),
  payments: z.array(ProviderPayment),
  /** How many events its services have published since it is observed. */
  published: z.int(),
  unconsumed: z.array(UnconsumedEvent),
  /** What the shop still did when this was read; the comparison is not exact then. */
  unfinished: z.array(z.string()),
})
export type ShopState = z.output<typeof ShopState>
