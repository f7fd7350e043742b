import { z } from 'zod'

export interface RazorpayOrder {
  id: string
  entity: 'order'
  amount: number
  amount_paid: number
  currency: string
  receipt: string | null
  status: string
  /** An empty array when there are none, as in the real API. */
  notes: Record<string, string> | []
  created_at: number
}

export interface RazorpayPayment {
  id: string
  entity: 'payment'
  order_id: string
  amount: number
  amount_refunded: number
  currency: string
  status: 'created' | 'authorized' | 'captured' | 'refunded' | 'failed'
  captured: boolean
  method: string
  card: { last4: string }
  email: string
  notes: []
  created_at: number
}

export interface RazorpayRefund {
  id: string
  entity: 'refund'
  payment_id: string
  amount: number
  currency: string
  status: 'pending' | 'processed' | 'failed'
  receipt: string | null
  notes: Record<string, string> | []
  created_at: number
}

export const NewOrder = z.object({
  amount: z.int().min(1),
  currency: z.string().length(3),
  receipt: z.string().max(40).optional(),
  notes: z.record(z.string(), z.string()).optional(),
  payment: z
    .object({
      capture: z.enum(['automatic', 'manual']),
      capture_options: z.object({
        automatic_expiry_period: z.int().min(12).max(7200),
        manual_expiry_period: z.int().min(12).max(7200),
        refund_speed: z.enum(['normal', 'optimum']),
      }),
    })
    .optional(),
})
export const Capture = z.object({ amount: z.int(), currency: z.string() })
export const NewRefund = z.object({
  amount: z.int().min(1),
  speed: z.string().optional(),
  receipt: z.string().max(40).optional(),
  notes: z.record(z.string(), z.string()).optional(),
})
