import type { Kysely, Selectable, Transaction } from 'kysely'
import type { IdentityTables } from './tables.ts'

export type { IdentityTables }
/** A row of a table as it is read. */
export type Row<Table extends keyof IdentityTables> = Selectable<IdentityTables[Table]>
export type Database = Kysely<IdentityTables>
export type Tx = Transaction<IdentityTables>
/** For reads that are correct inside a transaction and outside of one. */
export type Connection = Database | Tx
