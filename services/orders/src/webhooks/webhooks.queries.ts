import { sql } from 'kysely'
import { anyUnlocked, deleteRows } from '@storefront/postgres'
import type { Database, Tx } from '../database.ts'

export interface ProviderEvent {
  provider: string
  /** The provider's id of the event: it may arrive more than once and counts once. */
  eventId: string
  type: string
  payload: Buffer
}

/** Stores a provider's event until it is processed. @returns false when it is already stored */
export async function storeProviderEvent(db: Database | Tx, event: ProviderEvent, at: Date): Promise<boolean> {
  const { provider, eventId, type, payload } = event
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('provider_events')
    .values({ provider, event_id: eventId, type, payload, received_at: at, next_attempt_at: at, last_error: null })
    .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export interface ClaimedEvent extends ProviderEvent {
  receivedAt: Date
  /** Failures so far. */
  attempts: number
  /** When the claim ends. It also identifies the claim: a later one ends at another time. */
  leaseUntil: Date
}

/** Claims due events, the longest waiting first. Until the lease ends no other replica gets them. */
export async function claimEvents(
  db: Database,
  claim: { now: Date; leaseUntil: Date; limit: number },
): Promise<ClaimedEvent[]> {
  const due = sql`
    select ctid from provider_events where status = 'pending' and next_attempt_at <= ${claim.now}
    order by next_attempt_at`
  const { rows } = await sql<ClaimedEvent>`
    update provider_events set next_attempt_at = ${claim.leaseUntil} where ctid = ${anyUnlocked(due, claim.limit)}
    returning provider, event_id as "eventId", type, payload, received_at as "receivedAt", attempts,
      next_attempt_at as "leaseUntil"`.execute(db)
  return rows
}

export interface EventOutcome {
  status: 'pending' | 'done' | 'failed'
  attempts: number
  nextAttemptAt: Date
  note: string | null
}

/**
 * Records the result of a claimed event.
 * @returns false when the lease had ended and another replica has claimed the event
 */
export async function noteOutcome(db: Database, event: ClaimedEvent, outcome: EventOutcome): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('provider_events')
    .set({
      status: outcome.status,
      attempts: outcome.attempts,
      next_attempt_at: outcome.nextAttemptAt,
      last_error: outcome.note,
    })
    .where('provider', '=', event.provider)
    .where('event_id', '=', event.eventId)
    .where('status', '=', 'pending')
    .where('next_attempt_at', '=', event.leaseUntil)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Deletes processed and failed events; waiting ones are kept, however old they are.
 * @returns how many, at most `limit`
 */
export function deleteOldEvents(db: Database, receivedBefore: Date, limit: number): Promise<number> {
  return deleteRows(
    db,
    'provider_events',
    sql`received_at < ${receivedBefore} and status <> 'pending' order by received_at`,
    limit,
  )
}
