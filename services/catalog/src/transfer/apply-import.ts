import { publish } from '@storefront/messaging'
import type { Clock, Log } from '@storefront/service'
import { SettingsUpdated, type ImportMode, type ImportResult } from '@storefront/contracts'
import { nameOf, recordImport } from '../audit/record-change.ts'
import { lockTaxonomy } from '../categories/categories.queries.ts'
import type { Tx } from '../database.ts'
import { checkImportedDiscounts } from '../discounts/check-imported-discounts.ts'
import { importCancelled, importRowsLost, importRowsRejected, type Issue } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import type { FollowUp } from '../merchant/settle-write.ts'
import { lockAllProducts } from '../products/products.queries.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import { currencyOf } from '../settings/settings-in-force.ts'
import { faultsOfNotifications, templatesInForce } from '../settings/check-notifications.ts'
import { faultsOfSettings } from '../settings/check-settings.ts'
import { findForeignCurrency, findSettings, lockSettings, type Settings } from '../settings/settings.queries.ts'
import {
  publishCategories,
  publishProducts,
  MAX_SINGLE_EVENTS,
  type InventoryUpdate,
  type ProductChanges,
} from '../products/bulk-events.ts'
import { checkImport, numberMadeSlugs } from './check-import.ts'
import { findStored, lockMatched, matchProducts } from './check.queries.ts'
import { importDiscounts, type KnownDiscounts } from './import-discounts.ts'
import { compareProducts, importProducts, type WrittenProducts } from './import-products.ts'
import { importReviews } from './import-reviews.ts'
import { countReviews } from './import-reviews.queries.ts'
import { importSettings, settingsAfter } from './import-settings.ts'
import {
  importCategories,
  importCollections,
  importLibrary,
  importSizeCharts,
  keepImportedCategories,
} from './import-taxonomy.ts'
import { addIssues, type IssueList } from './issue-list.ts'
import { finishJob, planningForMany, type Job, type JobProgress } from './jobs.queries.ts'
import { countMissingPictures, insertFetchedMedia } from './pictures.queries.ts'
import { countRows } from './staging.queries.ts'

/** Below the day after which files without a row are removed (sweep-media.ts). */
const MAX_PICTURE_AGE_MS = 20 * 3600_000

export interface ApplyContext {
  clock: Clock
  log: Log
  publicUrl: string
  /** The discounts in cart, if the import contains discounts. */
  discounts?: KnownDiscounts | undefined
  /** Stores the progress, visible to others at once. Throws when the import was canceled. */
  progress: (progress: JobProgress) => Promise<void>
}

export interface AppliedImport extends Required<FollowUp> {
  result: ImportResult
  /** The number under which discounts were published to cart, if they were. */
  discountsNumber: number | undefined
}

/** Writes staged rows, or rejects them with all their errors before anything is written. Ends the job with them. */
export async function applyImport(tx: Tx, job: Job, context: ApplyContext): Promise<AppliedImport> {
  const { clock, progress } = context
  const now = clock.now()
  const { settings: wanted, changed: settingsChanged } = await prepare(
    tx,
    job,
    await lockSettings(tx),
    context,
    async () => {
      await lockTaxonomy(tx)
      if (job.mode === 'replace') await lockAllProducts(tx)
      else await lockMatched(tx, job.id)
    },
  )
  await keepPictures(tx, job, now)
  const currency = currencyOf(wanted)
  const storedBefore = await countReviews(tx)
  let rowsApplied = 0
  const applied = async (rows: number) => {
    rowsApplied += rows
    await progress({ status: 'applying', rowsApplied })
  }
  await applied(0)
  const settings = settingsChanged ? await importSettings(tx, wanted, job.actor, now) : wanted
  const charts = await importSizeCharts(tx, job)
  const library = await importLibrary(tx, job)
  const categories = await importCategories(tx, job)
  const products = await importProducts(
    tx,
    { ...job, rows: job.rowsRead },
    { currency, now, actor: nameOf(job.actor), announces: false },
    applied,
  )
  const collections = await importCollections(tx, job)
  const reviews = await importReviews(tx, job, { now, storedBefore, applied })
  const discounts = await importDiscounts(tx, job, context.discounts, now)
  const kept =
    job.mode === 'replace' ? await keepImportedCategories(tx, job, categories.announced) : { announced: [], keys: [] }
  const productIds = [products, charts, categories, collections, reviews].flatMap((part) =>
    'changedIds' in part ? part.changedIds : part.productIds,
  )
  if (settingsChanged || charts.keys.length + library.keys.length > 0 || products.learned) {
    await publish(tx, SettingsUpdated, { version: settings.version }, now)
  }
  await publishCategories(tx, [...categories.announced, ...collections.announced, ...kept.announced], now)
  const refreshed = await findStored(tx, productIds)
  const inventories: InventoryUpdate[] = []
  // One more than the limit shows that there are too many for single events.
  const onInventory = (updates: readonly InventoryUpdate[]) =>
    void inventories.push(...updates.slice(0, MAX_SINGLE_EVENTS + 1 - inventories.length))
  const refreshKeys = await refreshProducts(tx, refreshed, { ...context, onInventory, locked: products.changedIds })
  await publishProducts(tx, productChangesOf(products, reviews.shownIds, inventories), now)
  const counts = {
    products: products.counts,
    categories: categories.counts,
    collections: collections.counts,
    sizeCharts: charts.counts,
    reviews: reviews.counts,
    library: library.counts,
    discounts: discounts.counts,
  }
  await recordImport(tx, {
    actor: job.actor,
    id: job.id,
    summary: { mode: job.mode, ...counts, settingsChanged, ...(job.pictures > 0 && { pictures: job.pictures }) },
    at: now,
  })
  const durationMs = clock.now().getTime() - now.getTime()
  const result = resultOf(job, { counts, settingsChanged, durationMs })
  if (!(await finishJob(tx, job.id, { status: 'done', result }, clock.now()))) throw importCancelled()
  return {
    result,
    discountsNumber: discounts.number,
    productIds: [...new Set([...products.changedIds, ...categories.movedIds])],
    removed: products.removed,
    settingsChanged,
    keys: [
      ...new Set([
        ...(settingsChanged ? [key.settings] : []),
        ...[charts, library, categories, collections, products].flatMap((part) => part.keys),
        ...kept.keys,
        ...(products.learned ? [key.library] : []),
        ...refreshKeys,
      ]),
    ],
  }
}

function productChangesOf(
  { changedIds, announcedIds, formerSlugs, deleted }: WrittenProducts,
  reviewedIds: readonly string[],
  inventories: readonly InventoryUpdate[],
): ProductChanges {
  return {
    touchedIds: [...new Set([...changedIds, ...reviewedIds])],
    changedIds: [...new Set([...announcedIds, ...reviewedIds])],
    formerSlugs,
    deleted,
    inventories,
  }
}

/**
 * Computes what an import would do. Takes no lock that a shopper or another merchant would notice; the caller rolls
 * back.
 */
export async function compareImport(tx: Tx, job: Job, context: ApplyContext): Promise<ImportResult> {
  const now = context.clock.now()
  const { changed } = await prepare(tx, job, await findSettings(tx), context, async () => {})
  const part = { id: job.id, mode: job.mode, rows: job.rowsRead, dryRun: true }
  let rowsApplied = 0
  const compared = async (rows: number) => {
    rowsApplied += rows
    await context.progress({ status: 'applying', rowsApplied })
  }
  const { counts: products, changes } = await compareProducts(tx, part, compared)
  const storedBefore = await countReviews(tx)
  const reviews = await importReviews(tx, part, { now, storedBefore, applied: compared })
  const counts = {
    products,
    categories: (await importCategories(tx, part)).counts,
    collections: (await importCollections(tx, part)).counts,
    sizeCharts: (await importSizeCharts(tx, part)).counts,
    reviews: reviews.counts,
    library: (await importLibrary(tx, part)).counts,
    discounts: (await importDiscounts(tx, part, context.discounts, now)).counts,
  }
  const durationMs = context.clock.now().getTime() - now.getTime()
  return { ...resultOf(job, { counts, settingsChanged: changed, durationMs }), dryRun: true, changes }
}

function resultOf(
  { mode, products, pictures, columnsNotTaken }: Job,
  done: Pick<ImportResult, 'counts' | 'settingsChanged' | 'durationMs'>,
): ImportResult {
  return {
    ok: true,
    mode,
    products,
    ...done,
    ...(pictures > 0 && { pictures }),
    ...(columnsNotTaken.length > 0 && { columnsNotTaken }),
  }
}

/** Adds the pictures that were fetched before to the shop. */
async function keepPictures(tx: Tx, job: Job, now: Date): Promise<void> {
  if (job.pictures === 0) return
  // Files that wait longer for their rows are removed.
  const isTooLate = now.getTime() - job.createdAt.getTime() > MAX_PICTURE_AGE_MS
  if (isTooLate || (await countMissingPictures(tx, job.id)) > 0) throw importRowsLost()
  await insertFetchedMedia(tx, job.id, now)
}

/** Adds the errors that only a comparison with the shop can find to those of the rows themselves. Writes nothing. */
export async function findMoreFaults(
  tx: Tx,
  job: Job,
  progress: ApplyContext['progress'],
  issues: IssueList,
): Promise<void> {
  await check(tx, job, await findSettings(tx), { issues, rows: job.rowsRead, progress, lock: async () => {} })
}

/** Finds the stored records of the rows, and rejects them with all their errors. */
async function prepare(
  tx: Tx,
  job: Job,
  before: Settings,
  context: ApplyContext,
  lock: () => Promise<void>,
): Promise<SettingsAfter> {
  await context.progress({ status: 'checking' })
  const { total, products } = await countRows(tx, job.id)
  if (total !== job.rowsRead || products !== job.products) throw importRowsLost()
  const issues = { shown: [...job.issues], total: job.issueCount }
  const { discounts } = context
  const after = await check(tx, job, before, { issues, rows: total, progress: context.progress, lock, discounts })
  if (issues.total > 0) throw importRowsRejected(issues.shown, issues.total)
  return after
}

interface SettingsAfter {
  settings: Settings
  changed: boolean
}

async function check(
  tx: Tx,
  job: Job,
  before: Settings,
  given: {
    issues: IssueList
    rows: number
    lock: () => Promise<void>
    progress: ApplyContext['progress']
    discounts?: KnownDiscounts | undefined
  },
): Promise<SettingsAfter> {
  const { issues, rows, lock, progress } = given
  const after = await settingsAfter(tx, job, before)
  if (after.changed) addIssues(issues, await faultsOfSettingsAfter(tx, job.mode, before, after.settings))
  const currency = currencyOf(after.settings)
  await planningForMany(tx, rows, async () => {
    await numberMadeSlugs(tx, job.id)
    await matchProducts(tx, job.id)
    await lock()
    await checkImport(tx, job, { currency, issues }, (rowsChecked) => progress({ rowsChecked }))
    await checkImportedDiscounts(tx, job, given.discounts, issues)
  })
  return after
}

/** Settings that are not valid for the shop. A replacing import brings its own products. */
async function faultsOfSettingsAfter(tx: Tx, mode: ImportMode, before: Settings, after: Settings): Promise<Issue[]> {
  const changesCurrency = mode === 'merge' && currencyOf(before) !== currencyOf(after)
  const foreign = changesCurrency ? await findForeignCurrency(tx, currencyOf(after)) : undefined
  const issues = [
    ...faultsOfSettings(after.document, foreign),
    ...(await faultsOfNotifications(after.document, [templatesInForce(before.document)])),
  ]
  return issues.map(({ path, message }) => ({
    path: path === '' ? 'settings' : `settings.${path}`,
    message,
  }))
}
