import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** Stores the last received settings, unless newer ones are stored already. */
export async function keepSettings(db: Database, { version, settings }: { version: number; settings: string }) {
  await sql`
    insert into known_settings (only_row, version, answer) values (true, ${version}, ${settings}::jsonb)
    on conflict (only_row) do update set version = excluded.version, answer = excluded.answer
    where known_settings.version < excluded.version`.execute(db)
}

/** @returns the last received settings, as stored; undefined when there are none */
export async function findKnownSettings(db: Database): Promise<unknown> {
  const { rows } = await sql<{ answer: unknown }>`select answer from known_settings`.execute(db)
  return rows[0]?.answer
}
