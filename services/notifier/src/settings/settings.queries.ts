import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** Keeps the settings that were heard of last, unless newer ones are kept already. */
export async function keepSettings(db: Database, { version, answer }: { version: number; answer: string }) {
  await sql`
    insert into known_settings (only_row, version, answer) values (true, ${version}, ${answer}::jsonb)
    on conflict (only_row) do update set version = excluded.version, answer = excluded.answer
    where known_settings.version < excluded.version`.execute(db)
}

/** @returns what was heard of last, as it was kept; undefined when nothing was */
export async function findKnownSettings(db: Database): Promise<unknown> {
  const { rows } = await sql<{ answer: unknown }>`select answer from known_settings`.execute(db)
  return rows[0]?.answer
}
