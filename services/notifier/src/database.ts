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
  description: Generated<string>
  secret: string | null
  previous_secret: string | null
  previous_until: InstantOrNull
  disabled_by: string | null
  disabled_at: InstantOrNull
  failures: Generated<number>
  paused_until: InstantOrNull
  created_at: Generated<Date>
  updated_at: Generated<Date>
  deleted_at: InstantOrNull
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
  failures: Generated<number>
  replays: Generated<number>
  traceparent: string | null
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

export type MailPhase =
  | 'queued'
  | 'connecting'
  | 'handed-over'
  | 'sent'
  | 'failed'
  | 'uncertain'
  | 'dropped'
  | 'withheld'

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
  bounced: Generated<boolean>
  test: Generated<boolean>
  created_at: Instant
  settled_at: InstantOrNull
  traceparent: string | null
}

export interface DeletedCustomersTable {
  customer_id: string
  heard_at: Date
}

export interface KnownSettingsTable {
  only_row: boolean
  version: number
  answer: ColumnType<unknown, string, string>
}

export interface SmtpPasswordTable {
  only_row: boolean
  given_at: Instant
  host: string
}

export interface NotifierTables {
  endpoints: EndpointsTable
  deliveries: DeliveriesTable
  attempts: AttemptsTable
  mails: MailsTable
  deleted_customers: DeletedCustomersTable
  known_settings: KnownSettingsTable
  smtp_password: SmtpPasswordTable
}

export type Database = Kysely<NotifierTables>
export type Tx = Transaction<NotifierTables>
