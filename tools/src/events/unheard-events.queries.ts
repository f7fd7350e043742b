import { durableName, EVENTS, type ServiceName } from '@storefront/contracts'
import { escapeIdentifier, escapeLiteral, type ClientBase } from 'pg'

export interface UnheardEvent {
  id: string
  eventId: string
  name: string
  payload: string
}

/**
 * Events that a service published, JetStream accepted, and at least one consumer has no receipt of, in the order of publishing. Schemas and
 * consumers are named by the contracts, so the statement is put together from nothing that came from outside.
 * @param page those behind the id `after`, so many at a time
 */
export async function findUnheardEvents(
  client: ClientBase,
  origin: ServiceName,
  page: { since: Date; names: readonly string[]; after: string; limit: number },
): Promise<UnheardEvent[]> {
  const unheard = EVENTS.filter(({ from, name }) => from === origin && page.names.includes(name)).map((event) => {
    const receipts = event.heardBy.map(
      (hearer) =>
        `not exists (select from ${escapeIdentifier(hearer)}.inbox as receipt
           where receipt.consumer = ${escapeLiteral(durableName(hearer, event))} and receipt.event_id = sent.event_id)`,
    )
    return `(name = ${escapeLiteral(event.name)} and (${receipts.join(' or ')}))`
  })
  if (unheard.length === 0) return []
  const { rows } = await client.query<UnheardEvent>(
    `select id, event_id as "eventId", name, payload from ${escapeIdentifier(origin)}.sent_events as sent
     where sent_at >= $1 and id > $2 and (${unheard.join(' or ')}) order by id limit $3`,
    [page.since, page.after, page.limit],
  )
  return rows
}
