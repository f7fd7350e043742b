import { isDeepStrictEqual } from 'node:util'
import { actorIdOf, recordChange } from '@storefront/audit'
import { publish } from '@storefront/messaging'
import type { Clock } from '@storefront/service'
import { SettingsUpdated, StorefrontConfiguration, type Actor } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { issuesOf, storefrontChangedMeanwhile, storefrontRejected } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { etagOf, matchesEtag, type IfMatchHeaders } from '../merchant/entity-tags.ts'
import { commitWrite, type Invalidation, type InvalidationContext, type Reply } from '../merchant/invalidate-caches.ts'
import { currencyOf } from './settings-in-force.ts'
import { faultsOfNotifications, templatesInForce, type CheckedTemplates } from './check-notifications.ts'
import { faultsOfSettings } from './check-settings.ts'
import { configurationResponse } from './get-storefront.ts'
import { findForeignCurrency, lockSettings, saveSettings, type Settings } from './settings.queries.ts'

export type SettingsContext = InvalidationContext & { clock: Clock }
type Changed = Invalidation & { settings: Settings }

/**
 * Commits a change of the configuration, which is locked, and compared with the version that the client has read.
 * @returns the configuration as merchants read it
 */
export async function commitSettings(
  context: SettingsContext,
  { actor, headers }: { actor: Actor; headers: IfMatchHeaders },
  reply: Reply,
  change: (tx: Tx, before: Settings, by: { actor: Actor; at: Date }) => Promise<Changed>,
): Promise<StorefrontConfiguration> {
  const { settings } = await commitWrite(context, reply, async (tx) => {
    const before = await lockSettings(tx)
    if (!matchesEtag(headers['if-match'], before)) throw storefrontChangedMeanwhile(before.version)
    return change(tx, before, { actor, at: context.clock.now() })
  })
  reply.header('etag', etagOf(settings))
  return configurationResponse(settings, context.publicUrl)
}

/**
 * Makes a configuration the current one, as the next version, unless it is unchanged.
 * @param before the current configuration, locked
 * @param by.checkedTemplates the requested templates, checked before the lock; those that have changed since are
 * checked again
 * @throws HttpError `validation_failed` that names every invalid value
 */
export async function changeSettings(
  tx: Tx,
  before: Settings,
  wanted: unknown,
  {
    actor,
    at,
    checkedTemplates,
    restoredFrom,
  }: { actor: Actor; at: Date; checkedTemplates: CheckedTemplates; restoredFrom?: number },
): Promise<Changed> {
  // Compared in the form that will be read back, because in text minus zero and zero are the same number.
  const parsed = StorefrontConfiguration.safeParse(JSON.parse(JSON.stringify(wanted)))
  if (!parsed.success) throw storefrontRejected(issuesOf(parsed.error))
  const { version: _version, ...document } = parsed.data
  const settings = { version: before.version + 1, document }
  const currency = currencyOf(settings)
  const currencyInUse = currency === currencyOf(before) ? undefined : await findForeignCurrency(tx, currency)
  const issues = [
    ...faultsOfSettings(document, currencyInUse),
    ...(await faultsOfNotifications(document, [templatesInForce(before.document), checkedTemplates])),
  ]
  if (issues.length > 0) throw storefrontRejected(issues)
  if (isDeepStrictEqual(document, before.document)) return { settings: before, keys: [] }

  await saveSettings(tx, settings, { actor: actorIdOf(actor), at, ...(restoredFrom !== undefined && { restoredFrom }) })
  await recordChange(tx, {
    actor,
    subject: { kind: 'storefront', id: 'storefront' },
    before: { ...before.document },
    after: { ...document },
    at,
  })
  await publish(tx, SettingsUpdated, { version: settings.version }, at)
  return { settings, keys: [key.settings], settingsChanged: true }
}
