import { durableName, EVENTS, type ServiceName } from '@storefront/contracts'
import { escapeIdentifier, type ClientBase } from 'pg'

interface SentEvent {
  id: string
  eventId: string
  name: string
}

export interface UnconsumedEvent extends SentEvent {
  payload: string
}

export interface UnconsumedPage {
  events: UnconsumedEvent[]
  /** The id after which the next page begins; undefined after the last one. */
  next: string | undefined
}

/**
 * Events that a service published, JetStream accepted, and at least one consumer has no receipt of, in the order of
 * publishing. Publisher and consumers may be on different servers, so that no statement joins them. Names of schemas
 * come from packages/contracts, so no input from outside is part of the text of a statement.
 * @param clientOf the connection to the database with the schema of a service
 * @param page looks through at most `limit` events with ids above `after`
 */
export async function findUnconsumedEvents(
  clientOf: (service: ServiceName) => ClientBase,
  origin: ServiceName,
  page: { since: Date; names: readonly string[]; after: string; limit: number },
): Promise<UnconsumedPage> {
  const wanted = EVENTS.filter(
    ({ from, name, consumers }) => from === origin && consumers.length > 0 && page.names.includes(name),
  )
  if (wanted.length === 0) return { events: [], next: undefined }
  const client = clientOf(origin)
  const { rows: sent } = await client.query<SentEvent>(
    `select id, event_id as "eventId", name from ${escapeIdentifier(origin)}.sent_events
     where sent_at >= $1 and id > $2 and name = any($3) order by id limit $4`,
    [page.since, page.after, wanted.map(({ name }) => name), page.limit],
  )
  const missing = new Set<string>()
  for (const consumer of new Set(wanted.flatMap(({ consumers }) => consumers))) {
    const durables = new Map(
      wanted
        .filter(({ consumers }) => consumers.includes(consumer))
        .map((each) => [each.name, durableName(consumer, each)]),
    )
    const receipts = await receiptsOf(clientOf(consumer), consumer, [...durables.values()], sent)
    for (const { id, eventId, name } of sent) {
      const durable = durables.get(name)
      if (durable !== undefined && !receipts.has(`${durable} ${eventId}`)) missing.add(id)
    }
  }
  const { rows: events } = await client.query<UnconsumedEvent>(
    `select id, event_id as "eventId", name, payload from ${escapeIdentifier(origin)}.sent_events
     where id = any($1) order by id`,
    [[...missing]],
  )
  return { events, next: sent.length === page.limit ? sent.at(-1)?.id : undefined }
}

/** @returns the receipts that a service has of these events, as `consumer event`; none of those that it gave up */
async function receiptsOf(
  client: ClientBase,
  service: ServiceName,
  consumers: readonly string[],
  sent: readonly SentEvent[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ receipt: string }>(
    `select consumer || ' ' || event_id as receipt from ${escapeIdentifier(service)}.inbox
     where consumer = any($1) and event_id = any($2) and given_up_at is null`,
    [consumers, sent.map(({ eventId }) => eventId)],
  )
  return new Set(rows.map(({ receipt }) => receipt))
}
