import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** The names of endpoints, deliveries and mails: their addresses, and what they are about. */
export async function findSubjectNames(db: Database, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, coalesce(nullif(description, ''), substring(url from '^[a-z]+://([^/?#]+)'), url) as name
      from endpoints where id = any(${ids})
    union all select id, type from deliveries where id = any(${ids})
    union all select id, kind from mails where id = any(${ids})`.execute(db)
  return rows
}
