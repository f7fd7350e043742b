import { sql } from 'kysely'

/**
 * For the `from` of a statement: the commit of its transaction does not wait until it is on the disk, or on a standby.
 * What it wrote may be lost when the database crashes less than a second later. Only for writes whose loss does no
 * harm, such as a claim that would be taken again. A later commit that waits makes them durable, too.
 */
export const ASYNC_COMMIT = sql`(select set_config('synchronous_commit', 'off', true)) as async_commit`
