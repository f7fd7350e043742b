import { z } from 'zod'
import { actorIdOf } from '@storefront/audit'
import { OpaqueId, type ImportJob, type ImportResult } from '@storefront/contracts'
import { noCounts } from './import-effects.ts'
import type { Job, StoredResult } from './jobs.queries.ts'

const NONE_COUNTED = { discounts: noCounts() }

/** An import in a path. */
export const ImportParams = z.object({
  id: OpaqueId.describe('Id of an import, as its reply and GET /admin/imports show it.'),
})

/** An import as merchants see it. */
export function jobResponse(job: Job): ImportJob {
  const { id, status, mode, dryRun, createdAt, finishedAt, failure, issues, issueCount, result } = job
  const { rowsRead, rowsChecked, rowsApplied, pictures, picturesFetched } = job
  const seconds = Math.max(0.001, ((finishedAt ?? job.changedAt).getTime() - createdAt.getTime()) / 1000)
  return {
    id,
    status,
    mode,
    dryRun,
    actor: actorIdOf(job.actor),
    createdAt: createdAt.toISOString(),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    progress: {
      rowsRead,
      rowsChecked,
      rowsApplied,
      rowsPerSecond: Math.round(rowsRead / seconds),
      pictures,
      picturesFetched,
    },
    ...(failure !== null && { failure }),
    // Left out until the job has ended, because errors may be incomplete.
    ...(finishedAt && issues.length > 0 && { issues, issueCount }),
    ...(result && { result: completeResult(result) }),
  }
}

/** Adds counts that the results of earlier versions do not have: of discounts, and of products. */
function completeResult(result: StoredResult): ImportResult {
  const { created, updated, unchanged } = result.counts.products
  return {
    ...result,
    products: result.products ?? created + updated + unchanged,
    counts: { ...NONE_COUNTED, ...result.counts },
  }
}
