import { z } from 'zod'
import { actorIdOf, type ActorNames } from '@storefront/audit'
import { HOUR_MS } from '@storefront/service'
import { OpaqueId, type BulkEdit, type NamedActor } from '@storefront/contracts'
import type { StoredBulkEdit } from './bulk-edits.queries.ts'

/** For how long after its end a bulk edit can be undone. */
const UNDO_MS = HOUR_MS

export const BulkEditParams = z.object({
  id: OpaqueId.describe('Id of a bulk edit, as its reply and GET /admin/products/bulk show it.'),
})

export async function bulkEditResponses(edits: readonly StoredBulkEdit[], names: ActorNames): Promise<BulkEdit[]> {
  const nameOf = await names(edits.map(({ actor }) => actorIdOf(actor)))
  return edits.map((edit) => responseOf(edit, nameOf(actorIdOf(edit.actor))))
}

/** One bulk edit as merchants see it. */
export async function bulkEditResponse(edit: StoredBulkEdit, names: ActorNames): Promise<BulkEdit> {
  const id = actorIdOf(edit.actor)
  return responseOf(edit, (await names([id]))(id))
}

function responseOf(edit: StoredBulkEdit, by: NamedActor): BulkEdit {
  const { id, state, change, undoes, undoneBy, total, changed, unchanged, failed, problems, finishedAt } = edit
  const undoUntil = undoUntilOf(edit)
  return {
    id,
    state,
    ...(change && { change }),
    ...(undoes !== null && { undoes }),
    ...(undoneBy !== null && { undoneBy }),
    total,
    done: changed + unchanged + failed,
    changed,
    unchanged,
    failed,
    problems,
    by,
    createdAt: edit.createdAt.toISOString(),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    ...(undoUntil && { undoUntil: undoUntil.toISOString() }),
  }
}

/** @returns undefined when it cannot be undone at all */
export function undoUntilOf({ finishedAt, undoes, undoneBy, changed }: StoredBulkEdit): Date | undefined {
  if (!finishedAt || undoes !== null || undoneBy !== null || changed === 0) return undefined
  return new Date(finishedAt.getTime() + UNDO_MS)
}
