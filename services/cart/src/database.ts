import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'
import type { DiscountInput, DiscountKind, ImportMode } from '@storefront/contracts'
import type { StoredLine } from './cart/stored-cart.ts'

export interface CartTables {
  carts: {
    id: string
    customer_id: string | null
    status: Generated<'open' | 'converted'>
    lines: ColumnType<StoredLine[], string, string>
    version: Generated<number>
    created_at: Date
    expires_at: Date
    quoted_at: Date | null
    discount_code: string | null
    recent_keys: Generated<string[]>
  }
  discounts: {
    id: Generated<number>
    code: string
    kind: DiscountKind
    value: number
    label: string | null
    active: boolean
    starts_at: Date | null
    ends_at: Date | null
    min_subtotal_minor: number | null
    usage_limit: number | null
    per_customer_limit: number | null
    categories: string[] | null
    products: string[] | null
    used: Generated<number>
    created_at: Date
    updated_at: Date
    import_number: number | null
  }
  discount_redemptions: {
    id: string
    generation: number
    discount_id: number
    code: string
    cart_id: string
    customer_id: string | null
    email_digest: Buffer | null
    buyer_hash: Buffer | null
    status: 'held' | 'used' | 'released'
    held_at: Date
    expires_at: Date
  }
  discount_imports: {
    number: number
    import_id: string
    mode: ImportMode
    parts: number
    at: Date
    applied_at: Date | null
  }
  discount_import_parts: {
    number: number
    part: number
    discounts: ColumnType<DiscountInput[], string, string>
  }
  cart_aliases: {
    alias: string
    cart_id: string
    ordered: Generated<boolean>
  }
}

export type Database = Kysely<CartTables>
export type Tx = Transaction<CartTables>
