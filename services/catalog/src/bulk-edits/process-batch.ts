import { recordAction, recordChanges } from '@storefront/audit'
import { limitLockWaits, transaction } from '@storefront/postgres'
import { MAX_BULK_EDIT_PROBLEMS, type BulkEditProblem } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { invalidateCaches, type Invalidation } from '../merchant/invalidate-caches.ts'
import { changedProduct } from '../products/changed-product.ts'
import { changeProducts } from '../products/change-products.ts'
import { lockProducts } from '../products/products.queries.ts'
import type { RawProduct } from '../products/raw-product.ts'
import { findRawProducts } from '../products/raw-products.queries.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import { auditedFields } from '../products/write-product.ts'
import { claimBatch, saveProgress, type StoredBulkEdit } from './bulk-edits.queries.ts'
import { decideEdits, planEdits } from './decide-edits.ts'
import { differencesOf, patchOf } from './edited-fields.ts'
import { findNextProducts, saveEdits } from './edited-products.queries.ts'

/** A statement that waits for two locks ends before it would count as one that takes too long. */
const LOCK_MS = 2000

interface Batch {
  /** All of its products, in the order of their ids. */
  ids: readonly string[]
  changed: readonly string[]
  problems: readonly BulkEditProblem[]
}

/** Rolls a batch back: the bulk edit was canceled before its commit. */
class BulkEditCancelled extends Error {}

/**
 * Changes the next products of a bulk edit in one transaction with their events, their audit and the progress, and ends
 * the edit after its last product.
 * @returns false when another replica is processing a batch, or the edit has ended
 */
export async function processBatch(context: CatalogContext, id: string, limit: number): Promise<boolean> {
  try {
    const invalidation = await transaction(context.db, async (tx) => {
      await limitLockWaits(tx, LOCK_MS)
      const edit = await claimBatch(tx, id)
      return edit && changeNext(tx, edit, await findNextProducts(tx, edit, limit), context)
    })
    if (invalidation) await invalidateCaches(context, invalidation, undefined)
    return invalidation !== undefined
  } catch (error) {
    if (error instanceof BulkEditCancelled) return true
    throw error
  }
}

/** Skips the next product of a bulk edit: changing it alone has failed. */
export async function skipNext({ db, clock }: CatalogContext, id: string): Promise<void> {
  try {
    await transaction(db, async (tx) => {
      const edit = await claimBatch(tx, id)
      if (edit) await recordSkipped(tx, edit, await findNextProducts(tx, edit, 1), clock.now())
    })
  } catch (error) {
    if (!(error instanceof BulkEditCancelled)) throw error
  }
}

async function recordSkipped(tx: Tx, edit: StoredBulkEdit, ids: readonly string[], now: Date): Promise<void> {
  const titles = new Map((await findRawProducts(tx, ids)).map(({ raw }) => [raw.id, raw.title]))
  const problems = ids.map((id) => ({
    id,
    title: titles.get(id) ?? null,
    reason: 'error' as const,
    message: 'Something went wrong on our side.',
  }))
  await recordProgress(tx, edit, { ids, changed: [], problems }, now)
}

async function changeNext(
  tx: Tx,
  edit: StoredBulkEdit,
  ids: readonly string[],
  context: CatalogContext,
): Promise<Invalidation> {
  const now = context.clock.now()
  const plan = await planEdits(tx, edit, ids)
  await lockProducts(tx, ids)
  const before = new Map((await findRawProducts(tx, ids)).map(({ raw }) => [raw.id, raw]))
  const { fields, problems } = decideEdits(plan, ids, [...before.values()])
  const { publicUrl } = context
  const inputOf = (product: RawProduct) =>
    changedProduct(product, patchOf(product, fields.get(product.id) ?? {}), { shown: [], publicUrl })
  await changeProducts(tx, [...fields.keys()], inputOf, now)
  const changes = (await findRawProducts(tx, [...fields.keys()])).flatMap(({ raw: after }) => {
    const from = before.get(after.id)
    if (!from) return []
    const differences = differencesOf(from, after)
    return differences ? [{ productId: after.id, from, after, differences }] : []
  })
  await recordChanges(tx, {
    actor: edit.actor,
    action: 'bulk-edit',
    changes: changes.map(({ productId, from, after }) => ({
      subject: { kind: 'product', id: productId },
      before: auditedFields(from),
      after: auditedFields(after),
    })),
    at: now,
  })
  await saveEdits(
    tx,
    edit.id,
    changes.map(({ productId, differences }) => ({ productId, ...differences })),
  )
  const changed = changes.map(({ productId }) => productId)
  const keys = await refreshProducts(tx, changed, { ...context, locked: changed })
  // Last, because from here on a cancellation has to wait.
  await recordProgress(tx, edit, { ids, changed, problems }, now)
  return { productIds: changed, keys }
}

async function recordProgress(
  tx: Tx,
  edit: StoredBulkEdit,
  { ids, changed, problems }: Batch,
  now: Date,
): Promise<void> {
  const counts = {
    changed: edit.changed + changed.length,
    unchanged: edit.unchanged + ids.length - changed.length - problems.length,
    failed: edit.failed + problems.length,
  }
  const isDone = ids.length === 0 || counts.changed + counts.unchanged + counts.failed >= edit.total
  const isStored = await saveProgress(tx, edit.id, {
    ...counts,
    state: isDone ? 'done' : 'running',
    problems: [...edit.problems, ...problems].slice(0, MAX_BULK_EDIT_PROBLEMS),
    lastProduct: ids.at(-1) ?? edit.lastProduct,
    finishedAt: isDone ? now : null,
  })
  if (!isStored) throw new BulkEditCancelled()
  if (!isDone) return
  const subject = { kind: 'bulk-edit' as const, id: edit.id }
  await recordAction(tx, { actor: edit.actor, action: 'update', subject, after: { state: 'done', ...counts }, at: now })
}
