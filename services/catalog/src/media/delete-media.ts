import { z } from 'zod'
import { recordChange } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import { isFlagSet, type App } from '@storefront/http'
import { Ok, type Actor } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { mediaInUse, mediaNotFound } from '../errors.ts'
import { invalidateCaches } from '../merchant/invalidate-caches.ts'
import { deleteMedia, findMedia, lockMedia } from './media.queries.ts'
import { findUses } from './media-uses.queries.ts'
import { mediaKey, MediaParams } from './media.ts'
import { removeFiles } from './remove-files.ts'
import { audited } from './store-pictures.ts'

const SHOWN_USES = 5

/** Removes an uploaded picture, unless the shop uses it; with `force=1` in any case. */
export function deleteMediaRoute(app: App, context: CatalogContext): void {
  app.delete('/admin/media/:id', {
    config: { access: { admin: 'catalog:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Delete an uploaded picture',
      description:
        'Deletes all its sizes. A picture that a product, a category, a collection, the library or the configuration uses is ' +
        '409 `conflict`, with the places in `detail`, unless `force` is set.',
      params: MediaParams,
      querystring: z.object({
        force: z
          .enum(['0', '1', 'true', 'false'])
          .default('0')
          .describe('`1` or `true` deletes the picture even if it is in use.'),
      }),
      response: { 200: Ok },
    },
    handler: async ({ params: { id }, query, actor }, reply) => {
      const force = isFlagSet(query.force)
      await transaction(context.db, (tx) => deleteRow(tx, { id, force, actor, at: context.clock.now() }))
      // If the store is unreachable, files without a row remain, which the sweep removes.
      await removeFiles(context, id).catch((error: unknown) =>
        context.log.warn(
          { err: error, media: id },
          'the files of a deleted picture could not be removed; the sweep of the media store removes them',
        ),
      )
      await invalidateCaches(context, { keys: [mediaKey(id)] }, reply)
      return { ok: true as const }
    },
  })
}

async function deleteRow(
  tx: Tx,
  { id, force, actor, at }: { id: string; force: boolean; actor: Actor; at: Date },
): Promise<void> {
  await lockMedia(tx, [id])
  const [row] = await findMedia(tx, [id])
  if (!row) throw mediaNotFound()
  if (!force) {
    const uses = await findUses(tx, id, SHOWN_USES)
    if (uses.products.length > 0 || uses.places.length > 0) throw mediaInUse(uses)
  }
  await deleteMedia(tx, id)
  await recordChange(tx, { actor, subject: { kind: 'media', id }, before: audited(row), at })
}
