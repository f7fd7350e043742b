import { publish, publishAll, type Clock, type Log } from '@storefront/chassis'
import { CategoryUpdated, SettingsUpdated, type BoardEntry, type ImportBody } from '@storefront/contracts'
import {
  findCategorySlugs,
  keepOnlyCategories,
  rebuildAncestors,
  upsertCategory,
} from '../categories/categories.queries.ts'
import { parentsFirst } from '../categories/category-tree.ts'
import { keepOnlyCollections, upsertCollection } from '../collections/collections.queries.ts'
import type { Tx } from '../database.ts'
import { importRefused } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { findProductsInBranches, findProductsWithSizeChart, lockAllProducts } from '../products/products.queries.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import type { SavedProduct } from '../products/save-products.ts'
import { addReviews } from '../reviews/reviews.queries.ts'
import { currencyOf } from '../settings/board-settings.ts'
import { mergeSettings } from '../settings/merge-settings.ts'
import { findSettings, lockSettings, saveSettings, type Settings } from '../settings/settings.queries.ts'
import { findSizeChartIds, keepOnlySizeCharts, upsertSizeChart } from '../size-charts/size-charts.queries.ts'
import { keepOnlyLibrary, upsertLibrary } from '../vocabulary/library.queries.ts'
import { faultsOfImport } from './check-import.ts'
import { importProducts, matchProducts } from './import-products.ts'
import { findOtherProducts, removeProducts } from './remove-products.ts'

export interface Imported {
  /** Products whose price board entries are out of date. */
  productIds: string[]
  /** What the price board must say from now on of variants that are gone. */
  removed: BoardEntry[]
  settingsChanged: boolean
  products: Record<SavedProduct['outcome'] | 'deleted', number>
  /** Surrogate keys of everything that is out of date. */
  keys: string[]
}

interface Touched {
  keys: string[]
  /** Products whose answers follow from what changed. */
  productIds: string[]
}

const UNTOUCHED: Touched = { keys: [], productIds: [] }

/** Writes an import, and refuses it with every fault it has before anything is written. */
export async function importInTransaction(
  tx: Tx,
  body: ImportBody,
  context: { clock: Clock; log: Log; publicUrl: string },
): Promise<Imported> {
  const now = context.clock.now()
  const replaces = body.mode === 'replace'
  const { settings, changed: settingsChanged } = await importSettings(tx, body, now)
  const currency = currencyOf(settings)
  const known = replaces
    ? { categories: [], sizeCharts: [] }
    : { categories: await findCategorySlugs(tx), sizeCharts: await findSizeChartIds(tx) }
  const issues = faultsOfImport(body, known, currency)
  if (issues.length > 0) throw importRefused(issues)

  const charts = await importSizeCharts(tx, body)
  const library = await importLibrary(tx, body)
  const categories = await importCategories(tx, body, now)
  if (replaces) await lockAllProducts(tx)
  const rows = await matchProducts(tx, body.products)
  const kept = rows.flatMap(({ before }) => (before ? [before.id] : []))
  const others = replaces ? await findOtherProducts(tx, kept) : []
  const removal = await removeProducts(tx, others, context.publicUrl, now)
  const saved = await importProducts(tx, rows, currency, now)
  const collections = await importCollections(tx, body)
  const reviewed = await addReviews(tx, body.reviews, now)
  const changedProducts = saved.filter((each) => each.outcome !== 'unchanged')
  const removedIds = new Set(others.map((other) => other.id))
  const derived = [charts, categories, collections].flatMap((touched) => touched.productIds)
  const productIds = [...new Set([...changedProducts.map((each) => each.id), ...reviewed, ...derived])]
    .filter((id) => !removedIds.has(id))
    .toSorted()
  const gone = replaces ? await removeOtherCategories(tx, body) : UNTOUCHED
  const refreshKeys = await refreshProducts(tx, productIds, context)
  if (charts.keys.length + library.keys.length > 0) {
    await publish(tx, SettingsUpdated, { version: settings.version }, now)
  }
  const count = (outcome: SavedProduct['outcome']) => saved.filter((each) => each.outcome === outcome).length
  return {
    productIds: changedProducts.map((each) => each.id),
    removed: removal.entries,
    settingsChanged,
    products: {
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      deleted: others.length,
    },
    keys: [
      ...new Set([
        ...(settingsChanged ? [key.settings] : []),
        ...[charts, library, categories, collections, gone].flatMap((touched) => touched.keys),
        ...saved.flatMap(({ formerSlug }) => (formerSlug === undefined ? [] : [key.product(formerSlug)])),
        ...removal.keys,
        ...refreshKeys,
      ]),
    ],
  }
}

async function importSettings(tx: Tx, body: ImportBody, now: Date): Promise<{ settings: Settings; changed: boolean }> {
  const before = await lockSettings(tx)
  if (!body.settings) return { settings: before, changed: false }
  const { version: _given, ...change } = body.settings
  const document = body.mode === 'replace' ? change : mergeSettings(before.document, change)
  if (JSON.stringify(document) === JSON.stringify(before.document)) return { settings: before, changed: false }
  await saveSettings(tx, { version: before.version + 1, document })
  await publish(tx, SettingsUpdated, { version: before.version + 1 }, now)
  return { settings: await findSettings(tx), changed: true }
}

async function importSizeCharts(tx: Tx, body: ImportBody): Promise<Touched> {
  const changed: string[] = []
  for (const chart of body.sizeCharts) if (await upsertSizeChart(tx, chart)) changed.push(chart.id)
  const gone =
    body.mode === 'replace' &&
    (await keepOnlySizeCharts(
      tx,
      body.sizeCharts.map((each) => each.id),
    ))
  if (changed.length === 0 && !gone) return UNTOUCHED
  return { keys: [key.sizeCharts], productIds: await findProductsWithSizeChart(tx, changed) }
}

async function importLibrary(tx: Tx, body: ImportBody): Promise<Touched> {
  const library = body.library ?? { attributes: [], features: [], assurances: [] }
  const upserted = await upsertLibrary(tx, library)
  const gone = body.mode === 'replace' && (await keepOnlyLibrary(tx, library))
  return upserted || gone ? { keys: [key.library], productIds: [] } : UNTOUCHED
}

async function importCategories(tx: Tx, body: ImportBody, now: Date): Promise<Touched> {
  const changed: string[] = []
  for (const category of parentsFirst(body.categories).ordered ?? []) {
    if (await upsertCategory(tx, category)) changed.push(category.slug)
  }
  if (changed.length === 0) return UNTOUCHED
  await rebuildAncestors(tx)
  await publishAll(
    tx,
    CategoryUpdated,
    changed.map((slug) => ({ slug })),
    now,
  )
  return { keys: [key.categories], productIds: await findProductsInBranches(tx, changed) }
}

async function importCollections(tx: Tx, body: ImportBody): Promise<Touched> {
  const touched: Touched = { keys: [], productIds: [] }
  for (const collection of body.collections) {
    const { changed, productIds } = await upsertCollection(tx, collection)
    if (changed) touched.keys = [key.collections]
    touched.productIds.push(...productIds)
  }
  if (body.mode !== 'replace') return touched
  const { deleted, productIds } = await keepOnlyCollections(
    tx,
    body.collections.map((each) => each.slug),
  )
  if (deleted.length > 0) touched.keys = [key.collections]
  touched.productIds.push(...productIds)
  return touched
}

/** Products that are kept name only categories of the import, and no other products are left. */
async function removeOtherCategories(tx: Tx, body: ImportBody): Promise<Touched> {
  const gone = await keepOnlyCategories(
    tx,
    body.categories.map((each) => each.slug),
  )
  if (gone.length === 0) return UNTOUCHED
  await rebuildAncestors(tx)
  return { keys: [key.categories], productIds: [] }
}
