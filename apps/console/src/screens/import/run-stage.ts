import { isRunning, type Issue } from './import-queries.ts'
import type { Run } from './use-import-run.ts'

/** Where a person stands with a file. */
export type Stage = 'unchecked' | 'working' | 'faulty' | 'checked'

export function stageOf(run: Run): Stage {
  if (run.state === 'idle') return 'unchecked'
  if (run.state === 'sending') return 'working'
  if (run.state === 'rejected') return 'faulty'
  if (!run.job || isRunning(run.job)) return 'working'
  if (run.job.status === 'done') return 'checked'
  return run.job.status === 'failed' ? 'faulty' : 'unchecked'
}

const NONE: readonly Issue[] = []

export function issuesOf(run: Run): { issues: readonly Issue[]; total: number } {
  if (run.state === 'rejected') return run.error
  if (run.state !== 'taken' || run.job?.issues === undefined) return { issues: NONE, total: 0 }
  const { issues, issueCount = issues.length } = run.job
  return { issues, total: issueCount }
}
