import { jetstreamManager } from '@nats-io/jetstream'
import { sql, type Kysely } from 'kysely'
import { durableName, eventsStream, FIND_MISSING_RECEIPTS } from '@storefront/contracts'
import { deleteRows, violatedConstraint, type AnyTransaction } from '@storefront/postgres'
import { DependencyUnavailable, type ActorVerifier, type Log } from '@storefront/service'
import type { Messaging } from './messaging.ts'
import { replyTo } from './requests.ts'

const NATS_TIMEOUT_MS = 1000

/**
 * Records receipts of events that are handled in this transaction, as if all were new to this consumer. The statement
 * leaves with the next one of the transaction; when it fails, `isKnownReceipt` tells whether one was not new.
 */
export async function recordNewReceipts(tx: AnyTransaction, consumer: string, ids: string[]): Promise<void> {
  await sql`
    insert into inbox (consumer, event_id)
    select ${consumer}, id from (select distinct unnest(${ids}::text[]) as id order by 1) as ids
    /* sent with the next */`.execute(tx)
}

export function isKnownReceipt(error: unknown): boolean {
  return violatedConstraint(error) === 'inbox_pkey'
}

/**
 * The same for events some of which may be known.
 * @returns the ids that were new to this consumer, or had been given up by it
 */
export async function recordReceipts(tx: AnyTransaction, consumer: string, ids: string[]): Promise<Set<string>> {
  // In the order of the ids, so that two replicas that got the same events cannot deadlock.
  const { rows } = await sql<{ event_id: string }>`
    insert into inbox as known (consumer, event_id)
    select ${consumer}, id from (select distinct unnest(${ids}::text[]) as id order by 1) as ids
    on conflict (consumer, event_id) do update set given_up_at = null, received_at = now()
      where known.given_up_at is not null
    returning event_id`.execute(tx)
  return new Set(rows.map((row) => row.event_id))
}

/**
 * Records that a consumer put an event on the dead-letter stream: it is not published to that consumer again
 * automatically.
 */
export async function recordGivenUp<Schema>(db: Kysely<Schema>, consumer: string, eventId: string): Promise<void> {
  await sql`insert into inbox (consumer, event_id, given_up_at) values (${consumer}, ${eventId}, now())
    on conflict do nothing`.execute(db)
}

/**
 * Deletes receipts that are older than any event on the stream, at most `limit` at a time: after a pause of the service
 * there may be millions, which a single statement could not delete within its time limit.
 * @returns how many were deleted
 */
export function deleteOldReceipts<Schema>(db: Kysely<Schema>, limit: number): Promise<number> {
  return deleteRows(db, 'inbox', sql`received_at < now() - interval '14 days' order by received_at`, limit)
}

/** Replies to publishers which of their events this service has neither handled nor given up. */
export function replyToFindMissingReceipts<Schema>(context: {
  db: Kysely<Schema>
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
}): void {
  const { db, messaging } = context
  const definition = FIND_MISSING_RECEIPTS.find(({ to }) => to === messaging.service)
  if (!definition) return
  replyTo(context, definition, (query) => findMissingReceipts(messaging, db, query))
}

/**
 * @param executor on the database of the consuming service, whose connection to NATS is `messaging`
 * @returns the ids of events that its consumer has neither handled nor given up, and how many events JetStream still
 *   has for that consumer
 * @throws DependencyUnavailable when JetStream does not respond, or has no such consumer
 */
export async function findMissingReceipts(
  messaging: Messaging,
  executor: Pick<AnyTransaction, 'getExecutor'>,
  { event, ids }: { event: string; ids: readonly string[] },
): Promise<{ missing: string[]; waiting: number }> {
  const consumer = durableName(messaging.service, { name: event })
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) as id
    where not exists (select from inbox where inbox.consumer = ${consumer} and inbox.event_id = id)`.execute(executor)
  const missing = rows.map(({ id }) => id)
  return { missing, waiting: missing.length === 0 ? 0 : await countWaiting(messaging, consumer) }
}

/** @returns how many events JetStream still has for this consumer: not delivered, or not acknowledged yet */
async function countWaiting(messaging: Messaging, consumer: string): Promise<number> {
  const manager = await jetstreamManager(messaging.connection(), { checkAPI: false, timeout: NATS_TIMEOUT_MS })
  const info = await manager.consumers.info(eventsStream(messaging.namespace), consumer).catch((error: unknown) => {
    throw new DependencyUnavailable('nats', error)
  })
  return info.num_pending + info.num_ack_pending
}
