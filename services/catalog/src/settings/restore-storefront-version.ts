import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import type { Clock } from '@storefront/service'
import { StorefrontConfiguration } from '@storefront/contracts'
import { storefrontChangedMeanwhile, storefrontVersionNotFound } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { invalidateCaches, type InvalidationContext } from '../merchant/invalidate-caches.ts'
import { etagOf, IfMatchHeader, matchesEtag } from '../merchant/entity-tags.ts'
import { changeSettings } from './change-settings.ts'
import { checkTemplates } from './check-notifications.ts'
import { inClientShapes } from './client-shapes.ts'
import { configurationResponse } from './get-storefront.ts'
import { findSettingsVersion, lockSettings } from './settings.queries.ts'
import { VersionParam } from './settings-version.ts'
import { storedCurrencyOf } from './stored-settings.ts'

/** Restores the content of an old version as a new version: the versions between them stay in the history. */
export function restoreStorefrontVersionRoute(app: App, context: InvalidationContext & { clock: Clock }): void {
  app.post('/admin/storefront/versions/:version/restore', {
    config: { access: { admin: 'settings:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Restore an earlier version of the storefront configuration',
      description:
        'Creates a new version with the content of the earlier one; the versions between them stay in the history. The same ' +
        'validation applies as for a new configuration.',
      params: VersionParam,
      headers: IfMatchHeader,
      response: { 200: StorefrontConfiguration },
    },
    handler: async ({ params, actor, headers }, reply) => {
      const old = await findSettingsVersion(context.db, params.version)
      const checkedTemplates = await checkTemplates(old?.document ?? {})
      const { settings, changed } = await transaction(context.db, async (tx) => {
        const before = await lockSettings(tx)
        if (!matchesEtag(headers['if-match'], before)) throw storefrontChangedMeanwhile(before.version)
        if (!old) throw storefrontVersionNotFound()
        const by = { actor, at: context.clock.now(), checkedTemplates, restoredFrom: params.version }
        const document = inClientShapes(old.document, storedCurrencyOf(old.document))
        return changeSettings(tx, before, document, by)
      })
      await invalidateCaches(context, { keys: changed ? [key.settings] : [], settingsChanged: changed }, reply)
      reply.header('etag', etagOf(settings))
      return configurationResponse(settings, context.publicUrl)
    },
  })
}
