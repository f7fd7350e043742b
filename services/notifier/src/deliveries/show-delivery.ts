import { z } from 'zod'
import { Timestamp } from '@storefront/contracts'
import type { LoggedAttempt, LoggedDelivery } from './delivery-log.queries.ts'

export const DeliveryStatus = z.enum(['queued', 'sending', 'waiting', 'delivered', 'dead', 'superseded'])

const Attempt = z.object({
  at: Timestamp,
  durationMs: z.int(),
  /** null when no answer came. */
  status: z.int().nullable(),
  /** null when the receiver took it. */
  error: z.string().nullable(),
  answer: z.string().nullable(),
})

export const DeliveryShape = z
  .object({
    id: z.string(),
    eventId: z.string(),
    type: z.string(),
    endpoint: z.object({ id: z.string(), url: z.string() }),
    status: DeliveryStatus,
    attempts: z.int(),
    lastStatus: z.int().nullable(),
    lastError: z.string().nullable(),
    nextAttemptAt: Timestamp.nullable(),
    mergedEvents: z.int(),
    replays: z.int(),
    createdAt: Timestamp,
    settledAt: Timestamp.nullable(),
    attemptLog: z.array(Attempt),
  })
  .meta({ id: 'WebhookDelivery' })

/** @param attempts of this delivery, and perhaps of others */
export function showDelivery(row: LoggedDelivery, attempts: LoggedAttempt[]): z.output<typeof DeliveryShape> {
  const open = row.status === 'queued' || row.status === 'waiting'
  return {
    id: row.id,
    eventId: row.event_id,
    type: row.type,
    endpoint: { id: row.endpoint_id, url: row.url },
    status: row.status,
    attempts: row.attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
    nextAttemptAt: open ? row.next_attempt_at.toISOString() : null,
    mergedEvents: row.merged_events,
    replays: row.replays,
    createdAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
    attemptLog: attempts
      .filter((attempt) => attempt.delivery_id === row.id)
      .map(({ at, duration_ms: durationMs, status, error, answer }) => ({
        at: at.toISOString(),
        durationMs,
        status,
        error,
        answer,
      })),
  }
}
