import { waitFor } from '@storefront/service/testing'
import type { Suite } from './suite.ts'

/** A reservation waits for a lock for a tenth of a second. */
const LONGEST_PAUSE_MS = 50

type Database = Pick<Suite, 'sql'>

interface Waiters {
  /** The application name of their connections, which is that of a service or program; by default every name. */
  application?: string
}

/**
 * Finds the statements that wait for a lock in the database of a suite or of a whole shop.
 * @param text a part of the statements, in which `%` stands for any text; by default every statement
 * @returns the process ids of their connections
 */
export async function lockWaiters({ sql }: Database, text = '', { application }: Waiters = {}): Promise<number[]> {
  const rows = await sql<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'
       and query like $1 and application_name = coalesce($2, application_name)`,
    [`%${text}%`, application],
  )
  return rows.map(({ pid }) => pid)
}

/**
 * Waits until a statement waits for a lock, such as one that the test holds.
 * @param text a part of the statement, in which `%` stands for any text; by default every statement
 * @param options.statements the least number of statements that wait; by default one
 * @returns the process id of the connection of one of them
 */
export function waitForLock(
  database: Database,
  text = '',
  { statements = 1, ...waiters }: Waiters & { statements?: number } = {},
): Promise<number> {
  return waitFor(
    `statements like %${text}% that wait for a lock, at least ${statements}`,
    async () => {
      const waiting = await lockWaiters(database, text, waiters)
      return waiting.length >= statements && waiting[0]
    },
    undefined,
    LONGEST_PAUSE_MS,
  )
}
