import { recordAction, type ActorNames } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import type { Clock, Timer } from '@storefront/service'
import { BulkEdit, type Actor } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { notUndoable } from '../errors.ts'
import { bulkEditResponse, BulkEditParams, undoUntilOf } from './bulk-edit-response.ts'
import { findBulkEdit, insertBulkEdit, insertChanged, lockBulkEdit, type StoredBulkEdit } from './bulk-edits.queries.ts'

/** Restores what a bulk edit has changed, in the background. */
export function undoBulkEditRoute(
  app: App,
  { db, clock, names }: { db: Database; clock: Clock; names: ActorNames },
  worker: Pick<Timer, 'wake'>,
): void {
  app.post('/admin/products/bulk/:id/undo', {
    config: { access: { admin: 'catalog:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Undo a bulk edit within an hour of its end',
      description:
        'Restores the fields that the bulk edit changed, as a bulk edit of its own. A product with a field that has another value ' +
        'by now is left as it is, with the problem `changed-since`. A bulk edit that has not ended, ended more than an hour ago or ' +
        'changed nothing is 409 `conflict`, and so is an undo. Repeating the request gets the same undo.',
      params: BulkEditParams,
      response: { 202: BulkEdit },
    },
    handler: async ({ params, actor }, reply) => {
      const undo = await transaction(db, (tx) => startUndo(tx, params.id, actor, clock.now()))
      worker.wake()
      reply.header('location', `/admin/products/bulk/${undo.id}`)
      return reply.code(202).send(await bulkEditResponse(undo, names))
    },
  })
}

async function startUndo(tx: Tx, id: string, actor: Actor, now: Date): Promise<StoredBulkEdit> {
  const known = await findUndo(tx, id, now)
  if (known) return known
  // The second of two concurrent requests finds the undo of the first.
  await lockBulkEdit(tx, id)
  const made = await findUndo(tx, id, now)
  if (made) return made
  const undoId = await insertBulkEdit(tx, { actor, change: null, undoes: id, key: undefined }, now)
  if (undoId === undefined) throw new Error(`an undo was not stored: ${id}`)
  await insertChanged(tx, undoId, id)
  const undo = await findBulkEdit(tx, undoId)
  const after = { undoes: id, products: undo.total }
  await recordAction(tx, { actor, action: 'create', subject: { kind: 'bulk-edit', id: undoId }, after, at: now })
  return undo
}

/** @throws HttpError when there is no undo and none is possible */
async function findUndo(tx: Tx, id: string, now: Date): Promise<StoredBulkEdit | undefined> {
  const edit = await findBulkEdit(tx, id)
  if (edit.undoneBy !== null) return findBulkEdit(tx, edit.undoneBy)
  const fault = faultOf(edit, now)
  if (fault !== undefined) throw notUndoable(fault)
  return undefined
}

/** Why a bulk edit cannot be undone, as a sentence. */
function faultOf(edit: StoredBulkEdit, now: Date): string | undefined {
  if (edit.undoes !== null) return 'An undo cannot be undone.'
  if (!edit.finishedAt) return 'This bulk edit has not ended yet. Wait for it, or cancel it first.'
  const until = undoUntilOf(edit)
  if (!until) return 'This bulk edit changed nothing.'
  return now > until ? 'A bulk edit can be undone for one hour, which has passed.' : undefined
}
