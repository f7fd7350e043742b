// The tables of the schema "notifier" after all migrations; made by npm run schema.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface NotifierTables {
  attempts: {
    id: GeneratedAlways<number>
    delivery_id: string
    at: Date
    duration_ms: number
    status: number | null
    error: string | null
    answer: string | null
  }
  deleted_customers: {
    customer_id: string
    heard_at: Date
  }
  deliveries: {
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
    status: Generated<'queued' | 'sending' | 'waiting' | 'delivered' | 'dead' | 'superseded'>
    attempts: Generated<number>
    next_attempt_at: Date
    leased_by: string | null
    lease_until: Date | null
    last_status: number | null
    last_error: string | null
    created_at: Date
    settled_at: Date | null
    failures: Generated<number>
    replays: Generated<number>
    traceparent: string | null
  }
  endpoints: {
    id: string
    url: string
    types: string[] | null
    enabled: Generated<boolean>
    disabled_reason: string | null
    failing_since: Date | null
    created_at: Generated<Date>
    description: Generated<string>
    secret: string | null
    previous_secret: string | null
    previous_until: Date | null
    disabled_by: string | null
    disabled_at: Date | null
    failures: Generated<number>
    paused_until: Date | null
    updated_at: Generated<Date>
    deleted_at: Date | null
  }
  erased_addresses: {
    address_hash: Buffer
    erased_at: Date
  }
  known_settings: {
    only_row: boolean
    version: number
    answer: ColumnType<unknown, string, string>
  }
  mail_counts: {
    subject: string
    since: Date
    mails: number
  }
  mails: {
    id: string
    seq: GeneratedAlways<number>
    event_id: string
    kind: string
    recipient: string
    reference: string
    data: ColumnType<unknown, string, string>
    event_at: Date
    phase: Generated<'queued' | 'connecting' | 'handed-over' | 'sent' | 'failed' | 'uncertain' | 'dropped' | 'withheld'>
    attempts: Generated<number>
    next_attempt_at: Date
    leased_by: string | null
    lease_until: Date | null
    answer: string | null
    created_at: Date
    settled_at: Date | null
    customer_id: string | null
    bounced: Generated<boolean>
    test: Generated<boolean>
    traceparent: string | null
  }
  smtp_password: {
    only_row: boolean
    given_at: Date
    host: string
  }
}
