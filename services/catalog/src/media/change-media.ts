import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { recordChange } from '@storefront/audit'
import { requireUnchanged, type App, type SentBackField } from '@storefront/http'
import { declareReadOnly, FocalPoint, Media, type Actor } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { mediaNotFound } from '../errors.ts'
import { commitWrite } from '../merchant/invalidate-caches.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import { findMedia, lockMedia, updateMedia } from './media.queries.ts'
import { findProductsWithMedia } from './media-uses.queries.ts'
import { mediaKey, mediaResponse, MediaParams, type StoredMedia } from './media.ts'
import { audited } from './store-pictures.ts'

const MediaChange = z
  .object({
    alt: z
      .string()
      .max(500)
      .regex(/\S/, 'must not be blank')
      .nullable()
      .optional()
      .describe('What the picture shows; null removes the text. Products that have the picture keep their own text.'),
    focalPoint: FocalPoint.nullable()
      .optional()
      .describe('What stays visible where the picture is cropped, in every product too; null for the middle.'),
  })
  .refine(({ alt, focalPoint }) => alt !== undefined || focalPoint !== undefined, 'must change alt or focalPoint')
  .meta({ id: 'MediaChange' })
/** Fields with addresses, which change with the host of the shop. */
const ADDRESSES = ['url', 'sizes', 'jpeg']
declareReadOnly(MediaChange, {
  fixed: Object.keys(Media.shape).filter((name) => !(name in MediaChange.shape) && !ADDRESSES.includes(name)),
  live: ADDRESSES,
})
type MediaChange = z.output<typeof MediaChange>

export function changeMediaRoute(app: App, context: CatalogContext): void {
  app.patch('/admin/media/:id', {
    config: { access: { admin: 'catalog:write' }, errors: ['not_found', 'read_only_field'] },
    schema: {
      summary: 'Change the text or the focal point of an uploaded picture',
      description:
        'The text is suggested where the picture is chosen. Thumbnails are cropped around the focal point, and the `images` of ' +
        'products contain it. A field that is left out stays as it is.',
      params: MediaParams,
      body: MediaChange,
      response: { 200: Media },
    },
    handler: async ({ params: { id }, body, actor, sentBack }, reply) => {
      const { row } = await commitWrite(context, reply, (tx) =>
        changeMedia(tx, { id, change: body, actor, sentBack }, context),
      )
      return mediaResponse(row, context.publicUrl)
    },
  })
}

async function changeMedia(
  tx: Tx,
  {
    id,
    change,
    actor,
    sentBack,
  }: { id: string; change: MediaChange; actor: Actor; sentBack: readonly SentBackField[] },
  context: CatalogContext,
): Promise<{ row: StoredMedia; keys: string[] }> {
  await lockMedia(tx, [id])
  const [before] = await findMedia(tx, [id])
  if (!before) throw mediaNotFound()
  requireUnchanged(sentBack, mediaResponse(before, context.publicUrl))
  const after = {
    ...before,
    ...(change.alt !== undefined && { alt: change.alt?.trim() ?? null }),
    ...(change.focalPoint !== undefined && { focalPoint: change.focalPoint }),
  }
  if (isDeepStrictEqual(after, before)) return { row: before, keys: [] }
  await updateMedia(tx, after)
  const at = context.clock.now()
  await recordChange(tx, { actor, subject: { kind: 'media', id }, before: audited(before), after: audited(after), at })
  if (isDeepStrictEqual(after.focalPoint, before.focalPoint)) return { row: after, keys: [] }
  const products = await findProductsWithMedia(tx, id)
  return { row: after, keys: [mediaKey(id), ...(await refreshProducts(tx, products, context))] }
}
