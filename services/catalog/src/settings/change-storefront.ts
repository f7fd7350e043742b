import { z } from 'zod'
import type { App } from '@storefront/http'
import { StorefrontConfiguration } from '@storefront/contracts'
import { IfMatchHeader } from '../merchant/entity-tags.ts'
import { changeSettings, commitSettings, type SettingsContext } from './change-settings.ts'
import { checkTemplates } from './check-notifications.ts'
import { inClientShapes } from './client-shapes.ts'
import { requireKnownSettings } from './known-settings.ts'
import { withLocalPictures } from './local-pictures.ts'
import { mergeSettings } from './merge-settings.ts'
import { findSettings, type Settings } from './settings.queries.ts'
import { storedCurrencyOf } from './stored-settings.ts'

const PartialConfiguration = z.record(z.string(), z.unknown())
type PartialConfiguration = z.output<typeof PartialConfiguration>

/** Changes a part of the configuration. Null is a value that means “not set”. */
export function changeStorefrontRoute(app: App, context: SettingsContext): void {
  app.patch('/admin/storefront', {
    config: { access: { admin: 'settings:write' }, errors: ['conflict'] },
    schema: {
      summary: 'Change part of the storefront configuration',
      description:
        'Objects merge, lists replace, null means that a value is not set and is read back as null. A field that the document does not ' +
        'declare is an `unknown_field`, except below `extensions` and in home sections of other types. To remove a key, ' +
        'use DELETE /admin/storefront/:path.',
      headers: IfMatchHeader,
      body: PartialConfiguration.meta({ description: 'A part of a StorefrontConfiguration.' }),
      response: { 200: StorefrontConfiguration },
    },
    handler: async (request, reply) => {
      const changeOf = (before: Settings) => changeInClientShapes(before, request.body, context.publicUrl)
      const known = await findSettings(context.db)
      const checkedTemplates = await checkTemplates(mergeSettings(known.document, changeOf(known)))
      return commitSettings(context, request, reply, async (tx, before, by) => {
        const change = changeOf(before)
        const wanted = mergeSettings(before.document, change)
        const saved = await changeSettings(tx, before, wanted, { ...by, checkedTemplates })
        // After the check of values, which reports a misplaced secret as such and not as an unknown name.
        requireKnownSettings(change, before.document)
        return saved
      })
    },
  })
}

function changeInClientShapes(
  { document }: Settings,
  body: PartialConfiguration,
  publicUrl: string,
): PartialConfiguration {
  // Read before the rest of the change is checked, because its prices depend on it.
  const currency = storedCurrencyOf(mergeSettings(document, body))
  return PartialConfiguration.parse(withLocalPictures(inClientShapes(body, currency), publicUrl))
}
