import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@storefront/service'
import { isOutage } from '@storefront/postgres'
import { ProviderUnavailable } from '../payments/provider.ts'
import type { ClaimedEvent, EventOutcome } from './webhooks.queries.ts'

/**
 * The pauses after the first failure, the second and so on: a bug that is fixed within a day loses no event. After the
 * last pause an event is `failed`: reconciliation shows it, and a person has to retry it.
 */
const BACKOFF_MS = [
  SECOND_MS,
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  8 * HOUR_MS,
]
/** A dependency that is unavailable will soon be back. */
const OUTAGE_RETRY_MS = 5 * SECOND_MS
/** A webhook may arrive before our own commit. After this long the payment is not ours. */
const UNKNOWN_PAYMENT_FOR_MS = 10 * MINUTE_MS
/**
 * A refund may be made before the shop learns of its payment, whose webhook was lost or takes days. After this long its
 * checkout is deleted.
 */
const UNKNOWN_REFUND_FOR_MS = 30 * DAY_MS
/** The note of an event that waits until its payment is known. */
export const UNKNOWN_YET = 'not known yet'
const MAX_NOTE_LENGTH = 500

/** The possible results of an event that was read and handled. */
export type HandlingResult = 'handled' | 'not_ours' | 'unknown_payment' | 'unknown_refund'

/** Decides the next step of an event that was processed without an error. */
export function outcomeOf(event: ClaimedEvent, result: HandlingResult, now: Date): EventOutcome {
  const { attempts } = event
  if (result === 'handled') return { status: 'done', attempts, nextAttemptAt: now, note: null }
  if (result === 'not_ours') return { status: 'done', attempts, nextAttemptAt: now, note: 'does not concern this shop' }
  const ageMs = now.getTime() - event.receivedAt.getTime()
  if (ageMs >= (result === 'unknown_refund' ? UNKNOWN_REFUND_FOR_MS : UNKNOWN_PAYMENT_FOR_MS))
    return { status: 'done', attempts, nextAttemptAt: now, note: 'no session, order or payment with these ids' }
  // The pause is as long as the event has existed and at most a minute, after ten minutes a tenth of that and at most
  // an hour: attempts become less and less frequent.
  const longestMs = Math.min(Math.max(ageMs / 10, MINUTE_MS), HOUR_MS)
  const pauseMs = Math.min(Math.max(ageMs, SECOND_MS), longestMs)
  return { status: 'pending', attempts, nextAttemptAt: after(now, pauseMs), note: UNKNOWN_YET }
}

/** Decides the next step of an event that could not be processed. */
export function outcomeOfFailure(event: ClaimedEvent, error: unknown, now: Date): EventOutcome {
  const note = (error instanceof Error ? error.message : String(error)).slice(0, MAX_NOTE_LENGTH)
  if (isTemporary(error)) {
    return { status: 'pending', attempts: event.attempts, nextAttemptAt: after(now, OUTAGE_RETRY_MS), note }
  }
  const attempts = event.attempts + 1
  const pauseMs = BACKOFF_MS[attempts - 1]
  if (pauseMs === undefined) return { status: 'failed', attempts, nextAttemptAt: now, note }
  return { status: 'pending', attempts, nextAttemptAt: after(now, pauseMs), note }
}

/** Whether a dependency was unavailable. That is not the event's failure, and does not count as an attempt. */
export function isTemporary(error: unknown): boolean {
  return isOutage(error) || error instanceof ProviderUnavailable
}

function after(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms)
}
