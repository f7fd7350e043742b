import { isDeepStrictEqual } from 'node:util'
import type { CategoryInput, CollectionInput, ImportCounts, ImportMode, SizeChart } from '@storefront/contracts'
import {
  findCategories,
  keepOnlyCategories,
  lockBranches,
  rebuildAncestors,
  upsertCategory,
} from '../categories/categories.queries.ts'
import { parentsFirst } from '../categories/category-tree.ts'
import {
  findCollections,
  findProductsInCollection,
  keepOnlyCollections,
  upsertCollection,
} from '../collections/collections.queries.ts'
import type { Tx } from '../database.ts'
import { key } from '../listings/surrogate-keys.ts'
import { incrementVersions, findProductsInBranches, findProductsWithSizeChart } from '../products/products.queries.ts'
import {
  findSizeCharts,
  keepOnlySizeCharts,
  lockSizeCharts,
  upsertSizeChart,
} from '../size-charts/size-charts.queries.ts'
import { findSlugs, resolveProducts } from './match-products.queries.ts'
import {
  addToSet,
  append,
  changesIn,
  leavesAlone,
  type Applying,
  type ComparedCategory,
  type Taxonomy,
} from './import-effects.ts'
import type { CountedJob } from './jobs.queries.ts'
import { allRows, rowsInChunks, type StagedRow } from './staging.queries.ts'
import { putInOrder } from './taxonomy.queries.ts'

/** Compares records with the stored ones by their names, and counts them. @returns those that are new or differ */
export function countAndFindChanged<Row>(
  given: ReadonlyMap<string, Row>,
  stored: ReadonlyMap<string, Row>,
  mode: ImportMode,
  counts: ImportCounts,
): Row[] {
  const changed: Row[] = []
  for (const [name, row] of given) {
    const before = stored.get(name)
    if (before !== undefined && isDeepStrictEqual(before, row)) counts.unchanged++
    else {
      counts[before === undefined ? 'created' : 'updated']++
      changed.push(row)
    }
  }
  if (mode === 'replace') counts.deleted = [...stored.keys()].filter((name) => !given.has(name)).length
  return changed
}

const CHUNK = 1000

/** Reads the categories and size charts of an import and of the shop, if the import may change those of the shop. */
export async function readTaxonomy(tx: Tx, job: CountedJob): Promise<Taxonomy> {
  const rows: StagedRow<CategoryInput>[] = []
  for await (const chunk of rowsInChunks<CategoryInput>(tx, job, 'category', CHUNK)) rows.push(...chunk)
  const categories = leavesAlone({ job }, 'category') ? [] : await findCategories(tx)
  const byId = (charts: readonly SizeChart[]) => new Map(charts.map((each) => [each.id, each]))
  return {
    categories: {
      rows,
      given: new Map(rows.map(({ data }) => [data.slug, comparable(data)])),
      stored: new Map(categories.map((each) => [each.slug, comparable(each)])),
    },
    sizeCharts: {
      given: byId(await allRows<SizeChart>(tx, job, 'sizeChart')),
      stored: byId(leavesAlone({ job }, 'sizeChart') ? [] : await findSizeCharts(tx)),
    },
  }
}

/**
 * Locks the categories and size charts that an import changes or deletes, so that no product in them is missed later.
 * Call this before locking its products, in the order that `lockStock` describes.
 */
export async function lockChangedTaxonomy(
  tx: Tx,
  { categories, sizeCharts }: Taxonomy,
  mode: ImportMode,
): Promise<void> {
  const slugs = namesOfChanged(categories, mode)
  if (slugs.length > 0) await lockBranches(tx, slugs)
  const ids = namesOfChanged(sizeCharts, mode)
  if (ids.length > 0) await lockSizeCharts(tx, ids)
}

/** The names of the stored records that an import changes or, if it replaces the shop, deletes. */
function namesOfChanged<Row>(
  { given, stored }: { given: ReadonlyMap<string, Row>; stored: ReadonlyMap<string, Row> },
  mode: ImportMode,
): string[] {
  const isChanged = (name: string, before: Row) =>
    given.has(name) ? !isDeepStrictEqual(before, given.get(name)) : mode === 'replace'
  return [...stored].filter(([name, before]) => isChanged(name, before)).map(([name]) => name)
}

function comparable({ slug, name, parent, blurb, image }: ComparedCategory): ComparedCategory {
  return { slug, name, parent, blurb, image: image ?? null }
}

export async function applyCategories(tx: Tx, { job, taxonomy, effects }: Applying): Promise<void> {
  const { rows, given, stored } = taxonomy.categories
  append(effects.categories, given.keys())
  const changed = countAndFindChanged(given, stored, job.mode, effects.counts.categories)
  if (job.dryRun || changed.length === 0) return
  const slugs = new Set(changed.map(({ slug }) => slug))
  for (const category of parentsFirst(rows.map(({ data }) => data))) {
    if (slugs.has(category.slug)) await upsertCategory(tx, category)
  }
  effects.keys.add(key.categories)
  addToSet(effects.announced, slugs)
  const moved = changed.filter(({ slug, parent }) => stored.get(slug)?.parent !== parent)
  if (moved.length > 0) await rebuildAncestors(tx)
  // A new category has only the products of stored categories that were moved below it.
  const known = [...slugs].filter((slug) => stored.has(slug))
  if (known.length === 0) return
  // Their branches are locked, so no other transaction adds a product to them.
  const productIds = await findProductsInBranches(tx, known)
  const movedKnown = moved.flatMap(({ slug }) => (stored.has(slug) ? slug : []))
  const isSame = movedKnown.length === known.length
  effects.movedIds = isSame ? productIds : await findProductsInBranches(tx, movedKnown)
  await incrementVersions(tx, effects.movedIds)
  append(effects.staleIds, productIds)
}

/** Deletes the other categories of a replacing import, which no remaining product names. */
export async function deleteOtherCategories(tx: Tx, { job, effects }: Applying): Promise<void> {
  if (job.mode !== 'replace' || job.dryRun) return
  const slugs = effects.categories
  const gone = effects.counts.categories.deleted > 0 ? await keepOnlyCategories(tx, slugs) : []
  if (gone.length > 0) await rebuildAncestors(tx)
  const moved = await putInOrder(tx, 'categories', slugs)
  if (gone.length > 0 || moved) effects.keys.add(key.categories)
  // A changed order affects the whole tree, and needs events only if no other event announces a change of the tree.
  addToSet(effects.announced, moved && changesIn(effects.counts.categories) === 0 ? slugs : gone)
}

export async function applySizeCharts(tx: Tx, { job, taxonomy, effects }: Applying): Promise<void> {
  const { given, stored } = taxonomy.sizeCharts
  const changed = countAndFindChanged(given, stored, job.mode, effects.counts.sizeCharts)
  if (job.dryRun) return
  for (const chart of changed) await upsertSizeChart(tx, chart)
  const gone = effects.counts.sizeCharts.deleted > 0 && (await keepOnlySizeCharts(tx, [...given.keys()]))
  if (changed.length === 0 && !gone) return
  effects.keys.add(key.sizeCharts)
  const ids = changed.map(({ id }) => id)
  append(effects.staleIds, await findProductsWithSizeChart(tx, ids))
}

const COLLECTIONS_AT_ONCE = 20

/** Call this after saving products, because collections name them by current or former slugs. */
export async function applyCollections(tx: Tx, applying: Applying): Promise<void> {
  if (leavesAlone(applying, 'collection')) return
  const { job, effects } = applying
  const counts = effects.counts.collections
  const stored = new Map((await findCollections(tx)).map((each) => [each.slug, each]))
  const slugs: string[] = []
  for await (const rows of rowsInChunks<CollectionInput>(tx, job, 'collection', COLLECTIONS_AT_ONCE)) {
    for (const { data } of rows) {
      slugs.push(data.slug)
      const resolved = await resolveProducts(tx, job.id, data.products)
      const ids = [...new Set(data.products.map((slug) => resolved.get(slug) ?? null))]
      const before = stored.get(data.slug)
      const placed = before ? await findProductsInCollection(tx, data.slug) : []
      const current = before && [before.title, before.blurb, before.image, placed.map(({ id }) => id)]
      const isSame = isDeepStrictEqual(current, [data.title, data.blurb, data.image ?? null, ids])
      if (isSame) counts.unchanged++
      else {
        counts[before ? 'updated' : 'created']++
        if (!job.dryRun) await saveCollection(tx, data, ids, effects)
      }
    }
  }
  if (job.mode !== 'replace') return
  counts.deleted = stored.size - counts.updated - counts.unchanged
  if (job.dryRun) return
  const { deleted, productIds } =
    counts.deleted > 0 ? await keepOnlyCollections(tx, slugs) : { deleted: [], productIds: [] }
  const moved = await putInOrder(tx, 'collections', slugs)
  if (deleted.length > 0 || moved) effects.keys.add(key.collections)
  addToSet(effects.announced, moved && changesIn(counts) === 0 ? slugs : deleted)
  append(effects.staleIds, productIds)
}

async function saveCollection(
  tx: Tx,
  collection: CollectionInput,
  ids: readonly (string | null)[],
  effects: Applying['effects'],
): Promise<void> {
  const storedIds = ids.flatMap((id) => id ?? [])
  const slugs = await findSlugs(tx, storedIds)
  const products = storedIds.flatMap((id) => slugs.get(id) ?? [])
  const { productIds } = await upsertCollection(tx, { ...collection, products })
  effects.keys.add(key.collections)
  effects.announced.add(collection.slug)
  append(effects.staleIds, productIds)
}
