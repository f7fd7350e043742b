import { isDeepStrictEqual } from 'node:util'
import type { Actor, ImportMode, StorefrontConfiguration } from '@storefront/contracts'
import { nameOf } from '../audit/record-change.ts'
import type { Tx } from '../database.ts'
import { mergeSettings } from '../settings/merge-settings.ts'
import { findSettings, saveSettings, type Settings } from '../settings/settings.queries.ts'
import { allRows } from './staging.queries.ts'

/** The settings after an import. */
export async function settingsAfter(
  tx: Tx,
  job: { id: string; mode: ImportMode },
  before: Settings,
): Promise<{ settings: Settings; changed: boolean }> {
  let document = before.document
  for (const { data } of await allRows<StorefrontConfiguration>(tx, job.id, 'settings')) {
    const { version: _given, ...change } = data
    document = job.mode === 'replace' ? change : mergeSettings(document, change)
  }
  // Compared in the form that will be read back: the order of keys is lost in the store, and is no change.
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(document)), before.document))
    return { settings: before, changed: false }
  return { settings: { version: before.version + 1, document }, changed: true }
}

export async function importSettings(tx: Tx, settings: Settings, actor: Actor, now: Date): Promise<Settings> {
  await saveSettings(tx, settings, { actor: nameOf(actor), at: now })
  return findSettings(tx)
}
