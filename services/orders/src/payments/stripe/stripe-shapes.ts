import { z } from 'zod'

// Stripe's responses, cut down to what is needed: card data and addresses of buyers are dropped on arrival.

const Metadata = z
  .record(z.string(), z.string())
  .nullish()
  .transform((metadata) => metadata ?? {})

export const StripeIntent = z.object({
  id: z.string().min(1),
  amount: z.int(),
  amount_received: z.int().default(0),
  currency: z.string(),
  status: z.string(),
  metadata: Metadata,
  last_payment_error: z.object({}).nullish(),
})
export type StripeIntent = z.output<typeof StripeIntent>

export const StripeSession = z.object({
  id: z.string().min(1),
  status: z.string().nullish(),
  payment_status: z.string(),
  amount_total: z.int().nullish(),
  currency: z.string().nullish(),
  client_reference_id: z.string().nullish(),
  metadata: Metadata,
  payment_intent: z.union([z.string(), StripeIntent]).nullish(),
  payment_method_types: z.array(z.string()).default([]),
  url: z.string().nullish(),
})
export type StripeSession = z.output<typeof StripeSession>

export const StripeRefund = z.object({
  id: z.string().min(1),
  amount: z.int(),
  currency: z.string(),
  status: z.string().nullish(),
  payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
  metadata: Metadata,
})
export type StripeRefund = z.output<typeof StripeRefund>

/** Only older versions of the API list the refunds of a charge. */
export const StripeCharge = z.object({ refunds: z.object({ data: z.array(z.unknown()) }).nullish() })

export const StripeEvent = z.object({ type: z.string(), data: z.object({ object: z.unknown() }) })
