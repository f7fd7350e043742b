import { setTimeout } from 'node:timers/promises'
import { isOutage, transaction } from '@storefront/postgres'
import { HttpError, type Clock, type Log } from '@storefront/service'
import type { Messaging } from '@storefront/messaging'
import type { ImportMode, ImportResult } from '@storefront/contracts'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { importCancelled, importNotFound, importRowsRejected, importsBusy } from '../errors.ts'
import type { MediaStore } from '../media/store.ts'
import { settleWrite, type SettleContext } from '../merchant/settle-write.ts'
import { isTaken } from '../products/save-products.ts'
import { waitForDiscounts } from './request-discounts.ts'
import { applyImport, compareImport, findMoreFaults, type AppliedImport, type ApplyContext } from './apply-import.ts'
import { findKnownDiscounts } from './import-discounts.ts'
import {
  allowLongStatements,
  findJob,
  finishJob,
  saveProgress,
  tryLockImports,
  type Job,
  type JobEnd,
} from './jobs.queries.ts'
import type { PictureSource } from './picture-source.ts'
import type { Staged } from './stage-rows.ts'
import { dropRows } from './staging.queries.ts'

export interface ImportContext extends SettleContext {
  clock: Clock
  log: Log
  messaging: Messaging
  media: MediaStore
  pictures: PictureSource
}

/** The minimum interval between stored progress updates of a job. */
const PROGRESS_MS = 250
/** How long a request waits for another import to end, and how often it checks. */
const MAX_WAIT_MS = 30_000
const RETRY_MS = 50

/** Carries the result of a dry run out of a transaction that must not commit. */
class Compared extends Error {
  readonly result: ImportResult

  constructor(result: ImportResult) {
    super('a dry run changes nothing')
    this.result = result
  }
}

/** Another import is being applied; this one is for later. */
export const BUSY = 'busy' as const

/**
 * Applies the rows of a job, or compares them in a dry run, and ends the job either way. A cancellation wins until the
 * very commit.
 * @param options.waits whether to wait for another import to end; otherwise the result may be BUSY
 * @param options.isStopping a job that is left because its service stops is claimed again later
 * @throws HttpError when the rows have errors, when the import was canceled
 */
export async function runImport(
  context: ImportContext,
  id: string,
  options: {
    waits: boolean
    isStopping: () => boolean
    reply?: { header: (name: string, value: string) => unknown }
  },
): Promise<ImportResult | typeof BUSY> {
  const { db } = context
  try {
    const job = await findJob(db, id)
    if (!job) throw importNotFound()
    const applyContext = { ...context, progress: progressOf(context, id, options.isStopping) }
    // With known errors there is nothing to apply, only others to be found.
    const done =
      job.dryRun || job.issueCount > 0
        ? await compare(context, job, applyContext, options)
        : await apply(context, job, applyContext, options)
    if (done === BUSY) return BUSY
    await dropRows(db, id)
    if (!('productIds' in done)) return done
    await settleWrite(context, done, options.reply)
    const { discountsNumber } = done
    if (discountsNumber !== undefined) await waitForDiscounts(context.messaging, discountsNumber)
    return done.result
  } catch (error) {
    const isRejected = isTaken(error)
      ? importRowsRejected([{ path: 'products', message: 'a slug or SKU was taken in the meantime' }], 1)
      : error
    await endFailed(context, id, isRejected, { isStopping: options.isStopping, isAttended: options.waits })
    throw isRejected
  }
}

/**
 * Ends a job with an error, unless another process claims it: this one stops, or a dependency is unavailable, which is
 * no error of the rows.
 */
export async function endFailed(
  { db, clock }: Pick<ImportContext, 'db' | 'clock'>,
  id: string,
  error: unknown,
  { isStopping, isAttended }: { isStopping: () => boolean; isAttended: boolean },
): Promise<void> {
  if (isStopping() || (!isAttended && isOutage(error))) return
  await finishJob(db, id, endOf(error), clock.now())
  await dropRows(db, id)
}

/** Reports all errors of an import with invalid rows: including those that only a comparison with the shop can find. */
export async function errorOf(
  context: ImportContext,
  id: string,
  { issues, isWhole, rows: rowsRead, products }: Staged,
  mode: ImportMode,
): Promise<HttpError> {
  const { db, log } = context
  const job = isWhole ? await findJob(db, id) : undefined
  const found = importRowsRejected(issues.shown, issues.total)
  if (!job) return found
  const progress = progressOf(context, id, () => false)
  const check = () =>
    transaction(db, async (tx) => {
      await allowLongStatements(tx)
      const all = { ...issues, shown: [...issues.shown] }
      await findMoreFaults(tx, { ...job, mode, rowsRead, products }, progress, all)
      return importRowsRejected(all.shown, all.total)
    })
  try {
    const error = await inTurn(db, true, check)
    return error === BUSY ? found : error
  } catch (error) {
    if (error instanceof HttpError && error.code === 'conflict') return error
    // The errors of the rows by themselves are known all the same.
    log.warn({ err: error, importId: id }, 'not all errors of an import were found')
    return found
  }
}

async function apply(
  { db, messaging }: ImportContext,
  job: Job,
  context: ApplyContext,
  { waits }: { waits: boolean },
): Promise<AppliedImport | typeof BUSY> {
  return inTurn(db, waits, async () => {
    const discounts = await findKnownDiscounts({ db, messaging }, job)
    return transaction(db, async (tx) => {
      if (!(await tryLockImports(tx))) return BUSY
      await allowLongStatements(tx)
      return applyImport(tx, job, { ...context, discounts })
    })
  })
}

/** The last waiting import in this process. */
const lastInQueue = new WeakMap<Database, Promise<void>>()

/**
 * Waits until no other import is being processed: here in the order of arrival, and among replicas of the service by
 * polling. Holds no connection in between: a running import needs two, and a dozen waiting ones must not take them from
 * it and from all other requests.
 */
async function inTurn<Result>(
  db: Database,
  waits: boolean,
  work: () => Promise<Result | typeof BUSY>,
): Promise<Result | typeof BUSY> {
  if (!waits) return work()
  const untilMs = performance.now() + MAX_WAIT_MS
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const before = lastInQueue.get(db) ?? Promise.resolve()
  lastInQueue.set(
    db,
    before.then(() => over),
  )
  try {
    await Promise.race([before, setTimeout(MAX_WAIT_MS, undefined, { ref: false })])
    while (performance.now() < untilMs) {
      const done = await work()
      if (done !== BUSY) return done
      await setTimeout(RETRY_MS)
    }
    throw importsBusy()
  } finally {
    end()
  }
}

async function compare(
  { db, clock, messaging }: ImportContext,
  job: Job,
  context: ApplyContext,
  { waits }: { waits: boolean },
): Promise<ImportResult | typeof BUSY> {
  try {
    return await inTurn(db, waits, async () => {
      const discounts = await findKnownDiscounts({ db, messaging }, job)
      return transaction(db, async (tx): Promise<typeof BUSY> => {
        if (!(await tryLockImports(tx))) return BUSY
        await allowLongStatements(tx)
        throw new Compared(await compareImport(tx, job, { ...context, discounts }))
      })
    })
  } catch (error) {
    if (!(error instanceof Compared)) throw error
    if (!(await finishJob(db, job.id, { status: 'done', result: error.result }, clock.now()))) throw importCancelled()
    return error.result
  }
}

/**
 * Stores the progress of a job from time to time, on a separate connection: writes of its transaction are visible only
 * at the end.
 */
export function progressOf(
  { db, clock }: Pick<ImportContext, 'db' | 'clock'>,
  id: string,
  isStopping: () => boolean,
): ApplyContext['progress'] {
  let loggedMs = -Infinity
  let status: string | undefined
  return async (progress) => {
    if (isStopping()) throw importCancelled()
    const isChange = progress.status !== undefined && progress.status !== status
    if (!isChange && performance.now() - loggedMs < PROGRESS_MS) return
    status = progress.status ?? status
    loggedMs = performance.now()
    if (!(await saveProgress(db, id, progress, clock.now()))) throw importCancelled()
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
