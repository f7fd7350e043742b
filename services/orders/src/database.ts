import type { Kysely, Selectable, Transaction } from 'kysely'
import type { OrdersTables } from './tables.ts'

export type { OrdersTables }
/** A row of a table as it is read. */
export type Row<Table extends keyof OrdersTables> = Selectable<OrdersTables[Table]>

/** The state of a checkout that waits for its buyer at a provider. */
export type SessionStatus = Row<'payment_sessions'>['status']

export type DemoSessionStatus = Row<'demo_sessions'>['status']

export type Database = Kysely<OrdersTables>
export type Tx = Transaction<OrdersTables>
