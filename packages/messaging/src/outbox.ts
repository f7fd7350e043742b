import { sql, type Kysely } from 'kysely'
import { newId, type EventDefinition } from '@storefront/contracts'
import { markForRelay, type AnyTransaction } from '@storefront/postgres'
import { currentRequestId, sampledTraceparent } from '@storefront/service'
import { tracedEvents } from './trace-messages.ts'

/**
 * The maximum size of an event with its envelope. NATS accepts 1 MiB in one message by default, including headers, and
 * a dead letter has more headers than the event.
 */
export const MAX_EVENT_BYTES = 1_000_000

/** An event that does not fit into a message. Its transaction fails, so it never waits in an outbox. */
export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge'

  constructor(event: string, bytes: number) {
    super(`${event} would have ${bytes} bytes; the maximum is ${MAX_EVENT_BYTES}`)
  }
}

/**
 * Records an event in the caller's transaction: it is sent if, and only if, that transaction commits.
 * @param at when it happened, from the service's clock
 * @throws ZodError when the data does not fit the event's definition
 * @throws EventTooLarge
 */
export async function publish<Data>(
  tx: AnyTransaction,
  event: EventDefinition<string, Data>,
  data: Data,
  at: Date,
): Promise<void> {
  await publishAll(tx, event, [data], at)
}

/**
 * Records several events of one kind in one statement, in this order. The statement leaves with the next one of the
 * transaction (docs/decisions/0100).
 */
export async function publishAll<Data>(
  tx: AnyTransaction,
  event: EventDefinition<string, Data>,
  all: readonly Data[],
  at: Date,
): Promise<void> {
  if (all.length === 0) return
  const requestId = currentRequestId()
  const ids = all.map(() => newId('event'))
  const payloads = all.map((data, index) =>
    JSON.stringify({
      id: ids[index],
      name: event.name,
      at: at.toISOString(),
      ...(requestId === undefined ? {} : { requestId }),
      data: event.data.parse(data),
    }),
  )
  for (const payload of payloads) {
    const bytes = Buffer.byteLength(payload)
    if (bytes > MAX_EVENT_BYTES) throw new EventTooLarge(event.name, bytes)
  }
  markForRelay(tx)
  await tracedEvents(event.name, all.length, () =>
    sql`insert into outbox (event_id, name, payload, traceparent)
      select event_id, ${event.name}, payload, ${sampledTraceparent()}::text
      from unnest(${ids}::text[], ${payloads}::text[]) as t (event_id, payload) /* sent with the next */`.execute(tx),
  )
}

/** Counting more would take longer than a scrape waits. */
const MAX_COUNTED = 100_000

/** @returns how many events wait, up to 100,000, and when the oldest was recorded */
export async function readOutbox<Schema>(db: Kysely<Schema>): Promise<{ events: number; oldestAt: Date | undefined }> {
  const { rows } = await sql<{ events: number; oldestAt: Date | null }>`
    select (select count(*) from (select from outbox limit ${MAX_COUNTED}) as counted) as events,
      (select (payload::json->>'at')::timestamptz from outbox order by id limit 1) as "oldestAt"`.execute(db)
  const [row] = rows
  return { events: row?.events ?? 0, oldestAt: row?.oldestAt ?? undefined }
}
