import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { OPENS_AFTER } from './circuit.ts'

/** Counting stops here, so that a scrape of the metrics waits for a second at most. */
const MAX_COUNTED = 100_000

interface Backlog {
  waiting: number
  oldestDueSeconds: number
  circuitsOpen: number
}

/** The waiting deliveries of enabled endpoints. The oldest of each is the first in its index. */
export async function readBacklog(db: Database): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select
      (select count(*) from (
        select from deliveries d join endpoints e on e.id = d.endpoint_id
        where d.status in ('queued', 'waiting') and e.enabled limit ${MAX_COUNTED}) as counted) as waiting,
      greatest(0, extract(epoch from now() - (
        select min(oldest.next_attempt_at) from endpoints e cross join lateral (
          select next_attempt_at from deliveries
          where endpoint_id = e.id and status in ('queued', 'waiting') order by next_attempt_at limit 1) as oldest
        where e.enabled and e.failures < ${OPENS_AFTER})))::float8 as "oldestDueSeconds",
      (select count(*) from endpoints where enabled and failures >= ${OPENS_AFTER}) as "circuitsOpen"`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a statement without a table returned no row')
  return row
}
