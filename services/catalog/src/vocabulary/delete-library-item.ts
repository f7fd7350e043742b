import { recordChange } from '@storefront/audit'
import { publish } from '@storefront/messaging'
import type { App } from '@storefront/http'
import type { Clock } from '@storefront/service'
import { Ok, OpaqueId, SettingsUpdated } from '@storefront/contracts'
import { libraryItemNotFound } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { commitWrite, type InvalidationContext } from '../merchant/invalidate-caches.ts'
import { lockSettings } from '../settings/settings.queries.ts'
import { checkKind, KindParams } from './library-kind.ts'
import { deleteLibraryItem, findLibraryItem } from './library.queries.ts'

/** Deletes an item from the library. Products keep its text. */
export function deleteLibraryItemRoute(app: App, context: InvalidationContext & { clock: Clock }): void {
  app.delete('/admin/library/:kind/:id', {
    config: { access: { admin: 'catalog:write' }, errors: ['invalid_kind', 'not_found'] },
    onRequest: checkKind,
    schema: {
      summary: 'Delete an attribute, a feature or an assurance',
      description: 'Removes it from the suggestions. Products that have it keep it.',
      params: KindParams.extend({
        id: OpaqueId.describe('Id of an item of this kind, as GET /admin/library lists it.'),
      }),
      response: { 200: Ok },
    },
    handler: async ({ params, actor }, reply) => {
      const at = context.clock.now()
      await commitWrite(context, reply, async (tx) => {
        const { version } = await lockSettings(tx)
        const before = await findLibraryItem(tx, params.kind, params.id)
        if (!before) throw libraryItemNotFound()
        await deleteLibraryItem(tx, params.kind, params.id)
        await recordChange(tx, { actor, subject: { kind: 'library-item', id: params.id }, before, at })
        await publish(tx, SettingsUpdated, { version }, at)
        return { keys: [key.library] }
      })
      return { ok: true as const }
    },
  })
}
