import type { Kysely, Selectable, Transaction } from 'kysely'
import type { CatalogTables } from './tables.ts'

export type { CatalogTables }
/** A row of a table as it is read. */
export type Row<Table extends keyof CatalogTables> = Selectable<CatalogTables[Table]>
export type Database = Kysely<CatalogTables>
export type Tx = Transaction<CatalogTables>
