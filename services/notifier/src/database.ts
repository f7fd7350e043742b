import type { ColumnType, Generated, GeneratedAlways, Kysely, Transaction } from 'kysely'

type Instant = ColumnType<Date, Date, Date>
type InstantOrNull = ColumnType<Date | null, Date | null, Date | null>

export type DeliveryStatus = 'queued' | 'sending' | 'waiting' | 'delivered' | 'dead' | 'superseded'

export interface EndpointsTable {
  id: string
  url: string
  types: string[] | null
  enabled: Generated<boolean>
  disabled_reason: string | null
  failing_since: InstantOrNull
  created_at: Generated<Date>
}

export interface DeliveriesTable {
  id: string
  seq: GeneratedAlways<number>
  endpoint_id: string
  event_id: string
  type: string
  body: string
  subject: string
  mergeable: boolean
  version: number | null
  merged_events: Generated<number>
  status: Generated<DeliveryStatus>
  attempts: Generated<number>
  next_attempt_at: Instant
  leased_by: string | null
  lease_until: InstantOrNull
  last_status: number | null
  last_error: string | null
  created_at: Instant
  settled_at: InstantOrNull
}

export interface AttemptsTable {
  id: GeneratedAlways<number>
  delivery_id: string
  at: Instant
  duration_ms: number
  status: number | null
  error: string | null
  answer: string | null
}

export type MailPhase = 'queued' | 'connecting' | 'handed-over' | 'sent' | 'failed' | 'uncertain' | 'dropped'

export interface MailsTable {
  id: string
  seq: GeneratedAlways<number>
  event_id: string
  kind: string
  recipient: string
  reference: string
  customer_id: string | null
  data: ColumnType<unknown, string, string>
  event_at: Instant
  phase: Generated<MailPhase>
  attempts: Generated<number>
  next_attempt_at: Instant
  leased_by: string | null
  lease_until: InstantOrNull
  answer: string | null
  created_at: Instant
  settled_at: InstantOrNull
}

export interface DeletedCustomersTable {
  customer_id: string
  heard_at: Date
}

export interface NotifierTables {
  endpoints: EndpointsTable
  deliveries: DeliveriesTable
  attempts: AttemptsTable
  mails: MailsTable
  deleted_customers: DeletedCustomersTable
}

export type Database = Kysely<NotifierTables>
export type Tx = Transaction<NotifierTables>
