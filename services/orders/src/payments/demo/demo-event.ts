import { z } from 'zod'
import { CurrencyCode, newId } from '@storefront/contracts'
import type { ProviderEvent } from '../../webhooks/webhooks.queries.ts'
import type { PaymentUpdate, ProviderUpdate, RefundUpdate } from '../provider.ts'
import type { DemoSession } from './demo.queries.ts'

export const DEMO = 'demo'

const PAYMENT_TYPES = {
  'payment.authorized': 'authorized',
  'payment.captured': 'captured',
  'payment.failed': 'failed',
  'payment.cancelled': 'cancelled',
  'payment.expired': 'expired',
} as const satisfies Record<string, PaymentUpdate['status']>
const REFUND_TYPES = {
  'refund.pending': 'pending',
  'refund.succeeded': 'succeeded',
  'refund.failed': 'failed',
} as const satisfies Record<string, RefundUpdate['status']>

const amount = z.object({ amount: z.int().nonnegative(), currency: CurrencyCode })

/** The demo provider's event about a payment. */
const PaymentEvent = z.object({
  type: z.enum(['payment.authorized', 'payment.captured', 'payment.failed', 'payment.cancelled', 'payment.expired']),
  /** The provider's id of the session, and the shop's. */
  session: z.string().optional(),
  session_id: z.string().optional(),
  payment: z.string().optional(),
  total: amount.optional(),
})

/** The demo provider's event about a refund. */
const RefundEvent = z.object({
  type: z.enum(['refund.pending', 'refund.succeeded', 'refund.failed']),
  refund: z.string(),
  refund_id: z.string().optional(),
  payment: z.string(),
  total: amount,
})

const DemoEvent = z.discriminatedUnion('type', [PaymentEvent, RefundEvent])
const AnyEvent = z.object({ type: z.string().min(1).max(100) })

/** The type of an event, including types that the shop ignores; undefined when it is not an event. */
export function typeOfDemoEvent(body: Buffer): string | undefined {
  return AnyEvent.safeParse(parsed(body)).data?.type
}

/** What an event means; nothing for an unknown type. @throws Error when it cannot be read */
export function updateOfDemoEvent(body: Buffer): ProviderUpdate | undefined {
  const { type } = AnyEvent.parse(parsed(body))
  if (!Object.hasOwn(PAYMENT_TYPES, type) && !Object.hasOwn(REFUND_TYPES, type)) return undefined
  const event = DemoEvent.parse(parsed(body))
  if (!('refund' in event)) {
    return {
      kind: 'payment',
      provider: DEMO,
      status: PAYMENT_TYPES[event.type],
      reference: event.payment,
      sessionId: event.session_id,
      providerSession: event.session,
      orderId: undefined,
      amount: event.total,
      method: DEMO,
    }
  }
  return {
    kind: 'refund',
    provider: DEMO,
    status: REFUND_TYPES[event.type],
    reference: event.refund,
    refundId: event.refund_id,
    paymentReference: event.payment,
    amount: event.total,
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const TYPE_OF = { paid: 'payment.captured', declined: 'payment.failed', cancelled: 'payment.cancelled' } as const

/** The event that reports the buyer's decision to the shop. */
export function demoEventOf(session: DemoSession, decision: keyof typeof TYPE_OF): ProviderEvent {
  const event: z.input<typeof PaymentEvent> = {
    type: TYPE_OF[decision],
    session: session.id,
    session_id: session.session_id,
    ...(session.payment_reference === null ? {} : { payment: session.payment_reference }),
    total: { amount: session.total_minor, currency: session.currency },
  }
  return { provider: DEMO, eventId: newId('event'), type: event.type, payload: Buffer.from(JSON.stringify(event)) }
}
