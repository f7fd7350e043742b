import { sql } from 'kysely'
import type { Row, Tx } from '../database.ts'
import { circuitAfter, OPENS_AFTER, type EndpointOutcome } from './circuit.ts'

/**
 * Closes the circuits of endpoints with a successful delivery, unless they have moved since. Nothing is written for one
 * that works all the time. The rows are locked in the order of their ids, so that two replicas cannot deadlock.
 */
export async function noteEndpointsWork(tx: Tx, delivered: { endpointId: string; url: string }[]): Promise<void> {
  await sql`
    update endpoints set failing_since = null, failures = 0, paused_until = null
    where id = any(array(
      select id from endpoints
      where (id, url) in (select * from unnest(${delivered.map(({ endpointId }) => endpointId)}::text[],
          ${delivered.map(({ url }) => url)}::text[]))
        and (failing_since is not null or failures > 0 or paused_until is not null)
      order by id for update)) /* sent with the next */`.execute(tx)
}

type Sent = Pick<Row<'endpoints'>, 'id' | 'url' | 'failures' | 'paused_until'>

/** All rows of a transaction are locked in one order, so that two replicas cannot deadlock. */
export async function lockSent(tx: Tx, ids: string[]): Promise<Sent[]> {
  const { rows } = await sql<Sent>`
    select id, url, failures, paused_until from endpoints where id = any(${ids}::text[])
    order by id for update`.execute(tx)
  return rows
}

/**
 * Counts failed attempts, and pauses the endpoints that had too many in a row.
 * @param known the endpoints of all attempts, also those that work; they must be locked
 * @returns how many failed in a row at each, and the ids of those that are paused or disabled now
 */
export async function noteEndpointsFail(
  tx: Tx,
  known: Sent[],
  outcomes: EndpointOutcome[],
  now: Date,
): Promise<{ failures: Map<string, number>; paused: string[] }> {
  const noted = known.flatMap((row) => {
    const item = outcomes.find(({ endpointId }) => endpointId === row.id)
    if (item === undefined) return []
    const before = { failures: row.failures, pausedUntil: row.paused_until }
    return [{ id: row.id, ...item, ...circuitAfter(before, item, now, Math.random()), failed: item.failures > 0 }]
  })
  await sql`
    update endpoints e
    set failures = n.failures, paused_until = n.paused_until,
      failing_since = case when n.failed and n.worked then ${now}::timestamptz
        when n.failed then coalesce(e.failing_since, ${now}::timestamptz)
        when n.worked then null else e.failing_since end
    from unnest(${noted.map((item) => item.id)}::text[], ${noted.map((item) => item.failures)}::integer[],
      ${noted.map((item) => item.pausedUntil)}::timestamptz[], ${noted.map((item) => item.worked)}::boolean[],
      ${noted.map((item) => item.failed)}::boolean[]) as n (id, failures, paused_until, worked, failed)
    where e.id = n.id`.execute(tx)
  // Including one whose pause has ended: until its probe is delivered, nothing else is sent.
  const paused = noted.filter(({ failures }) => failures >= OPENS_AFTER).map(({ id }) => id)
  return { failures: new Map(noted.map(({ id, failures }) => [id, failures])), paused }
}

/** Lets the probe of a paused endpoint go now, because an admin expects that it is up again. */
export async function noteEndpointsMayWork(tx: Tx, ids: string[], now: Date): Promise<void> {
  await sql`
    update endpoints set paused_until = ${now}
    where id = any(array(
      select id from endpoints where id = any(${ids}::text[]) and paused_until > ${now} order by id for update))`.execute(
    tx,
  )
}
