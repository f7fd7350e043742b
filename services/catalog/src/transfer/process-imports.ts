import { processBatches } from '@storefront/jobs'
import { sendChanges } from '@storefront/messaging'
import { every, HttpError, type Timer } from '@storefront/service'
import type { CatalogContext } from '../context.ts'
import { endOf, isTemporary, runImport, BUSY, type ImportContext } from './run-import.ts'
import { findLostJobs, findNextJob, finishJob } from './jobs.queries.ts'
import { dropRows, findEndedJobsWithRows } from './staging.queries.ts'
import { importRowsLost } from '../errors.ts'

const KEEP_MS = 60_000
/** Longer than any step of an import, and than any pause in an upload that a gateway allows. */
const LOST_MS = 5 * 60_000

/**
 * Applies imports that no request waits for, one at a time in the whole shop. The lock of an import ends with its
 * transaction, so that the next run restarts the import of a killed service.
 */
export function processImports(context: CatalogContext): Timer {
  const { db, log, messaging, pollMs } = context
  return processBatches({
    name: 'process imports',
    log,
    everyMs: pollMs,
    async next(isStopping) {
      const job = await findNextJob(db)
      if (!job) return false
      try {
        return (await runImport(context, job, { waits: false, isStopping })) !== BUSY
      } catch (error) {
        if (isTemporary(error)) {
          log.warn({ err: error, importId: job.id }, 'an import could not be applied and will be tried again')
          // At the next run, because a lock or an outage takes a moment to end.
          return false
        }
        // An HttpError is stored in the job for the merchant.
        if (!isStopping() && !(error instanceof HttpError))
          log.error({ err: error, importId: job.id }, 'an import failed')
        return true
      } finally {
        sendChanges(messaging, ['imports'])
      }
    },
  })
}

/** Ends jobs that lost their upload or request, and deletes rows that are no longer needed. */
export function keepImports(context: ImportContext): Timer {
  return every(KEEP_MS, 'keep imports', context.log, () => keepImportsOnce(context))
}

/** One run of `keepImports`. */
export async function keepImportsOnce({ db, clock }: Pick<ImportContext, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  for (const id of await findLostJobs(db, new Date(now.getTime() - LOST_MS))) {
    await finishJob(db, id, endOf(importRowsLost()), now)
  }
  for (const id of await findEndedJobsWithRows(db)) await dropRows(db, id)
}
