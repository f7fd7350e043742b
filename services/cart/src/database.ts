import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'
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
  }
  cart_aliases: {
    alias: string
    cart_id: string
    ordered: Generated<boolean>
  }
}

export type Database = Kysely<CartTables>
export type Tx = Transaction<CartTables>
