// The tables of the schema "cart" after all migrations; made by npm run schema.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ColumnTypes } from './column-types.ts'

export interface CartTables {
  cart_aliases: {
    alias: string
    cart_id: string
    ordered: Generated<boolean>
  }
  carts: {
    id: string
    customer_id: string | null
    status: Generated<'open' | 'converted'>
    lines: ColumnType<ColumnTypes['carts.lines'], string | undefined, string>
    version: Generated<number>
    created_at: Date
    expires_at: Date
    quoted_at: Date | null
    discount_code: string | null
    recent_keys: Generated<string[]>
    rejected_code: string | null
    claimed_at: Date | null
  }
  discount_import_parts: {
    number: number
    part: number
    discounts: ColumnType<ColumnTypes['discount_import_parts.discounts'], string, string>
  }
  discount_imports: {
    number: number
    import_id: string
    mode: 'merge' | 'replace'
    parts: number
    at: Date
    applied_at: Date | null
  }
  discount_redemptions: {
    id: string
    generation: number
    discount_id: number
    code: string
    cart_id: string
    customer_id: string | null
    email_digest: Buffer | null
    status: 'held' | 'used' | 'released'
    held_at: Date
    expires_at: Date
    buyer_hash: Buffer | null
  }
  discounts: {
    id: GeneratedAlways<number>
    code: string
    kind: 'percent' | 'fixed' | 'shipping'
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
}
