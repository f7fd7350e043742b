import { sql } from 'kysely'
import type { Database } from '../database.ts'

/**
 * Stores which host a password is for, unless that is known already: of two replicas one is first.
 * @returns which host it is for, or which one a later password is for
 */
export async function bindPassword(
  db: Database,
  { givenAt, host }: { givenAt: Date; host: string },
): Promise<{ givenAt: Date; host: string }> {
  // An update that changes nothing returns the existing row, also when another replica wrote it meanwhile.
  const { rows } = await sql<{ givenAt: Date; host: string }>`
    insert into smtp_password (only_row, given_at, host) values (true, ${givenAt}, ${host})
    on conflict (only_row) do update
    set given_at = greatest(smtp_password.given_at, excluded.given_at),
      host = case when smtp_password.given_at < excluded.given_at then excluded.host else smtp_password.host end
    returning given_at as "givenAt", host`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the host of the password was not stored')
  return row
}
