import type { App } from '@storefront/http'
import { StorefrontConfiguration } from '@storefront/contracts'
import { storefrontVersionNotFound } from '../errors.ts'
import { IfMatchHeader } from '../merchant/entity-tags.ts'
import { changeSettings, commitSettings, type SettingsContext } from './change-settings.ts'
import { checkTemplates } from './check-notifications.ts'
import { inClientShapes } from './client-shapes.ts'
import { findSettingsVersion } from './settings.queries.ts'
import { VersionParam } from './settings-version.ts'
import { storedCurrencyOf } from './stored-settings.ts'

/** Restores the content of an old version as a new version: the versions between them stay in the history. */
export function restoreStorefrontVersionRoute(app: App, context: SettingsContext): void {
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
    handler: async (request, reply) => {
      const { version } = request.params
      const old = await findSettingsVersion(context.db, version)
      const checkedTemplates = await checkTemplates(old?.document ?? {})
      return commitSettings(context, request, reply, async (tx, before, by) => {
        if (!old) throw storefrontVersionNotFound()
        const document = inClientShapes(old.document, storedCurrencyOf(old.document))
        return changeSettings(tx, before, document, { ...by, checkedTemplates, restoredFrom: version })
      })
    },
  })
}
