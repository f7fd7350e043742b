import { durableName, EVENTS, SERVICE_NAMES } from '@storefront/contracts'
import type { ShopState } from './shop-state.ts'

/** Runs SQL with all rights in the database of the shop. */
export type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>

type SentEvents = Pick<ShopState, 'published' | 'unconsumed'>

/**
 * Compares the events that services have published with the receipts of their consumers. One in the outbox counts as
 * published, and one that its consumer gave up as not processed.
 * @param since earlier events are not compared
 */
export async function readSentEvents(query: Query, since: Date): Promise<SentEvents> {
  const events: SentEvents = { published: 0, unconsumed: [] }
  for (const from of SERVICE_NAMES) {
    const ofService = EVENTS.filter((event) => event.from === from)
    if (ofService.length === 0) continue
    // Names of schemas come from the contracts: no input from outside is part of a statement.
    const published = `(
      select event_id, name, sent_at from ${from}.sent_events
      union all select event_id, name, now() from ${from}.outbox) p`
    const [row] = await query<{ count: number }>(
      `select count(*)::int as count from ${published} where p.sent_at >= $1`,
      [since],
    )
    events.published += row?.count ?? 0
    for (const service of SERVICE_NAMES) {
      const consumed = ofService.filter(({ consumers }) => consumers.includes(service))
      if (consumed.length === 0) continue
      events.unconsumed.push(
        ...(await query<SentEvents['unconsumed'][number]>(
          `select p.event_id as id, wanted.name, wanted.consumer
           from ${published} join unnest($1::text[], $2::text[]) as wanted (name, consumer) on wanted.name = p.name
           where p.sent_at >= $3 and not exists (
             select from ${service}.inbox i
             where i.consumer = wanted.consumer and i.event_id = p.event_id and i.given_up_at is null)
           order by id`,
          [consumed.map(({ name }) => name), consumed.map((event) => durableName(service, event)), since],
        )),
      )
    }
  }
  return events
}
