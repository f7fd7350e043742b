import { z } from 'zod'
import { transaction, type App, type Clock } from '@storefront/chassis'
import { StorefrontConfiguration } from '@storefront/contracts'
import { storefrontChangedMeanwhile } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { settleWrite, type SettleContext } from '../merchant/settle-write.ts'
import { etagOf, matchesEtag } from '../merchant/entity-tags.ts'
import { changeSettings } from './change-settings.ts'
import { tryTemplates } from './check-notifications.ts'
import { configurationAnswer } from './get-storefront.ts'
import { mergeSettings } from './merge-settings.ts'
import { findSettings, lockSettings } from './settings.queries.ts'

/**
 * Changes a part of the configuration. Keys that this service does not know are kept: the client may know them. One that is
 * null is taken out, so that its default holds again.
 */
export function updateStorefrontRoute(app: App, context: SettleContext & { clock: Clock }): void {
  app.patch(
    '/admin/storefront',
    {
      config: { access: { admin: 'settings:write' }, errors: ['conflict'] },
      schema: {
        tags: ['Admin: catalogue'],
        summary: 'Change a part of the storefront configuration',
        headers: z.looseObject({ 'if-match': z.string().optional() }),
        // The shape is that of the merged whole: null takes a key out wherever it may be left out.
        body: z.record(z.string(), z.unknown()).meta({
          description: 'A partial StorefrontConfiguration: objects merge, arrays replace, null takes a key out',
        }),
        response: { 200: StorefrontConfiguration },
      },
    },
    async ({ body, actor, headers }, reply) => {
      const tried = await tryTemplates(mergeSettings((await findSettings(context.db)).document, body))
      const { settings, changed } = await transaction(context.db, async (tx) => {
        const before = await lockSettings(tx)
        if (!matchesEtag(headers['if-match'], before)) throw storefrontChangedMeanwhile(before.version)
        return changeSettings(tx, before, mergeSettings(before.document, body), {
          actor,
          at: context.clock.now(),
          tried,
        })
      })
      await settleWrite(context, { keys: changed ? [key.settings] : [], settingsChanged: changed }, reply)
      reply.header('etag', etagOf(settings))
      return configurationAnswer(settings, context.publicUrl)
    },
  )
}
