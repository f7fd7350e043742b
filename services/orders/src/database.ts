import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'
import type {
  CheckoutSession,
  OrderAttention,
  OrderStatus,
  PaymentStatus,
  RefundStatus,
  Tracking,
} from '@storefront/contracts'
import type { OrderDocument } from './orders/order.ts'

export interface OrdersTables {
  orders: {
    id: string
    number: string
    cart_id: string
    customer_id: string | null
    email: string
    email_canonical: string | null
    status: OrderStatus
    placed_at: Date
    document: ColumnType<OrderDocument, string, string>
    payment_provider: string
    payment_status: PaymentStatus
    payment_method: string | null
    payment_reference: string | null
    claim: string | null
    attention: OrderAttention | null
    tracking: ColumnType<Tracking | null, string | null, string | null>
    captured_minor: number
    refunded_minor: number
    restocked_at: Date | null
    discount_claim: string | null
    placement_key: string | null
    /** Both are derived from the document by a trigger. */
    country: Generated<string>
    total_minor: Generated<number>
  }
  order_carts: { cart_id: string; order_id: string }
  ordered_lines: { line_id: string; order_id: string }
  payment_sessions: {
    id: string
    order_id: string
    cart_id: string
    asked_cart_id: string
    merged_cart_ids: Generated<string[]>
    line_ids: Generated<string[]>
    buyer_keys: Generated<string[]>
    provider: string
    provider_session: string | null
    url: string | null
    status: SessionStatus
    customer_id: string | null
    email: string
    document: ColumnType<OrderDocument, string, string>
    number_prefix: string
    request_hash: Buffer
    claim: string | null
    discount_claim: string | null
    secret_hashes: Buffer[]
    success_url: string | null
    cancel_url: string | null
    created_at: Date
    expires_at: Date
    reconciled_at: Date | null
  }
  payments: {
    provider: string
    reference: string
    order_id: string | null
    session_id: string | null
    status: 'authorized' | 'captured' | 'failed'
    amount_minor: number
    currency: string
    method: string | null
    received_at: Date
  }
  refunds: {
    id: string
    order_id: string
    provider: string
    payment_reference: string | null
    amount_minor: number
    currency: string
    reason: string | null
    restock: boolean | null
    restocked: boolean
    status: RefundStatus
    reference: string | null
    of_duplicate: boolean
    created_at: Date
    settled_at: Date | null
    attempts: number
    next_attempt_at: Date | null
    last_error: string | null
  }
  provider_events: {
    provider: string
    event_id: string
    type: string
    payload: Buffer
    received_at: Date
    status: Generated<'pending' | 'done' | 'failed'>
    attempts: Generated<number>
    next_attempt_at: Date
    last_error: string | null
  }
  order_timeline: {
    id: Generated<number>
    order_id: string
    at: Date
    kind: string
    actor: string | null
    detail: ColumnType<Record<string, unknown>, string, string>
  }
  order_search: { order_id: string; flagged: boolean; placed_at: Date; status: OrderStatus; words: string }
  /** Written by triggers on `orders`. */
  order_search_queue: { id: Generated<number>; order_id: string }
  attempts: { kind: 'lookup'; subject: string; tried_at: Date[]; refusals: number; last_at: Date }
  idempotency_keys: {
    id: Buffer
    request_hash: Buffer
    started_at: Date
    lease_until: Date
    answer: string | null
  }
  demo_sessions: {
    id: string
    session_id: string
    order_id: string
    total_minor: number
    currency: string
    email: string
    description: string
    store_name: string
    success_url: string | null
    cancel_url: string | null
    created_at: Date
    expires_at: Date
    status: Generated<DemoSessionStatus>
    payment_reference: string | null
  }
  demo_refunds: {
    id: string
    reference: string
    payment_reference: string
    amount_minor: number
    currency: string
    created_at: Date
  }
  claims: { claim: string; verdict: 'ordered' | 'abandoned'; decided_at: Date }
  customer_emails: { email: string; verified_at: Date; customer_id: string }
  former_customers: { customer_id: string; deleted_at: Date }
  deleted_customers: { customer_id: string; deleted_at: Date }
  order_capabilities: { order_id: string; secret_hash: Buffer }
}

/** The state of a checkout that waits for its buyer at a provider. */
export type SessionStatus = CheckoutSession['status']

export type DemoSessionStatus = 'open' | 'paid' | 'declined' | 'cancelled' | 'closed'

export type Database = Kysely<OrdersTables>
export type Tx = Transaction<OrdersTables>
