import { durableName, EVENTS, type ServiceName } from '@storefront/contracts'
import { escapeIdentifier, escapeLiteral, type ClientBase } from 'pg'

export interface UnconsumedEvent {
  id: string
  eventId: string
  name: string
  payload: string
}

/**
 * Events that a service published, JetStream accepted, and at least one consumer has no receipt of, in the order of
 * publishing. Names of schemas and consumers come from packages/contracts, so no input from outside is part of the text
 * of the statement.
 * @param page events with ids above `after`, at most `limit`
 */
export async function findUnconsumedEvents(
  client: ClientBase,
  origin: ServiceName,
  page: { since: Date; names: readonly string[]; after: string; limit: number },
): Promise<UnconsumedEvent[]> {
  const unconsumed = EVENTS.filter(({ from, name }) => from === origin && page.names.includes(name)).map((event) => {
    const receipts = event.consumers.map(
      (consumer) =>
        `not exists (select from ${escapeIdentifier(consumer)}.inbox as receipt
           where receipt.consumer = ${escapeLiteral(durableName(consumer, event))} and receipt.event_id = sent.event_id)`,
    )
    return `(name = ${escapeLiteral(event.name)} and (${receipts.join(' or ')}))`
  })
  if (unconsumed.length === 0) return []
  const { rows } = await client.query<UnconsumedEvent>(
    `select id, event_id as "eventId", name, payload from ${escapeIdentifier(origin)}.sent_events as sent
     where sent_at >= $1 and id > $2 and (${unconsumed.join(' or ')}) order by id limit $3`,
    [page.since, page.after, page.limit],
  )
  return rows
}
