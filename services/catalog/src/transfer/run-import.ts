import { setTimeout } from 'node:timers/promises'
import { isLockFailure, isOutage, transaction } from '@storefront/postgres'
import { DAY_MS, HttpError, limitConcurrency, type ConcurrencyLimit } from '@storefront/service'
import type { ImportMode, ImportResult } from '@storefront/contracts'
import { z } from 'zod'
import type { CatalogContext } from '../context.ts'
import type { Database } from '../database.ts'
import { importCancelled, importRowsRejected, importsBusy } from '../errors.ts'
import { invalidateCaches, type InvalidationContext, type Reply } from '../merchant/invalidate-caches.ts'
import { isTaken } from '../products/save-products.ts'
import { applyImport, type AppliedImport, type ApplyContext } from './apply-import.ts'
import { findFaults } from './check-import.ts'
import {
  findJob,
  finishJob,
  saveProgress,
  tryLockImports,
  type Job,
  type JobEnd,
  type JobProgress,
} from './jobs.queries.ts'
import { findKnownDiscounts, waitForDiscounts } from './request-discounts.ts'
import type { Staged } from './stage-rows.ts'
import { dropRows } from './staging.queries.ts'

export type ImportContext = InvalidationContext &
  Pick<CatalogContext, 'clock' | 'log' | 'messaging' | 'media' | 'pictures' | 'importJsonMaxMib'>

/** The minimum interval between stored progress updates of a job. */
const PROGRESS_MS = 250
/** An import with fewer rows is usually done before another request can read its progress. */
const SHOWN_ROWS = 100
/** An import that no request waits for is retried for this long while other transactions lock its records. */
const RETRIED_MS = DAY_MS
/** How long a request waits for another import to end, and how often it checks. */
const MAX_WAIT_MS = 30_000
const RETRY_MS = 50

/** Carries the result of a dry run out of a transaction that must not commit. */
class DryRunResult extends Error {
  readonly applied: AppliedImport

  constructor(applied: AppliedImport) {
    super('a dry run changes nothing')
    this.applied = applied
  }
}

/** Another import is being applied, so this one must be tried later. */
export const BUSY = 'busy' as const

/**
 * Applies the rows of a job, or compares them in a dry run, and then ends the job. It can be canceled until the commit.
 * @param options.waits whether to wait for another import to end; otherwise the result may be BUSY
 * @param options.isStopping a job that is not ended because its service stops is claimed again later
 * @throws HttpError when the rows have errors, or the import was canceled
 */
export async function runImport(
  context: ImportContext,
  job: Job,
  options: { waits: boolean; isStopping: () => boolean; reply?: Reply },
): Promise<ImportResult | typeof BUSY> {
  const { db } = context
  const { id } = job
  try {
    const done = await serializeImports(db, options.waits, () => apply(context, job, options))
    if (done === BUSY) return BUSY
    if (!job.dryRun) {
      await invalidateCaches(context, done, options.reply)
      if (done.discountsNumber !== undefined) await waitForDiscounts(context.messaging, done.discountsNumber)
    }
    await cleanUp(context, id)
    return done.result
  } catch (error) {
    const failure = isTaken(error)
      ? importRowsRejected([{ path: 'products', message: 'a slug or SKU was taken in the meantime' }], 1)
      : error
    await endFailed(context, id, failure, { isStopping: options.isStopping, isAttended: options.waits })
    throw failure
  }
}

/**
 * Ends a job with an error, unless it can be tried again: by another process when this one stops, or later when a
 * dependency was unavailable or another transaction had locked its records.
 */
export async function endFailed(
  context: Pick<ImportContext, 'db' | 'clock' | 'log'>,
  id: string,
  error: unknown,
  { isStopping, isAttended }: { isStopping: () => boolean; isAttended: boolean },
): Promise<void> {
  const { db, clock } = context
  if (isStopping() || (!isAttended && isTemporary(error) && !(await isTooOld(context, id, error)))) return
  await finishJob(db, id, endOf(error), clock.now())
  await cleanUp(context, id)
}

/** Whether the import may succeed later, because a dependency was down or a lock was held. */
export function isTemporary(error: unknown): boolean {
  return isOutage(error) || isLockFailure(error)
}

/** Whether to stop retrying: a lock that is never released must not delay all later imports, unlike an outage. */
async function isTooOld(
  { db, clock }: Pick<ImportContext, 'db' | 'clock'>,
  id: string,
  error: unknown,
): Promise<boolean> {
  if (!isLockFailure(error)) return false
  const { createdAt } = await findJob(db, id)
  return clock.now().getTime() - createdAt.getTime() > RETRIED_MS
}

/** Deletes the rows of a job that has ended. An error here must not become the result of the import. */
async function cleanUp({ db, log }: Pick<ImportContext, 'db' | 'log'>, id: string): Promise<void> {
  try {
    await dropRows(db, id)
  } catch (error) {
    log.warn(
      { err: error, importId: id },
      'the rows of an ended import could not be deleted yet; they are deleted later',
    )
  }
}

/** All errors of an import with invalid rows, including those that only a comparison with the shop can find. */
export async function errorOf(
  context: ImportContext,
  id: string,
  { issues, isWhole, rowsRead, products }: Staged,
  mode: ImportMode,
): Promise<HttpError> {
  const { db, log } = context
  const found = importRowsRejected(issues.shown, issues.total)
  if (!isWhole) return found
  try {
    const job = { ...(await findJob(db, id)), mode, rowsRead, products }
    const progress = progressOf(context, id, () => false)
    const all = await serializeImports(db, true, () =>
      findFaults(db, job, issues, (rowsChecked) => progress({ rowsChecked })),
    )
    return all === BUSY ? found : importRowsRejected(all.shown, all.total)
  } catch (error) {
    if (error instanceof HttpError && error.code === 'conflict') return error
    // The errors of the rows themselves are still reported.
    log.warn({ err: error, importId: id }, 'not all errors of an import were found; the others are reported')
    return found
  }
}

/** Applies an import in a transaction. If it already has errors, only finds the others. */
async function apply(
  context: ImportContext,
  found: Job,
  { waits: isAttended, isStopping }: { waits: boolean; isStopping: () => boolean },
): Promise<AppliedImport | typeof BUSY> {
  const { db, clock } = context
  const job = { ...found, dryRun: found.dryRun || found.issueCount > 0 }
  const progress = progressOf(context, job.id, isStopping, isAttended && job.rowsRead < SHOWN_ROWS)
  const discounts = await findKnownDiscounts(context, job)
  try {
    return await transaction(db, async (tx) => {
      if (!(await tryLockImports(tx))) return BUSY
      const applied = await applyImport(tx, job, { ...context, progress, discounts })
      if (job.dryRun) throw new DryRunResult(applied)
      return applied
    })
  } catch (error) {
    if (!(error instanceof DryRunResult)) throw error
    const { result } = error.applied
    if (!(await finishJob(db, job.id, { status: 'done', result }, clock.now()))) throw importCancelled()
    return error.applied
  }
}

const queues = new WeakMap<Database, ConcurrencyLimit>()

/**
 * Waits until no other import is being processed: in the order of arrival within this process, and by polling among
 * replicas. It holds no database connection meanwhile, because a dozen waiting imports would take the connections of
 * all other requests.
 */
async function serializeImports<Result>(
  db: Database,
  waits: boolean,
  work: () => Promise<Result | typeof BUSY>,
): Promise<Result | typeof BUSY> {
  if (!waits) return work()
  const untilMs = performance.now() + MAX_WAIT_MS
  const queue =
    queues.get(db) ?? limitConcurrency({ atOnce: 1, waiting: Infinity, maxWaitMs: MAX_WAIT_MS, error: importsBusy })
  queues.set(db, queue)
  return queue(async () => {
    while (performance.now() < untilMs) {
      const done = await work()
      if (done !== BUSY) return done
      await setTimeout(RETRY_MS)
    }
    throw importsBusy()
  })
}

/**
 * Stores the progress of a job at intervals, on a separate connection, because writes of its transaction are visible
 * only after the commit.
 */
export function progressOf(
  { db, clock }: Pick<ImportContext, 'db' | 'clock'>,
  id: string,
  isStopping: () => boolean,
  isBrief = false,
): ApplyContext['progress'] {
  let savedMs = isBrief ? performance.now() : -Infinity
  let latest: JobProgress = {}
  return async (progress) => {
    if (isStopping()) throw importCancelled()
    const isChange = !isBrief && progress.status !== undefined && progress.status !== latest.status
    latest = { ...latest, ...progress }
    if (!isChange && performance.now() - savedMs < PROGRESS_MS) return
    savedMs = performance.now()
    if (!(await saveProgress(db, id, latest, clock.now()))) throw importCancelled()
  }
}

const Issues = z.object({
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
  total: z.int().optional(),
})

/** The stored message of a failed job: an HttpError's own message, or a general one without internals. */
export function endOf(error: unknown): JobEnd {
  if (!(error instanceof HttpError)) return { status: 'failed', failure: 'Something went wrong on our side.' }
  const detail = Issues.safeParse(error.detail)
  if (!detail.success) return { status: 'failed', failure: error.message }
  const { issues, total = issues.length } = detail.data
  return { status: 'failed', failure: error.message, issues, issueCount: total }
}
