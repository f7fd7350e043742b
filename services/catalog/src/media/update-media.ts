import { z } from 'zod'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import type { Clock } from '@storefront/service'
import { Media, type Actor } from '@storefront/contracts'
import { recordChange } from '../audit/record-change.ts'
import type { Database, Tx } from '../database.ts'
import { mediaNotFound } from '../errors.ts'
import { findMedia, lockMedia, updateAlt } from './media.queries.ts'
import { mediaResponse, MediaParams, type StoredMedia } from './media.ts'
import { audited } from './store-pictures.ts'

const MediaChange = z
  .object({
    alt: z
      .string()
      .max(500)
      .regex(/\S/, 'must not be blank')
      .nullable()
      .describe('What the picture shows; null removes the text. Products that have the picture keep their own text.'),
  })
  .meta({ id: 'MediaChange' })

/** Changes the text of an uploaded picture. */
export function updateMediaRoute(app: App, context: { db: Database; publicUrl: string; clock: Clock }): void {
  app.patch(
    '/admin/media/:id',
    {
      config: { access: { admin: 'catalog:write' }, errors: ['not_found'] },
      schema: {
        tags: ['Admin: catalog'],
        summary: 'Change the text of an uploaded picture',
        description: 'The text is suggested where the picture is chosen.',
        params: MediaParams,
        body: MediaChange,
        response: { 200: Media },
      },
    },
    async ({ params: { id }, body: { alt }, actor }) => {
      const row = await transaction(context.db, (tx) =>
        changeAlt(tx, { id, alt: alt?.trim() ?? null, actor, at: context.clock.now() }),
      )
      return mediaResponse(row, context.publicUrl)
    },
  )
}

async function changeAlt(
  tx: Tx,
  { id, alt, actor, at }: { id: string; alt: string | null; actor: Actor; at: Date },
): Promise<StoredMedia> {
  await lockMedia(tx, [id])
  const [before] = await findMedia(tx, [id])
  if (!before) throw mediaNotFound()
  if (alt === before.alt) return before
  const after = { ...before, alt }
  await updateAlt(tx, id, alt)
  await recordChange(tx, { actor, subject: { kind: 'media', id }, before: audited(before), after: audited(after), at })
  return after
}
