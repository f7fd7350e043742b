import type { ImportJob } from '@storefront/contracts'
import type { Job } from './jobs.queries.ts'

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
    ...(result && { result }),
  }
}
