import { z } from 'zod'

export interface StripeIntent {
  id: string
  object: 'payment_intent'
  amount: number
  amount_received: number
  currency: string
  status: string
  created: number
  metadata: Record<string, string>
  last_payment_error: { card: { last4: string } } | null
}

export interface StripeSession {
  id: string
  object: 'checkout.session'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  amount_total: number
  currency: string
  client_reference_id: string | null
  metadata: Record<string, string>
  payment_intent: string | null
  payment_method_types: string[]
  url: string | null
  expires_at: number
  success_url: string
}

export interface StripeRefund {
  id: string
  object: 'refund'
  amount: number
  currency: string
  status: string
  created: number
  payment_intent: string
  metadata: Record<string, string>
}

/** Parses a form in the format of Stripe: `a[b][0][c]=d`. */
export function readForm(text: string): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    let place = root
    for (const part of path.slice(0, -1)) {
      const inner = z.record(z.string(), z.unknown()).safeParse(place[part]).data ?? {}
      place[part] = inner
      place = inner
    }
    place[path.at(-1) ?? ''] = value
  }
  return root
}

const Metadata = z.record(z.string(), z.string()).default({})
export const NewSession = z.object({
  mode: z.literal('payment'),
  line_items: z.object({
    0: z.object({
      quantity: z.literal('1'),
      price_data: z.object({
        currency: z.string().regex(/^[a-z]{3}$/),
        unit_amount: z.coerce.number().int().min(0),
        product_data: z.object({ name: z.string().min(1).max(250) }),
      }),
    }),
  }),
  client_reference_id: z.string().max(200).optional(),
  metadata: Metadata,
  payment_intent_data: z.object({ metadata: Metadata }),
  adaptive_pricing: z.object({ enabled: z.enum(['true', 'false']) }).optional(),
  customer_email: z.string().optional(),
  expires_at: z.coerce.number().int(),
  success_url: z.url(),
  cancel_url: z.url().optional(),
})
export const NewRefund = z.object({
  payment_intent: z.string(),
  amount: z.coerce.number().int().min(1),
  metadata: Metadata,
})
