import type { ImportJob } from '@storefront/contracts'
import type { Job } from './jobs.queries.ts'

const NONE_COUNTED = { discounts: { created: 0, updated: 0, deleted: 0, unchanged: 0 } }

/** An import as merchants see it. */
export function jobAnswer(job: Job): ImportJob {
  const { id, status, mode, dryRun, createdAt, finishedAt, failure, issues, issueCount, result } = job
  const { rowsRead, rowsChecked, rowsApplied } = job
  const seconds = Math.max(0.001, ((finishedAt ?? job.changedAt).getTime() - createdAt.getTime()) / 1000)
  return {
    id,
    status,
    mode,
    dryRun,
    createdAt: createdAt.toISOString(),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    progress: { rowsRead, rowsChecked, rowsApplied, rowsPerSecond: Math.round(rowsRead / seconds) },
    ...(failure !== null && { failure }),
    ...(issues.length > 0 && { issues, issueCount }),
    // An import of before discounts could be imported does not count them.
    ...(result && { result: { ...result, counts: { ...NONE_COUNTED, ...result.counts } } }),
  }
}
