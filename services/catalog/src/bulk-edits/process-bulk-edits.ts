import { processBatches } from '@storefront/jobs'
import { sendChanges } from '@storefront/messaging'
import { isDatabaseTimeout, isLockFailure, isOutage } from '@storefront/postgres'
import type { Timer } from '@storefront/service'
import type { CatalogContext } from '../context.ts'
import { findOldestOpen } from './bulk-edits.queries.ts'
import { processBatch, skipNext } from './process-batch.ts'

/**
 * Processes bulk edits in the order of their requests, one batch at a time in the whole shop. The lock of a batch ends
 * with its transaction, so that after a crash the edit continues with the same batch.
 */
export function processBulkEdits(context: CatalogContext): Timer {
  const { db, log, messaging } = context
  return processBatches({
    name: 'process bulk edits',
    log,
    everyMs: context.pollMs,
    async next(isStopping) {
      const id = await findOldestOpen(db)
      if (id === undefined) return false
      try {
        return await processBatch(context, id, context.bulkEditBatch)
      } catch (error) {
        if (isOutage(error)) throw error
        const level = isDatabaseTimeout(error) ? 'warn' : 'error'
        log[level]({ err: error, bulkEditId: id }, 'a batch of a bulk edit failed: its products are tried one by one')
        return processOneByOne(context, id, isStopping)
      } finally {
        sendChanges(messaging, ['bulk-edits', 'stock'])
      }
    },
  })
}

/** Tries products one by one, so that one that cannot be changed does not affect the others in its batch. */
async function processOneByOne(context: CatalogContext, id: string, isStopping: () => boolean): Promise<boolean> {
  for (let count = 0; count < context.bulkEditBatch && !isStopping(); count++) {
    try {
      if (!(await processBatch(context, id, 1))) return false
    } catch (error) {
      if (isOutage(error)) throw error
      // Another transaction, such as an import, has locked the product. It is tried again in the next run. A statement
      // that takes too long would do so again, and no later edit would be made.
      if (isLockFailure(error)) return false
      context.log.error({ err: error, bulkEditId: id }, 'a product of a bulk edit could not be changed and was skipped')
      await skipNext(context, id)
    }
  }
  return true
}
