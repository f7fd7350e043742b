import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

export interface ProviderEvent {
  provider: string
  /** The provider's name for it: it comes more than once and counts once. */
  eventId: string
  type: string
  payload: Buffer
}

/** Keeps what a provider sent until it is worked off. @returns false when it is there already */
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
  /** When the claim ends. It is the claim's name as well: a later one ends at another time. */
  leaseUntil: Date
}

/** Takes what is due, the longest waiting first. Until the lease ends nobody else gets it. */
export async function claimEvents(
  db: Database,
  claim: { now: Date; leaseUntil: Date; limit: number },
): Promise<ClaimedEvent[]> {
  // By the places of the rows, and as an array: whatever the planner thinks of `in (select … limit)`, it may run the
  // selection again and take more than was asked for.
  const { rows } = await sql<ClaimedEvent>`
    update provider_events set next_attempt_at = ${claim.leaseUntil}
    where ctid = any(array(
      select ctid from provider_events
      where status = 'pending' and next_attempt_at <= ${claim.now}
      order by next_attempt_at limit ${claim.limit}
      for update skip locked))
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

/** Writes down what came of a claimed event. @returns false when the lease was over and somebody else has it now */
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

/** Forgets what is worked off or given up; what still waits is kept, however old it is. */
export async function forgetOldEvents(db: Database, receivedBefore: Date): Promise<void> {
  await db
    .deleteFrom('provider_events')
    .where('received_at', '<', receivedBefore)
    .where('status', '!=', 'pending')
    .execute()
}
