import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { actorIdOf } from '@storefront/audit'
import { StorefrontConfiguration, type ImportMode } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { issuesOf, SHOWN_ISSUES, type Issue } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { faultsOfNotifications, templatesInForce } from '../settings/check-notifications.ts'
import { faultsOfSettings } from '../settings/check-settings.ts'
import { inClientShapes } from '../settings/client-shapes.ts'
import { unknownSettings } from '../settings/known-settings.ts'
import { mergeSettings } from '../settings/merge-settings.ts'
import { currencyOf } from '../settings/settings-in-force.ts'
import { findForeignCurrency, saveSettings, type Settings } from '../settings/settings.queries.ts'
import { configurationOf, storedCurrencyOf } from '../settings/stored-settings.ts'
import type { Applying, SettingsAfter } from './import-effects.ts'
import type { CountedJob } from './jobs.queries.ts'
import { allRows } from './staging.queries.ts'

const PartialSettings = z.record(z.string(), z.unknown())

/**
 * Settings of an import, staged unchanged: their prices may be in the currency of the shop, which is known only when
 * they are merged.
 */
export const SettingsRow = PartialSettings.superRefine((row, context) => {
  const { error } = StorefrontConfiguration.safeParse(inClientShapes(row, undefined))
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message })
})

export async function settingsAfter(
  tx: Tx,
  job: Pick<CountedJob, 'id' | 'mode' | 'types'>,
  before: Settings,
): Promise<SettingsAfter> {
  let merged: Record<string, unknown> = { ...before.document }
  const unknown = new Set<string>()
  for (const { version: _given, ...row } of await allRows<Record<string, unknown>>(tx, job, 'settings')) {
    const kept = job.mode === 'replace' ? {} : merged
    const change = PartialSettings.parse(inClientShapes(row, storedCurrencyOf(mergeSettings(kept, row))))
    merged = mergeSettings(kept, change)
    for (const path of unknownSettings(change)) unknown.add(path)
  }
  const { data, error } = StorefrontConfiguration.safeParse(merged)
  const document = data ?? configurationOf(merged)
  // Compared in the form that will be read back, because the order of keys is not stored and is not a change.
  const settingsChanged = !isDeepStrictEqual(JSON.parse(JSON.stringify(document)), before.document)
  return {
    settings: settingsChanged ? { version: before.version + 1, document } : before,
    settingsChanged,
    unknownSettings: [...unknown].toSorted().slice(0, SHOWN_ISSUES),
    foreignPrices: issuesOf(error).map(({ path, message }) => ({ path: `settings.${path}`, message })),
  }
}

/** Settings that are not valid for the shop. With a replacing import, only the currency of its own products counts. */
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
