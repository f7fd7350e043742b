import type { ColumnType, Kysely, Transaction } from 'kysely'
import type { OrderStatus, PaymentStatus } from '@storefront/contracts'
import type { OrderDocument } from './orders/order.ts'

export interface OrdersTables {
  orders: {
    id: string
    number: string
    cart_id: string
    customer_id: string | null
    email: string
    status: OrderStatus
    placed_at: Date
    document: ColumnType<OrderDocument, string, string>
    payment_provider: string
    payment_status: PaymentStatus
    payment_method: string | null
    payment_reference: string | null
    claim: string
  }
  claims: { claim: string; verdict: 'ordered' | 'abandoned'; decided_at: Date }
  customer_emails: { email: string; verified_at: Date; customer_id: string }
  former_customers: { customer_id: string; deleted_at: Date }
  order_capabilities: { order_id: string; secret_hash: Buffer }
}

export type Database = Kysely<OrdersTables>
export type Tx = Transaction<OrdersTables>
