import { sql, type Kysely, type PostgresPoolClient } from 'kysely'
import type { Log } from '@storefront/service'
import { isOutage, isSerializationFailure } from './database-errors.ts'

/** The maximum age of a standby's data, in milliseconds: an older standby is not read from. */
const LONGEST_LAG_MS = 5000
/** How often each connection to a standby is checked, in milliseconds. */
const CHECK_EVERY_MS = 1000
/** How long a standby is not read from after a failed read, in milliseconds. */
const PAUSE_MS = 1000
/** After this time, in milliseconds, each standby that is read from has a write. */
export const ON_STANDBYS_AFTER_MS = LONGEST_LAG_MS + CHECK_EVERY_MS

/** A standby is too far behind to be read from. */
class StandbyBehind extends Error {}

/**
 * Lets connections to standbys be used while their data is fresh. The address may lead to several standbys, so each
 * connection is checked separately. The age is that of the heartbeat, which the primary gets every second: a standby
 * that lost its primary has all that it received, and does not know how old that is. The clocks of the servers must
 * agree.
 * @throws StandbyBehind from the returned function
 */
export function requireFreshStandby(): (client: PostgresPoolClient) => Promise<void> {
  const checkedAt = new WeakMap<PostgresPoolClient, number>()
  return async (client) => {
    const nowMs = performance.now()
    if (nowMs - (checkedAt.get(client) ?? -Infinity) < CHECK_EVERY_MS) return
    const { rows } = await client.query<{ ageMs: number | null }>(
      `select (extract(epoch from clock_timestamp() - (select at from replication_beat)) * 1000)::float8 as "ageMs"`,
      [],
    )
    const ageMs = rows[0]?.ageMs ?? Infinity
    if (ageMs > LONGEST_LAG_MS) throw new StandbyBehind(`the standby is ${Math.round(ageMs)} ms behind`)
    checkedAt.set(client, nowMs)
  }
}

/** Writes the heartbeat by which the age of a standby's data is known, unless another replica has just done so. */
export async function writeHeartbeat<Schema>(primary: Kysely<Schema>): Promise<void> {
  await sql`
    update replication_beat set at = clock_timestamp()
    where at < clock_timestamp() - make_interval(secs => ${(0.9 * CHECK_EVERY_MS) / 1000}::float8)`.execute(primary)
}

/** Runs a read on the standby or the primary. It may run on both. */
export type ReadFrom<Schema> = <Result>(read: (db: Kysely<Schema>) => Promise<Result>) => Promise<Result>

/** Reads from the standby, and from the primary when there is none, or it is behind, away or stops the read. */
export function readFromStandby<Schema>(
  primary: Kysely<Schema>,
  standby: Kysely<Schema> | undefined,
  log: Log,
): ReadFrom<Schema> {
  if (!standby) return (read) => read(primary)
  let pausedUntilMs = -Infinity
  let isFailing = false
  return async (read) => {
    if (performance.now() < pausedUntilMs) return read(primary)
    try {
      const result = await read(standby)
      if (isFailing) log.info('standbys are read from again')
      isFailing = false
      return result
    } catch (error) {
      // A serialization failure: replication removed rows that the read needed.
      if (!(error instanceof StandbyBehind) && !isOutage(error) && !isSerializationFailure(error)) throw error
      pausedUntilMs = performance.now() + PAUSE_MS
      // Logged once, not every second.
      if (!isFailing) log.warn({ err: error }, 'a standby cannot be read; the primary serves its reads')
      isFailing = true
      return read(primary)
    }
  }
}
