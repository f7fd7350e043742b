import { sql } from 'kysely'
import { readEmailAddress, type NamedActor } from '@storefront/contracts'
import type { Connection, Tx } from '../database.ts'

type KnownActor = NamedActor & { id: string }

/** Admin users and keys by id, with their current names; deleted ones with their last names. */
export async function findActors(connection: Connection, ids: readonly string[]): Promise<KnownActor[]> {
  const { rows } = await sql<{ kind: 'user' | 'key'; id: string; name: string | null; email: string | null }>`
    select 'user' as kind, id, name, email from admin_users where id = any(${ids})
    union all select 'key', id, name, null from api_keys where id = any(${ids})
    union all select kind, id, name, email from former_actors where id = any(${ids})`.execute(connection)
  return rows.map(({ email, ...actor }) => ({ ...actor, ...(email !== null && { email }) }))
}

/** Ids of the admin users who have or had this email address, in any spelling. */
export async function findActorIdsByEmail(connection: Connection, email: string): Promise<string[]> {
  const canonical = readEmailAddress(email)?.canonical ?? null
  const { rows } = await sql<{ id: string }>`
    select id from admin_users where email_canonical = ${canonical}
    union select id from former_actors where email_canonical = ${canonical}`.execute(connection)
  return rows.map(({ id }) => id)
}

/** Stores the name of an admin user who is about to be removed. */
export async function keepFormerAdmin(tx: Tx, id: string, at: Date): Promise<void> {
  await sql`
    insert into former_actors (id, kind, name, email, email_canonical, gone_at)
    select id, 'user', name, email, email_canonical, ${at} from admin_users where id = ${id}
    on conflict (id) do nothing`.execute(tx)
}
