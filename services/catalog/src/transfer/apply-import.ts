import { actorIdOf, recordAction } from '@storefront/audit'
import { publish } from '@storefront/messaging'
import { SettingsUpdated, type ImportResult } from '@storefront/contracts'
import { lockTaxonomy } from '../categories/categories.queries.ts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { importCancelled, importRowsLost, importRowsRejected } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import type { Invalidation } from '../merchant/invalidate-caches.ts'
import {
  publishCategories,
  publishProducts,
  MAX_SINGLE_EVENTS,
  type ChangedProduct,
  type InventoryUpdate,
} from '../products/bulk-events.ts'
import { assertNoStockDropped } from '../products/dropped-variants.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import type { RefreshRow } from '../products/responses.queries.ts'
import { findSettings, lockSettings } from '../settings/settings.queries.ts'
import { setQuantities } from '../stock/set-quantities.ts'
import { lockChangedTaxonomy, readTaxonomy } from './apply-taxonomy.ts'
import { checkImport } from './check-import.ts'
import { addToSet, ImportEffects, type Applying, type Checked } from './import-effects.ts'
import { finishJob, type CountedJob, type Job, type JobProgress } from './jobs.queries.ts'
import { findSlugs } from './match-products.queries.ts'
import { countMissingPictures, insertFetchedMedia } from './pictures.queries.ts'
import type { KnownDiscounts } from './request-discounts.ts'
import { countReviews } from './reviews.queries.ts'
import { KINDS_IN_ORDER } from './row-kinds.ts'
import { countRows } from './staging.queries.ts'

/** Shorter than the day after which files without a row are removed (sweep-media.ts). */
const MAX_PICTURE_AGE_MS = 20 * 3600_000

export interface ApplyContext extends Pick<CatalogContext, 'clock' | 'log' | 'publicUrl'> {
  /** The discounts in cart, if the import contains discounts. */
  discounts?: KnownDiscounts | undefined
  /** Stores the progress, which others see at once. Throws when the import was canceled. */
  progress: (progress: JobProgress) => Promise<void>
}

export interface AppliedImport extends Required<Invalidation> {
  result: ImportResult
  /** The number under which discounts were published to cart, if they were. */
  discountsNumber: number | undefined
}

/**
 * Writes staged rows and ends the job, or rejects them with all their errors before anything is written. A dry run only
 * computes the result: it takes no lock that a shopper or another merchant would notice, and its caller rolls back.
 */
export async function applyImport(tx: Tx, job: Job, context: ApplyContext): Promise<AppliedImport> {
  const { clock, progress, discounts } = context
  const now = clock.now()
  const { counted, ...checked } = await checkRows(tx, job, context)
  if (!job.dryRun) await addFetchedPictures(tx, job, now)
  let rowsApplied = 0
  const applied = async (rows: number) => {
    rowsApplied += rows
    await progress({ status: 'applying', rowsApplied })
  }
  await applied(0)
  const effects = new ImportEffects()
  const storedReviews = job.mode === 'replace' ? await countReviews(tx) : 0
  const applying = { ...checked, job: counted, now, discounts, effects, applied, storedReviews }
  // Reversed for a dry run, which then locks the library last and only briefly.
  for (const { apply } of job.dryRun ? KINDS_IN_ORDER.toReversed() : KINDS_IN_ORDER) await apply?.(tx, applying)
  for (const { finish } of KINDS_IN_ORDER) await finish?.(tx, applying)
  if (!job.dryRun) {
    await publishEffects(tx, applying, context)
    await setImportedStock(tx, applying)
  }
  const result = resultOf(applying, clock.now().getTime() - now.getTime())
  if (!job.dryRun && !(await finishJob(tx, job.id, { status: 'done', result }, clock.now()))) throw importCancelled()
  return {
    result,
    discountsNumber: effects.discountsNumber,
    productIds: [...new Set([...effects.savedIds, ...effects.movedIds])],
    removed: effects.removedVariants,
    settingsChanged: checked.settingsChanged,
    keys: [...effects.keys],
  }
}

/** Sets the quantities of the import. Called last, because checkouts of these variants then wait for the commit. */
async function setImportedStock(tx: Tx, { job, now, effects: { quantities, dropped } }: Applying): Promise<void> {
  const wanted = [...quantities].map(([variantId, inventory]) => ({ variantId, inventory }))
  const others = dropped.map(({ id }) => id)
  const actor = actorIdOf(job.actor)
  assertNoStockDropped(dropped, await setQuantities(tx, wanted, { now, actor, isRefreshed: true, others }))
}

/** Finds the stored records of the rows, and rejects them with all their errors. */
async function checkRows(
  tx: Tx,
  job: Job,
  { progress, discounts }: ApplyContext,
): Promise<Checked & { counted: CountedJob }> {
  const settings = await (job.dryRun ? findSettings(tx) : lockSettings(tx))
  await progress({ status: 'checking' })
  const counts = await countRows(tx, job.id)
  if (counts.total !== job.rowsRead || counts.products !== job.products) throw importRowsLost()
  const counted = { ...job, ...counts }
  const locks = !job.dryRun
  if (locks) await lockTaxonomy(tx)
  const taxonomy = await readTaxonomy(tx, counted)
  if (locks) await lockChangedTaxonomy(tx, taxonomy, job.mode)
  const issues = { shown: [...job.issues], total: job.issueCount }
  const checked = (rowsChecked: number) => progress({ rowsChecked })
  const after = await checkImport(tx, settings, { job: counted, taxonomy, discounts, issues, checked }, { locks })
  if (issues.total > 0) throw importRowsRejected(issues.shown, issues.total)
  return { ...after, counted }
}

/** Adds the pictures that were fetched before to the shop. */
async function addFetchedPictures(tx: Tx, job: Job, now: Date): Promise<void> {
  if (job.pictures === 0) return
  // Files without rows are removed after a day.
  const isTooLate = now.getTime() - job.createdAt.getTime() > MAX_PICTURE_AGE_MS
  if (isTooLate || (await countMissingPictures(tx, job.id)) > 0) throw importRowsLost()
  await insertFetchedMedia(tx, job.id, now)
}

/** Renews what depends on the changed records, and publishes and audits the changes. */
async function publishEffects(
  tx: Tx,
  { job, now, settings, settingsChanged, effects }: Applying,
  context: ApplyContext,
): Promise<void> {
  const { keys, savedIds, changedIds, reviewedIds, formerSlugs, deleted, quantities } = effects
  // Storefronts read size charts and the library together with the settings, so one event covers all of them.
  if ([key.settings, key.sizeCharts, key.library].some((each) => keys.has(each))) {
    await publish(tx, SettingsUpdated, { version: settings.version }, now)
  }
  await publishCategories(tx, effects.announced, now)
  const announcedIds = new Set([...changedIds, ...reviewedIds])
  const changed: ChangedProduct[] = []
  const inventories: InventoryUpdate[] = []
  // One more than the limit, which shows that there are too many for single events.
  const onRefreshed = (products: readonly RefreshRow[], updates: readonly InventoryUpdate[]) => {
    for (const { id: productId, slug, version } of products) {
      if (changed.length <= MAX_SINGLE_EVENTS && announcedIds.has(productId)) changed.push({ productId, slug, version })
    }
    inventories.push(...updates.slice(0, MAX_SINGLE_EVENTS + 1 - inventories.length))
  }
  const staleIds = job.mode === 'replace' ? (await findSlugs(tx, effects.staleIds)).keys() : effects.staleIds
  const outdatedIds = [...savedIds, ...staleIds]
  addToSet(keys, await refreshProducts(tx, outdatedIds, { ...context, onRefreshed, locked: savedIds, quantities }))
  const touchedIds = [...new Set([...savedIds, ...reviewedIds])]
  await publishProducts(tx, { touchedIds, changed, formerSlugs, deleted, inventories }, now)
  const pictures = job.pictures > 0 && { pictures: job.pictures }
  const after = { mode: job.mode, ...effects.counts, settingsChanged, ...pictures }
  const subject = { kind: 'import' as const, id: job.id }
  await recordAction(tx, { actor: job.actor, action: 'import', subject, after, at: now })
}

function resultOf({ job, settingsChanged, unknownSettings, effects }: Applying, durationMs: number): ImportResult {
  const { mode, products, pictures, columnsNotTaken, dryRun } = job
  return {
    ok: true,
    mode,
    products,
    counts: effects.counts,
    settingsChanged,
    durationMs,
    ...(pictures > 0 && { pictures }),
    ...(columnsNotTaken.length > 0 && { columnsNotTaken }),
    ...(unknownSettings.length > 0 && { unknownSettings }),
    ...(dryRun && { dryRun, changes: effects.changes }),
  }
}
