import { sql } from 'kysely'
import type { StorefrontConfiguration } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { configurationOf } from './stored-settings.ts'

export interface Settings {
  version: number
  document: StorefrontConfiguration
}

/** The last configuration with the digest of its text, cached because parsing takes far longer than reading. */
let lastRead: { digest: string; document: StorefrontConfiguration } | undefined

export async function findSettings(db: Database | Tx): Promise<Settings> {
  const known = lastRead
  const { rows } = await sql<{ version: number; digest: string; document: unknown }>`
    select version, digest, case when digest is distinct from ${known?.digest ?? null} then document end as document
    from (select version, document, md5(document::text) as digest from settings offset 0) as stored`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the table of settings has no row')
  if (known?.digest === row.digest) return { version: row.version, document: known.document }
  const document = deepFreeze(configurationOf(row.document))
  lastRead = { digest: row.digest, document }
  return { version: row.version, document }
}

/** Frozen because readers share it. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const each of Object.values(value)) deepFreeze(each)
  return Object.freeze(value)
}

/** Locks the settings, so that one writer at a time reads, merges and saves. */
export async function lockSettings(tx: Tx): Promise<Settings> {
  const row = await tx.selectFrom('settings').select(['version', 'document']).forUpdate().executeTakeFirstOrThrow()
  return { version: row.version, document: configurationOf(row.document) }
}

/** Reads the settings and prevents changes until the transaction ends, because prices are saved in their currency. */
export async function holdSettings(tx: Tx): Promise<Settings> {
  const row = await tx.selectFrom('settings').select(['version', 'document']).forShare().executeTakeFirstOrThrow()
  return { version: row.version, document: configurationOf(row.document) }
}

/** Author and time of a version, and the version that it restored, if it did. */
interface Authorship {
  actor: string
  at: Date
  restoredFrom?: number
}

/** Makes this configuration the current one and stores it as a version, whose number must be the next. */
export async function saveSettings(tx: Tx, settings: Settings, by?: Authorship): Promise<void> {
  const document = JSON.stringify(settings.document)
  await sql`update settings set version = ${settings.version}, document = ${document}::jsonb`.execute(tx)
  await sql`
    insert into settings_versions (version, document, actor, at, restored_from)
    values (${settings.version}, ${document}::jsonb, ${by?.actor ?? null}, coalesce(${by?.at ?? null}::timestamptz, now()),
      ${by?.restoredFrom ?? null})`.execute(tx)
}

export interface SettingsVersion {
  version: number
  at: Date
  actor: string | null
  restoredFrom: number | null
}

/** One page of the history, the newest first, with its length. */
export async function findSettingsVersions(
  db: Database,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; versions: SettingsVersion[] }> {
  const { rows: counted } = await sql<{ total: number }>`select count(*)::int as total from settings_versions`.execute(
    db,
  )
  const { rows: versions } = await sql<SettingsVersion>`
    select version, at, actor, restored_from as "restoredFrom" from settings_versions
    order by version desc limit ${limit} offset ${offset}`.execute(db)
  return { total: counted[0]?.total ?? 0, versions }
}

/** A version with its document as it was stored, possibly under other rules. */
export async function findSettingsVersion(
  db: Database | Tx,
  version: number,
): Promise<(SettingsVersion & { document: Record<string, unknown> }) | undefined> {
  const { rows } = await sql<SettingsVersion & { document: Record<string, unknown> }>`
    select version, document, at, actor, restored_from as "restoredFrom" from settings_versions
    where version = ${version}`.execute(db)
  return rows[0]
}

/** Another currency that product prices are in, which prevents the shop from using this one. */
export async function findForeignCurrency(tx: Tx, currency: string): Promise<string | undefined> {
  const { rows } = await sql<{ currency: string }>`
    select currency from products where currency <> ${currency} limit 1`.execute(tx)
  return rows[0]?.currency
}
