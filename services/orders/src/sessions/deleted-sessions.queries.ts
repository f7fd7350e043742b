import { sql } from 'kysely'
import { anyUnlocked, deleteRows } from '@storefront/postgres'
import type { Database } from '../database.ts'

/**
 * Deletes sessions that became no order and ended long ago, and keeps their ids. Those of deleted accounts and erased
 * guests are deleted sooner, unless a payment is authorized and may still be captured. Those with a captured payment
 * are kept: they belong to the accounting records. Other payments stay without their session.
 * @returns how many this deleted, at most the limit
 */
export async function deleteEndedSessions(
  db: Database,
  {
    endedBefore,
    formerEndedBefore,
    now,
    limit,
  }: { endedBefore: Date; formerEndedBefore: Date; now: Date; limit: number },
): Promise<number> {
  const ended = sql`
    select s.id from payment_sessions s
    where s.status in ('cancelled', 'expired', 'failed', 'superseded')
      and (s.expires_at < ${endedBefore}
        or (s.expires_at < ${formerEndedBefore} and exists (select from deleted_customers d where d.customer_id = s.customer_id)
          and not exists (select from payments p where p.session_id = s.id and p.status = 'authorized')))
      and not exists (select from payments p where p.session_id = s.id and p.status = 'captured')
    order by s.id`
  const { rows } = await sql`
    with deleted as (delete from payment_sessions where id = ${anyUnlocked(ended, limit)} returning id)
    insert into deleted_sessions (session_id, deleted_at) select id, ${now}::timestamptz from deleted
    returning 1`.execute(db)
  return rows.length
}

export async function isDeletedSession(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from deleted_sessions where session_id = ${id}`.execute(db)
  return rows.length > 0
}

/** Deletes the ids of sessions that were deleted long ago. @returns how many, at most `limit` */
export function deleteOldSessionIds(db: Database, deletedBefore: Date, limit: number): Promise<number> {
  return deleteRows(db, 'deleted_sessions', sql`deleted_at < ${deletedBefore}`, limit)
}
