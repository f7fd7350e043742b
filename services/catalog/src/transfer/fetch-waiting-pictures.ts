import { randomUUID } from 'node:crypto'
import { processBatches } from '@storefront/jobs'
import { HttpError, type Timer } from '@storefront/service'
import type { CatalogContext } from '../context.ts'
import { BUSY } from './run-import.ts'
import { fetchPictures, staleBefore } from './fetch-pictures.ts'
import { findJobWithPictures } from './pictures.queries.ts'

const DEADLINE_MS = 2 * 3600_000

/**
 * Fetches the pictures of imports that no request waits for. It is separate from the worker that applies imports, so
 * that imports without pictures need not wait for those with thousands. The next run claims jobs of a killed process.
 * @param imports is woken when an import can be applied
 */
export function fetchWaitingPictures(context: CatalogContext, imports: Pick<Timer, 'wake'>): Timer {
  const { db, clock, log, pollMs } = context
  const worker = randomUUID()
  return processBatches({
    name: 'fetch pictures',
    log,
    everyMs: pollMs,
    async next(isStopping) {
      const id = await findJobWithPictures(db, staleBefore(clock.now()))
      if (id === undefined) return false
      const options = { worker, deadlineMs: DEADLINE_MS, isStopping, isAttended: false }
      try {
        if ((await fetchPictures(context, id, options)) === BUSY) return false
        imports.wake()
        return true
      } catch (error) {
        if (!isStopping() && !(error instanceof HttpError)) log.error({ err: error, importId: id }, 'an import failed')
        // Pauses until the next run, because a dependency may be unavailable.
        return false
      }
    },
  })
}
