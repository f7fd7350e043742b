import { isDeepStrictEqual } from 'node:util'
import { actorIdOf } from '@storefront/audit'
import type { ImportMode, StorefrontConfiguration } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { SHOWN_ISSUES, type Issue } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { faultsOfNotifications, templatesInForce } from '../settings/check-notifications.ts'
import { faultsOfSettings } from '../settings/check-settings.ts'
import { unknownSettings } from '../settings/known-settings.ts'
import { mergeSettings } from '../settings/merge-settings.ts'
import { currencyOf } from '../settings/settings-in-force.ts'
import { findForeignCurrency, saveSettings, type Settings } from '../settings/settings.queries.ts'
import type { Applying, SettingsAfter } from './import-effects.ts'
import type { CountedJob } from './jobs.queries.ts'
import { allRows } from './staging.queries.ts'

/** The settings after an import. */
export async function settingsAfter(
  tx: Tx,
  job: Pick<CountedJob, 'id' | 'mode' | 'types'>,
  before: Settings,
): Promise<SettingsAfter> {
  let document = before.document
  const unknown = new Set<string>()
  for (const { version: _given, ...change } of await allRows<StorefrontConfiguration>(tx, job, 'settings')) {
    document = job.mode === 'replace' ? change : mergeSettings(document, change)
    for (const path of unknownSettings(change)) unknown.add(path)
  }
  // Compared in the form that will be read back: the order of keys is lost in the store, and is no change.
  const settingsChanged = !isDeepStrictEqual(JSON.parse(JSON.stringify(document)), before.document)
  return {
    settings: settingsChanged ? { version: before.version + 1, document } : before,
    settingsChanged,
    unknownSettings: [...unknown].toSorted().slice(0, SHOWN_ISSUES),
  }
}

/** Settings that are not valid for the shop. A replacing import has its own products, in its own currency. */
export async function faultsOfSettingsAfter(
  tx: Tx,
  mode: ImportMode,
  before: Settings,
  after: Settings,
): Promise<Issue[]> {
  const changesCurrency = mode === 'merge' && currencyOf(before) !== currencyOf(after)
  const currencyInUse = changesCurrency ? await findForeignCurrency(tx, currencyOf(after)) : undefined
  const issues = [
    ...faultsOfSettings(after.document, currencyInUse),
    ...(await faultsOfNotifications(after.document, [templatesInForce(before.document)])),
  ]
  return issues.map(({ path, message }) => ({ path: path === '' ? 'settings' : `settings.${path}`, message }))
}

export async function applySettings(tx: Tx, { job, now, settings, settingsChanged, effects }: Applying): Promise<void> {
  if (!settingsChanged || job.dryRun) return
  await saveSettings(tx, settings, { actor: actorIdOf(job.actor), at: now })
  effects.keys.add(key.settings)
}
