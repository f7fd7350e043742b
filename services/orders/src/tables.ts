// The tables of the schema "orders" after all migrations; made by npm run schema.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ColumnTypes } from './column-types.ts'

export interface OrdersTables {
  attempts: {
    kind: 'lookup'
    subject: string
    tried_at: Date[]
    refusals: number
    last_at: Date
  }
  buyer_changes: {
    id: GeneratedAlways<number>
    order_id: string
  }
  buyer_notes: {
    id: string
    buyer_id: string
    at: Date
    author: string
    text: string
  }
  buyer_orders: {
    order_id: string
    email_canonical: string
    placed_at: Date
    customer_id: string | null
    counts: boolean
    currency: string
    revenue_minor: number
  }
  buyers: {
    id: Generated<string>
    email_canonical: string
    email: string
    name: string
    currency: string
    customer_id: string | null
    orders: number
    revenue_minor: number
    revenues: ColumnType<ColumnTypes['buyers.revenues'], string, string>
    first_order_at: Date
    last_order_at: Date
    tags: Generated<string[]>
    tag_keys: Generated<string[]>
  }
  claims: {
    claim: string
    verdict: 'ordered' | 'abandoned'
    decided_at: Date
  }
  customer_emails: {
    email: string
    verified_at: Date
    customer_id: string
  }
  deleted_customers: {
    customer_id: string
    deleted_at: Date
  }
  deleted_sessions: {
    session_id: string
    deleted_at: Date
  }
  demo_refunds: {
    id: string
    reference: string
    payment_reference: string
    amount_minor: number
    currency: string
    created_at: Date
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
    status: Generated<'open' | 'paid' | 'declined' | 'cancelled' | 'closed'>
    payment_reference: string | null
  }
  draft_orders: {
    id: string
    status: 'open' | 'sent' | 'ordered' | 'cancelled'
    version: Generated<number>
    email: string
    email_canonical: string | null
    shipping_address: ColumnType<ColumnTypes['draft_orders.shipping_address'], string, string>
    shipping_method: string
    discount_code: string
    note: string
    lines: ColumnType<ColumnTypes['draft_orders.lines'], string, string>
    quote: ColumnType<ColumnTypes['draft_orders.quote'], string, string>
    created_by: string
    created_at: Date
    updated_at: Date
    link_number: Generated<number>
    sent_at: Date | null
    expires_at: Date | null
    order_id: string | null
  }
  former_customers: {
    customer_id: string
    deleted_at: Date
  }
  fulfilments: {
    number: GeneratedAlways<number>
    id: string
    order_id: string
    created_at: Date
    lines: ColumnType<ColumnTypes['fulfilments.lines'], string, string>
    tracking: ColumnType<ColumnTypes['fulfilments.tracking'] | null, string | null, string | null>
    request_hash: Buffer | null
  }
  idempotency_keys: {
    id: Buffer
    request_hash: Buffer
    started_at: Date
    lease_until: Date
    answer: string | null
  }
  invoice_counter: {
    only_row: Generated<boolean>
    last_number: number
  }
  invoices: {
    order_id: string
    number: number
    issued_at: Date
    shop: ColumnType<ColumnTypes['invoices.shop'], string, string>
  }
  order_capabilities: {
    order_id: string
    secret_hash: Buffer
  }
  order_carts: {
    cart_id: string
    order_id: string
  }
  order_count_changes: {
    id: GeneratedAlways<number>
    day: Date
    country: string
    status: string
    payment_status: string
    attention: string
    orders: number
  }
  order_count_days: {
    day: Date
    country: string
    status: string
    payment_status: string
    attention: string
    orders: number
  }
  order_count_totals: {
    country: string
    status: string
    payment_status: string
    attention: string
    orders: number
  }
  order_notes: {
    id: string
    order_id: string
    author: string
    text: string
  }
  order_search: {
    order_id: string
    flagged: boolean
    placed_at: Date
    status: string
    words: string
  }
  order_search_queue: {
    id: GeneratedAlways<number>
    order_id: string
  }
  order_timeline: {
    id: GeneratedAlways<number>
    order_id: string
    at: Date
    kind: ColumnTypes['order_timeline.kind']
    actor: string | null
    detail: ColumnType<ColumnTypes['order_timeline.detail'], string | undefined, string>
  }
  ordered_lines: {
    line_id: string
    order_id: string
  }
  orders: {
    id: string
    number: string
    cart_id: string
    customer_id: string | null
    email: string
    status: 'placed' | 'paid' | 'fulfilled' | 'delivered' | 'cancelled'
    placed_at: Date
    document: ColumnType<ColumnTypes['orders.document'], string, string>
    payment_provider: string
    payment_status: 'pending' | 'authorized' | 'captured' | 'failed' | 'partially_refunded' | 'refunded'
    payment_method: string | null
    payment_reference: string | null
    claim: string | null
    attention: 'out_of_stock' | 'amount_mismatch' | 'refund_due' | null
    tracking: ColumnType<ColumnTypes['orders.tracking'] | null, string | null, string | null>
    captured_minor: Generated<number>
    refunded_minor: Generated<number>
    restocked_at: Date | null
    discount_claim: string | null
    placement_key: string | null
    country: Generated<string>
    total_minor: Generated<number>
    email_canonical: string | null
    tags: Generated<string[]>
    tag_keys: Generated<string[]>
  }
  payment_links: {
    token_hash: Buffer
    draft_id: string
  }
  payment_sessions: {
    id: string
    order_id: string
    cart_id: string
    asked_cart_id: string
    provider: string
    provider_session: string | null
    url: string | null
    status: 'creating' | 'open' | 'completed' | 'cancelled' | 'expired' | 'failed' | 'superseded'
    customer_id: string | null
    email: string
    document: ColumnType<ColumnTypes['payment_sessions.document'], string, string>
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
    merged_cart_ids: Generated<string[]>
    line_ids: Generated<string[]>
    buyer_keys: Generated<string[]>
    due_since: Date | null
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
  placement_keys: {
    key: string
    order_id: string
  }
  product_sales_days: {
    day: Date
    currency: string
    product: number
    units: number
    revenue_minor: number
  }
  product_sales_months: {
    month: Date
    currency: string
    product: number
    units: number
    revenue_minor: number
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
  reconciliation: {
    only_row: Generated<boolean>
    report: ColumnType<unknown, string, string>
    checked_until: Date
    disagreeing: string[]
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
    restocked: Generated<boolean>
    status: 'pending' | 'succeeded' | 'failed'
    reference: string | null
    of_duplicate: Generated<boolean>
    created_at: Date
    settled_at: Date | null
    attempts: Generated<number>
    next_attempt_at: Date | null
    last_error: string | null
    lines: ColumnType<ColumnTypes['refunds.lines'] | null, string | null, string | null>
    request_hash: Buffer | null
  }
  sales_changes: {
    id: GeneratedAlways<number>
    day: Date
    currency: string
    revenue_minor: Generated<number>
    refunded_minor: Generated<number>
    checkouts: Generated<number>
    order_id: string | null
  }
  sales_days: {
    day: Date
    currency: string
    revenue_minor: number
    refunded_minor: number
    orders: number
    units: number
    checkouts: number
    checkouts_paid: number
  }
  sold_products: {
    id: GeneratedAlways<number>
    product: string
    product_id: string | null
    slug: string
    title: string
    image: ColumnType<ColumnTypes['sold_products.image'] | null, string | null, string | null>
  }
}
