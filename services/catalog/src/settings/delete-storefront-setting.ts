import { z } from 'zod'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import type { Clock } from '@storefront/service'
import { StorefrontConfiguration } from '@storefront/contracts'
import { settingNotFound, storefrontChangedMeanwhile } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { invalidateCaches, type InvalidationContext } from '../merchant/invalidate-caches.ts'
import { etagOf, IfMatchHeader, matchesEtag } from '../merchant/entity-tags.ts'
import { changeSettings } from './change-settings.ts'
import { templatesInForce } from './check-notifications.ts'
import { configurationResponse } from './get-storefront.ts'
import { isKnownPath, nearestSetting } from './known-settings.ts'
import { withoutSetting } from './merge-settings.ts'
import { lockSettings } from './settings.queries.ts'

/** Removes a key from the configuration, so that its default applies again. */
export function deleteStorefrontSettingRoute(app: App, context: InvalidationContext & { clock: Clock }): void {
  app.delete('/admin/storefront/:path', {
    config: { access: { admin: 'settings:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Remove a key from the storefront configuration',
      description:
        'Removing a key that does not exist changes nothing. Lists are replaced as a whole, by PATCH /admin/storefront.',
      params: z.object({
        path: z.string().describe('Keys joined by dots, such as `navigation.announcement`.'),
      }),
      headers: IfMatchHeader,
      response: { 200: StorefrontConfiguration },
    },
    handler: async ({ params, actor, headers }, reply) => {
      const path = params.path.split('.')
      const { settings, changed } = await transaction(context.db, async (tx) => {
        const before = await lockSettings(tx)
        if (!matchesEtag(headers['if-match'], before)) throw storefrontChangedMeanwhile(before.version)
        if (!isKnownPath(path, before.document)) throw settingNotFound(params.path, nearestSetting(params.path))
        const checkedTemplates = templatesInForce(before.document)
        return changeSettings(tx, before, withoutSetting(before.document, path), {
          actor,
          at: context.clock.now(),
          checkedTemplates,
        })
      })
      await invalidateCaches(context, { keys: changed ? [key.settings] : [], settingsChanged: changed }, reply)
      reply.header('etag', etagOf(settings))
      return configurationResponse(settings, context.publicUrl)
    },
  })
}
