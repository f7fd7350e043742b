import { recordChanges, SCHEDULE } from '@storefront/audit'
import { processBatches } from '@storefront/jobs'
import { isDatabaseTimeout, isOutage, transaction } from '@storefront/postgres'
import type { Timer } from '@storefront/service'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { invalidateCaches, type Invalidation } from '../merchant/invalidate-caches.ts'
import { MAX_SINGLE_EVENTS } from './bulk-events.ts'
import { changedProduct } from './changed-product.ts'
import { changeProducts } from './change-products.ts'
import { dueChange } from './due-change.ts'
import { lockDueProducts, type DueProducts } from './due-products.queries.ts'
import type { RawProduct } from './raw-product.ts'
import { findRawProducts } from './raw-products.queries.ts'
import { refreshProducts } from './refresh-products.ts'
import { auditedFields } from './write-product.ts'

/** Products per transaction, few enough that each gets its own event. */
const BATCH = MAX_SINGLE_EVENTS
/** The pause before a product that could not be changed is tried again. */
const RETRY_MS = 60_000

/**
 * Publishes and hides products at their times, in any replica. Each change happens once, because its transaction locks
 * the product and removes the time.
 */
export function publishScheduled(context: CatalogContext): Timer {
  const { clock, log } = context
  const retryAtMs = new Map<string, number>()
  const postponedIds = (): string[] => {
    for (const [id, atMs] of retryAtMs) if (atMs <= clock.now().getTime()) retryAtMs.delete(id)
    return [...retryAtMs.keys()]
  }
  return processBatches({
    name: 'publish and hide products at their times',
    log,
    everyMs: context.pollMs,
    async next() {
      try {
        return (await changeDue(context, { limit: BATCH, except: postponedIds() })) === BATCH
      } catch (error) {
        if (isOutage(error) || isDatabaseTimeout(error)) throw error
        log.error({ err: error }, 'products could not be published or hidden at their times: they are tried one by one')
        return changeOneByOne(context, postponedIds, (id) => retryAtMs.set(id, clock.now().getTime() + RETRY_MS))
      }
    },
  })
}

/** @returns how many products it changed */
async function changeDue(context: CatalogContext, wanted: DueProducts): Promise<number> {
  const now = context.clock.now()
  const invalidation = await transaction(context.db, async (tx) => {
    const ids = await lockDueProducts(tx, now, wanted)
    return ids.length === 0 ? undefined : change(tx, ids, now, context)
  })
  if (invalidation) await invalidateCaches(context, invalidation, undefined)
  return invalidation?.productIds.length ?? 0
}

async function change(
  tx: Tx,
  ids: readonly string[],
  now: Date,
  context: CatalogContext,
): Promise<Invalidation & { productIds: string[] }> {
  const before = await findRawProducts(tx, ids)
  const { publicUrl } = context
  const inputOf = (product: RawProduct) => changedProduct(product, dueChange(product, now), { shown: [], publicUrl })
  await changeProducts(tx, ids, inputOf, now)
  const after = new Map((await findRawProducts(tx, ids)).map(({ raw }) => [raw.id, raw]))
  await recordChanges(tx, {
    actor: { kind: SCHEDULE },
    action: 'update',
    changes: before.flatMap(({ raw }) => {
      const changed = after.get(raw.id)
      if (!changed) return []
      const subject = { kind: 'product' as const, id: raw.id }
      return [{ subject, before: auditedFields(raw), after: auditedFields(changed) }]
    }),
    at: now,
  })
  const keys = await refreshProducts(tx, ids, { ...context, locked: ids })
  return { productIds: [...ids], keys }
}

/** Tries products one by one, so that one that cannot be changed does not delay the others in its batch. */
async function changeOneByOne(
  context: CatalogContext,
  postponedIds: () => string[],
  postpone: (id: string) => void,
): Promise<boolean> {
  const due = await transaction(context.db, (tx) =>
    lockDueProducts(tx, context.clock.now(), { limit: BATCH, except: postponedIds() }),
  )
  for (const id of due) {
    try {
      await changeDue(context, { limit: 1, except: [], only: id })
    } catch (error) {
      if (isOutage(error) || isDatabaseTimeout(error)) throw error
      context.log.error(
        { err: error, productId: id },
        'a product could not be published or hidden at its time; it is tried again',
      )
      postpone(id)
    }
  }
  return due.length === BATCH
}
