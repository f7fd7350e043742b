import { Client } from 'pg'
import { waitFor } from '@storefront/service/testing'

export type HeldRow = Awaited<ReturnType<typeof holdAtRow>>

export interface RowToHold {
  table: string
  on: 'insert' | 'update'
  /** A condition on `new`, the row as it is written; each row of the table by default. */
  when?: string
  /** The number of the row among those that its transaction writes: 3 means that two are written before the wait. */
  row: number
  /** The key of the advisory lock: a different one for each row that is held at the same time. */
  key?: number
}

/** No other lock of tests or services has this key. */
const KEY = 4711
/** A statement may wait for a tenth of a second only. */
const LONGEST_PAUSE_MS = 50

/**
 * Makes a transaction wait in the middle of its rows, so that a test can kill its service there.
 * @param databaseUrl with all rights
 */
export async function holdAtRow(databaseUrl: string, { table, on, when, row, key = KEY }: RowToHold) {
  const waiting = `from pg_locks where locktype = 'advisory' and objid = ${key} and not granted
    and database = (select oid from pg_database where datname = current_database())`
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const name = `${table.split('.')[0]}.hold_at_row`
  await client.query(`
    create function ${name}() returns trigger language plpgsql as $$
      declare place int := coalesce(nullif(current_setting('test.rows', true), ''), '0')::int + 1;
      begin
        perform set_config('test.rows', place::text, true);
        if place = ${row} then perform pg_advisory_xact_lock(${key}); end if;
        return new;
      end $$`)
  await client.query(`select pg_advisory_lock(${key})`)
  await client.query(
    `create trigger hold_at_row before ${on} on ${table} for each row when (${when ?? 'true'}) execute function ${name}()`,
  )
  return {
    /** Resolves when a transaction waits there. @throws Error when none does in time */
    reached: async (timeoutMs?: number) => {
      await waitFor(
        `row ${row} of ${table}`,
        async () => (await client.query(`select 1 ${waiting}`)).rows.length > 0,
        timeoutMs,
        LONGEST_PAUSE_MS,
      )
    },
    /** Ends the waiting connection, so that its statement does not commit. */
    terminate: async () => {
      await client.query(`select pg_terminate_backend(pid) ${waiting}`)
    },
    /** Lets transactions pass. */
    release: async () => {
      try {
        await client.query(`select pg_advisory_unlock(${key})`)
        await client.query(`drop function ${name} cascade`)
      } finally {
        await client.end()
      }
    },
  }
}
