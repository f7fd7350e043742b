import { sql, type Transaction } from 'kysely'

/**
 * Has the next statements of a transaction wait for a lock no longer than this, in place of the five seconds of the
 * connection. One statement may wait several times: with a short limit it ends because of the lock, before its own time
 * limit ends it.
 * @param waitMs in milliseconds
 */
export async function limitLockWaits<Tables>(tx: Transaction<Tables>, waitMs: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(waitMs)}, true) /* sent with the next */`.execute(tx)
}
