import type { Tx } from '../database.ts'
import type { WebhookResponse } from '../deliveries/send-webhook.ts'

interface SentTest extends Omit<WebhookResponse, 'retryAfter'> {
  id: string
  endpointId: string
  eventId: string
  type: string
  body: string
  at: Date
  settledAt: Date
}

/** A delivery that was never queued, with its only attempt. It blocks no other: its subject is its own. */
export async function insertSentTest(tx: Tx, test: SentTest): Promise<void> {
  await tx
    .insertInto('deliveries')
    .values({
      id: test.id,
      endpoint_id: test.endpointId,
      event_id: test.eventId,
      type: test.type,
      body: test.body,
      subject: `test:${test.id}`,
      mergeable: false,
      version: null,
      status: test.error === null ? 'delivered' : 'dead',
      attempts: 1,
      next_attempt_at: test.at,
      leased_by: null,
      lease_until: null,
      last_status: test.status,
      last_error: test.error,
      created_at: test.at,
      settled_at: test.settledAt,
    })
    .execute()
  await tx
    .insertInto('attempts')
    .values({
      delivery_id: test.id,
      at: test.at,
      duration_ms: test.durationMs,
      status: test.status,
      error: test.error,
      answer: test.answer,
    })
    .execute()
}
