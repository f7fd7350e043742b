import { z } from 'zod'
import type { App } from '@storefront/http'
import { Ok, StorefrontConfiguration } from '@storefront/contracts'
import { settingNotFound } from '../errors.ts'
import { IfMatchHeader } from '../merchant/entity-tags.ts'
import { changeSettings, commitSettings, type SettingsContext } from './change-settings.ts'
import { templatesInForce } from './check-notifications.ts'
import { isKnownPath, nearestSetting } from './known-settings.ts'
import { withoutSetting } from './merge-settings.ts'

const Removed = Ok.extend({ version: StorefrontConfiguration.shape.version })

/** Removes a key from the configuration, so that its default applies again. */
export function deleteStorefrontSettingRoute(app: App, context: SettingsContext): void {
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
      response: { 200: Removed },
    },
    handler: async (request, reply) => {
      const { version } = await commitSettings(context, request, reply, async (tx, before, by) => {
        const { path } = request.params
        const steps = path.split('.')
        if (!isKnownPath(steps, before.document)) throw settingNotFound(path, nearestSetting(path))
        const checkedTemplates = templatesInForce(before.document)
        return changeSettings(tx, before, withoutSetting(before.document, steps), { ...by, checkedTemplates })
      })
      return { ok: true as const, ...(version !== undefined && { version }) }
    },
  })
}
