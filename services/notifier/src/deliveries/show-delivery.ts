import { z } from 'zod'
import { OpaqueId, Timestamp } from '@storefront/contracts'
import type { LoggedAttempt, LoggedDelivery } from './delivery-log.queries.ts'

export const DeliveryStatus = z.enum(['queued', 'sending', 'waiting', 'delivered', 'dead', 'superseded'])

/** A delivery in a path. */
export const DeliveryParams = z.object({ id: OpaqueId.describe('Id of a delivery, from the log.') })

/** The result of one attempt to send a webhook. */
export const AttemptResult = z.object({
  durationMs: z.int().describe('Milliseconds from its start until the response was read, or the attempt was given up.'),
  status: z.int().nullable().describe('HTTP status of the response; null without one.'),
  error: z.string().nullable().describe('Why it does not count as delivered; null if it does.'),
  answer: z
    .string()
    .nullable()
    .describe('Beginning of the body of the response, 4 KB at most; null without a response.'),
})

const Attempt = z.object({
  at: Timestamp.describe('When it started, ISO 8601 in UTC.'),
  ...AttemptResult.shape,
})

export const DeliveryShape = z
  .object({
    id: z.string().describe('Id of this delivery; an event has a delivery for each of its endpoints.'),
    eventId: z
      .string()
      .describe('Sent as the header `webhook-id`, the same at every attempt: receivers recognize repetitions by it.'),
    type: z.string().describe('Type of the event, such as `order.paid`.'),
    endpoint: z
      .object({
        id: z.string().describe('Stays in the log when the endpoint is deleted.'),
        url: z.string().describe('The current address of the endpoint.'),
      })
      .describe('The endpoint that it is sent to.'),
    status: DeliveryStatus.describe(
      '`waiting`: will be retried. `dead`: given up. `superseded`: replaced by a newer one about its product or variant.',
    ),
    attempts: z.int().describe('How often it was sent, including replays.'),
    lastStatus: z.int().nullable().describe('HTTP status of the latest response; null if the last attempt had none.'),
    lastError: z
      .string()
      .nullable()
      .describe('Why the last attempt failed; null if it was delivered or not attempted.'),
    nextAttemptAt: Timestamp.nullable().describe('When it is due, in UTC; null unless it is `queued` or `waiting`.'),
    mergedEvents: z
      .int()
      .describe('Older events on the same subject that it stands for, because they were not sent yet.'),
    replays: z.int().describe('How often an admin replayed it.'),
    createdAt: Timestamp.describe('When it was queued, ISO 8601 in UTC.'),
    settledAt: Timestamp.nullable().describe(
      'When it was delivered, given up or superseded, in UTC; null before that.',
    ),
    attemptLog: z.array(Attempt).describe('The latest attempts, oldest first: ten in lists.'),
  })
  .meta({ id: 'WebhookDelivery' })

/** @param attempts of this delivery, and possibly of others */
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
