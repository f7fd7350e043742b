import { z } from 'zod'
import { publish, publishAll, SURROGATE_PURGE, transaction, type App, type Clock } from '@storefront/chassis'
import { CategoryUpdated, ImportBody, SettingsUpdated, type ProductInput } from '@storefront/contracts'
import type { Board } from '../board/board.ts'
import { findBoardEntriesOfProducts } from '../board/board.queries.ts'
import { findCategorySlugs, keepOnlyCategories, upsertCategory } from '../categories/categories.queries.ts'
import { parentsFirst } from '../categories/category-tree.ts'
import { keepOnlyCollections, upsertCollection } from '../collections/collections.queries.ts'
import type { Database, Tx } from '../database.ts'
import { importRefused } from '../errors.ts'
import { markScopesStale } from '../facets/listing-scope.ts'
import { slugOf } from '../products/product.ts'
import { findForeignSkus, findProductsBySlug } from '../products/products.queries.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import { isTaken, saveProduct, type SavedProduct } from '../products/save-product.ts'
import { addReviews } from '../reviews/reviews.queries.ts'
import { boardSettingsOf, currencyOf } from '../settings/board-settings.ts'
import { mergeSettings } from '../settings/merge-settings.ts'
import { findSettings, lockSettings, saveSettings, type Settings } from '../settings/settings.queries.ts'
import { findSizeChartIds, keepOnlySizeCharts, upsertSizeChart } from '../size-charts/size-charts.queries.ts'
import { faultsOfImport } from './check-import.ts'
import { removeOtherProducts } from './remove-other-products.ts'

const IMPORT_BODY_LIMIT = 256 * 1024 * 1024

const Counts = z.object({ created: z.int(), updated: z.int(), deleted: z.int(), unchanged: z.int() })
const ImportResult = z.object({
  ok: z.literal(true),
  mode: z.string(),
  counts: z.object({ products: Counts }),
  durationMs: z.int(),
})

export interface ImportContext {
  db: Database
  clock: Clock
  publicUrl: string
  board: Board
  purge: (keys: readonly string[]) => void
}

/** Loads a catalogue: all of it or nothing. `merge` leaves the rest alone, `replace` makes the catalogue exactly this. */
export function importCatalogueRoute(app: App, context: ImportContext): void {
  app.post(
    '/admin/import',
    {
      config: { access: { admin: 'catalog:write' } },
      bodyLimit: IMPORT_BODY_LIMIT,
      schema: {
        tags: ['Admin: catalogue'],
        summary: 'Load a catalogue, all or nothing',
        body: ImportBody,
        response: { 200: ImportResult },
      },
    },
    async ({ body }, reply) => {
      const startedMs = context.clock.now().getTime()
      const result = await importCatalogue(body, context)
      reply.header(SURROGATE_PURGE, result.keys.join(' '))
      return {
        ok: true as const,
        mode: body.mode,
        counts: { products: result.products },
        durationMs: context.clock.now().getTime() - startedMs,
      }
    },
  )
}

async function importCatalogue(body: ImportBody, context: ImportContext) {
  const { db, board, publicUrl, purge } = context
  const done = await transaction(db, (tx) => importInTransaction(tx, body, context)).catch((error: unknown) => {
    if (isTaken(error)) throw importRefused([{ path: 'products', message: 'a slug or SKU was taken meanwhile' }])
    throw error
  })
  await board.writeSettings(boardSettingsOf(await findSettings(db)))
  await board.writeEntries([...done.removed, ...(await findBoardEntriesOfProducts(db, done.productIds, publicUrl))])
  purge(done.keys)
  return { keys: done.keys, products: done.counts }
}

async function importInTransaction(tx: Tx, body: ImportBody, context: ImportContext) {
  const now = context.clock.now()
  const settings = await importSettings(tx, body, now)
  const currency = currencyOf(settings)
  const replaces = body.mode === 'replace'
  const known = replaces
    ? { categories: [], sizeCharts: [] }
    : { categories: await findCategorySlugs(tx), sizeCharts: await findSizeChartIds(tx) }
  const issues = faultsOfImport(body, known, currency)
  if (issues.length > 0) throw importRefused(issues)

  for (const chart of body.sizeCharts) await upsertSizeChart(tx, chart)
  await importCategories(tx, body, now)
  const saved = await importProducts(tx, body.products, currency, now)
  const removed = replaces
    ? await removeOtherProducts(
        tx,
        saved.map((each) => each.id),
        context,
        now,
      )
    : []
  for (const collection of body.collections) await upsertCollection(tx, collection)
  if (replaces) {
    await keepOnlyCategories(
      tx,
      body.categories.map((each) => each.slug),
    )
    await keepOnlyCollections(
      tx,
      body.collections.map((each) => each.slug),
    )
    await keepOnlySizeCharts(
      tx,
      body.sizeCharts.map((each) => each.id),
    )
  }
  const reviewed = await addReviews(tx, body.reviews, now)
  await markScopesStale(tx)
  const productIds = [
    ...new Set([...saved.filter((each) => each.outcome !== 'unchanged').map((each) => each.id), ...reviewed]),
  ].toSorted()
  const keys = await refreshProducts(tx, productIds, context)
  const count = (outcome: SavedProduct['outcome']) => saved.filter((each) => each.outcome === outcome).length
  return {
    productIds,
    removed,
    keys: boundedKeys([...keys, ...removed.map((each) => `product:${each.facts.productSlug}`), ...WHOLE_CATALOGUE]),
    counts: {
      created: count('created'),
      updated: count('updated'),
      deleted: new Set(removed.map((each) => each.facts.productId)).size,
      unchanged: count('unchanged'),
    },
  }
}

const MAX_PURGE_KEYS = 100
const WHOLE_CATALOGUE = ['listing', 'listing-stock', 'categories', 'collections', 'settings']

/** A header holds only so many keys: a large write drops everything instead. */
function boundedKeys(keys: string[]): string[] {
  return keys.length > MAX_PURGE_KEYS ? ['*'] : keys
}

async function importSettings(tx: Tx, body: ImportBody, now: Date): Promise<Settings> {
  const before = await lockSettings(tx)
  if (!body.settings) return before
  const { version: _given, ...change } = body.settings
  const document = body.mode === 'replace' ? change : mergeSettings(before.document, change)
  if (JSON.stringify(document) === JSON.stringify(before.document)) return before
  await saveSettings(tx, { version: before.version + 1, document })
  await publish(tx, SettingsUpdated, { version: before.version + 1 }, now)
  return findSettings(tx)
}

async function importCategories(tx: Tx, body: ImportBody, now: Date): Promise<void> {
  const changed: { slug: string }[] = []
  for (const category of parentsFirst(body.categories).ordered ?? []) {
    if (await upsertCategory(tx, category)) changed.push({ slug: category.slug })
  }
  await publishAll(tx, CategoryUpdated, changed, now)
}

async function importProducts(
  tx: Tx,
  products: readonly ProductInput[],
  currency: string,
  now: Date,
): Promise<SavedProduct[]> {
  const rows = products.map((product) => ({ ...product, slug: product.slug ?? slugOf(product.title) }))
  const known = new Map(
    (
      await findProductsBySlug(
        tx,
        rows.map((row) => row.slug),
      )
    ).map((row) => [row.slug, row]),
  )
  const skus = rows.flatMap((row) =>
    row.variants.flatMap(({ sku }) =>
      sku === undefined ? [] : [{ sku, productId: known.get(row.slug)?.id ?? row.id ?? '' }],
    ),
  )
  const foreign = await findForeignSkus(tx, skus)
  if (foreign.length > 0) {
    throw importRefused(foreign.map((sku) => ({ path: 'products', message: `SKU ${sku} belongs to another product` })))
  }
  const saved: SavedProduct[] = []
  for (const row of rows) saved.push(await saveProduct(tx, row, known.get(row.slug), { currency, now }))
  return saved
}
