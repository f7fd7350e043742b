import type { ClaimedDelivery } from './claims.queries.ts'
import type { Outcome } from './endpoint-outcomes.ts'
import { nextAttemptAt, parseRetryAfter } from './retry-schedule.ts'
import type { WebhookResponse } from './send-webhook.ts'

/** The status of a receiver that wants no more webhooks. */
export const GONE = 410

/**
 * The result of an attempt at a delivery, and when the next one is.
 * @param attempt.url where the request was sent
 * @param attempt.began when it was sent
 * @param attempt.isAborted whether our own stop may have interrupted it
 */
export function outcomeOfAttempt(
  delivery: ClaimedDelivery,
  webhook: WebhookResponse,
  attempt: { url: string; began: Date; now: Date; isAborted: boolean; random: number },
): Outcome {
  const { id: deliveryId, endpoint_id: endpointId, replays, probe } = delivery
  const { status, error, answer, durationMs, retryAfter } = webhook
  const { url, began: at, now, isAborted, random } = attempt
  const retryAfterMs = parseRetryAfter(retryAfter, now)
  const kept = { deliveryId, endpointId, url, replays, probe, at, durationMs, status, error, answer, retryAfterMs }
  if (error === null) return { ...kept, failed: false, result: 'delivered', nextAttemptAt: null }
  // The next holder of an interrupted attempt retries at once.
  if (status === null && isAborted) return { ...kept, failed: false, result: 'waiting', nextAttemptAt: now }
  const next = status === GONE ? undefined : nextAttemptAt(now, delivery.failures + 1, retryAfterMs, random)
  return next
    ? { ...kept, failed: true, result: 'waiting', nextAttemptAt: next }
    : { ...kept, failed: true, result: 'dead', nextAttemptAt: null }
}
