import type { Kysely, Selectable, Transaction } from 'kysely'
import type { NotifierTables } from './tables.ts'

export type { NotifierTables }
/** A row of a table as it is read. */
export type Row<Table extends keyof NotifierTables> = Selectable<NotifierTables[Table]>

export type DeliveryStatus = Row<'deliveries'>['status']
export type MailPhase = Row<'mails'>['phase']

export type Database = Kysely<NotifierTables>
export type Tx = Transaction<NotifierTables>
