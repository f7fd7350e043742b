import { recordAction, type ActorNames } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { Clock, Timer } from '@storefront/service'
import type { App } from '@storefront/http'
import { BulkEdit, BulkEditRequest, type Actor } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { idempotencyMismatch } from '../errors.ts'
import { bulkEditResponse } from './bulk-edit-response.ts'
import { findBulkEdit, findByKey, insertBulkEdit, insertSelected, releaseOldKey } from './bulk-edits.queries.ts'
import { IdempotencyHeaders, KEY_MEMORY_MS, requestKeyOf, type RequestKey } from './request-key.ts'
import { assertPossible, findSelected } from './select-products.ts'

/** Changes many products, in the background. */
export function startBulkEditRoute(
  app: App,
  { db, clock, names }: { db: Database; clock: Clock; names: ActorNames },
  worker: Pick<Timer, 'wake'>,
): void {
  app.post('/admin/products/bulk', {
    config: { access: { admin: 'catalog:write' }, errors: ['idempotency_mismatch'] },
    schema: {
      summary: 'Change many products at once',
      description:
        'The products are selected now and changed in the background, one bulk edit after the other: GET ' +
        '/admin/products/bulk/{id} shows the progress. Each product is changed as PATCH /admin/products/{id} would ' +
        'change it at that moment. A product that cannot be changed does not stop the others.',
      headers: IdempotencyHeaders,
      body: BulkEditRequest,
      response: { 202: BulkEdit },
    },
    handler: async ({ body, actor, headers }, reply) => {
      const key = requestKeyOf(headers['idempotency-key'], actor, body)
      const { edit, isRepeated } = await transaction(db, async (tx) => {
        const started = await start(tx, { body, actor, key }, clock.now())
        const id = started ?? (await findRepeated(tx, key))
        return { edit: await findBulkEdit(tx, id), isRepeated: started === undefined }
      })
      worker.wake()
      if (isRepeated) reply.header('idempotent-replayed', 'true')
      reply.header('location', `/admin/products/bulk/${edit.id}`)
      return reply.code(202).send(await bulkEditResponse(edit, names))
    },
  })
}

/** @returns undefined when the request was sent before */
async function start(
  tx: Tx,
  { body, actor, key }: { body: BulkEditRequest; actor: Actor; key: RequestKey | undefined },
  now: Date,
): Promise<string | undefined> {
  if (key) await releaseOldKey(tx, key.keyDigest, new Date(now.getTime() - KEY_MEMORY_MS))
  const { change, products } = body
  const id = await insertBulkEdit(tx, { actor, change, undoes: null, key }, now)
  if (id === undefined) return undefined
  await assertPossible(tx, change)
  const selected = await findSelected(tx, products)
  await insertSelected(tx, id, selected)
  const after = { change, products: selected.length }
  await recordAction(tx, { actor, action: 'create', subject: { kind: 'bulk-edit', id }, after, at: now })
  return id
}

/** @throws HttpError when the key came with another request */
async function findRepeated(tx: Tx, key: RequestKey | undefined): Promise<string> {
  const known = key && (await findByKey(tx, key.keyDigest))
  if (!key || !known?.requestDigest?.equals(key.requestDigest)) throw idempotencyMismatch()
  return known.id
}
