import { sql } from 'kysely'
import { StorefrontConfiguration } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'

export interface Settings {
  version: number
  document: StorefrontConfiguration
}

export async function findSettings(db: Database | Tx): Promise<Settings> {
  const row = await db.selectFrom('settings').select(['version', 'document']).executeTakeFirstOrThrow()
  return { version: row.version, document: StorefrontConfiguration.parse(row.document) }
}

/** Locks the settings, so that one writer at a time reads, merges and saves. */
export async function lockSettings(tx: Tx): Promise<Settings> {
  const row = await tx.selectFrom('settings').select(['version', 'document']).forUpdate().executeTakeFirstOrThrow()
  return { version: row.version, document: StorefrontConfiguration.parse(row.document) }
}

export async function saveSettings(tx: Tx, settings: Settings): Promise<void> {
  await sql`update settings set version = ${settings.version}, document = ${JSON.stringify(settings.document)}::jsonb`.execute(
    tx,
  )
}
