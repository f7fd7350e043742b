import type { Kysely, Selectable, Transaction } from 'kysely'
import type { CartTables } from './tables.ts'

export type { CartTables }
/** A row of a table as it is read. */
export type Row<Table extends keyof CartTables> = Selectable<CartTables[Table]>
export type Database = Kysely<CartTables>
export type Tx = Transaction<CartTables>
