import { isDeepStrictEqual } from 'node:util'
import type {
  CategoryInput,
  CollectionInput,
  ImportCounts,
  ImportMode,
  Library,
  LibraryAssuranceInput,
  LibraryAttributeInput,
  LibraryFeatureInput,
  SizeChart,
} from '@storefront/contracts'
import {
  findCategories,
  keepOnlyCategories,
  lockBranches,
  rebuildAncestors,
  upsertCategory,
} from '../categories/categories.queries.ts'
import { parentsFirst } from '../categories/category-tree.ts'
import { findCollections, keepOnlyCollections, upsertCollection } from '../collections/collections.queries.ts'
import type { Tx } from '../database.ts'
import { key } from '../listings/surrogate-keys.ts'
import { countVersionsUp, findProductsInBranches, findProductsWithSizeChart } from '../products/products.queries.ts'
import { findSizeCharts, keepOnlySizeCharts, upsertSizeChart } from '../size-charts/size-charts.queries.ts'
import { findLibrary, mergeLibrary, replaceLibrary } from '../vocabulary/library.queries.ts'
import { findSlugs, resolveProducts } from './check.queries.ts'
import { allRows, rowsInChunks } from './staging.queries.ts'
import { findCollectionProducts, putInOrder } from './taxonomy.queries.ts'

interface Part {
  id: string
  mode: ImportMode
  dryRun: boolean
}

export interface Written {
  counts: ImportCounts
  /** Surrogate keys of what is out of date. */
  keys: string[]
  /** Products whose responses depend on the changes. */
  productIds: string[]
}

interface Announced {
  /** Categories or collections that were saved or deleted, for events. */
  announced: string[]
}

/** Compares rows that are identified by a name with the stored ones. */
function countsOf<Row>(
  given: ReadonlyMap<string, Row>,
  stored: ReadonlyMap<string, Row>,
  mode: ImportMode,
): ImportCounts & { changed: Row[] } {
  const counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 }
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
  return { ...counts, changed }
}

/** @returns also the products whose position in the tree changed, whose projection entries are out of date */
export async function importCategories(
  tx: Tx,
  job: Part,
): Promise<Written & Announced & { movedIds: readonly string[] }> {
  const given = (await allRows<CategoryInput>(tx, job.id, 'category')).map((row) => row.data)
  const comparable = ({ slug, name, parent, blurb, image }: Omit<CategoryInput, 'image'> & { image?: unknown }) => ({
    slug,
    name,
    parent,
    blurb,
    image: image ?? null,
  })
  const stored = new Map((await findCategories(tx)).map((each) => [each.slug, comparable(each)]))
  const { changed, ...counts } = countsOf(new Map(given.map((each) => [each.slug, comparable(each)])), stored, job.mode)
  const nothing = { counts, keys: [], productIds: [], movedIds: [], announced: [] }
  if (job.dryRun) return nothing
  const slugs = changed.map((each) => each.slug)
  const saved = new Set(slugs)
  for (const category of parentsFirst(given).ordered ?? [])
    if (saved.has(category.slug)) await upsertCategory(tx, category)
  if (slugs.length === 0) return nothing
  await rebuildAncestors(tx)
  await lockBranches(tx, slugs)
  const moved = changed.filter(({ slug, parent }) => stored.get(slug)?.parent !== parent).map(({ slug }) => slug)
  const movedIds = await findProductsInBranches(tx, moved)
  await countVersionsUp(tx, movedIds)
  return {
    counts,
    keys: [key.categories],
    productIds: await findProductsInBranches(tx, slugs),
    movedIds,
    announced: slugs,
  }
}

/**
 * Ends a replacing import: the kept products name only categories of the import, and no other products are left.
 * @param saved categories that get events anyway
 */
export async function keepImportedCategories(
  tx: Tx,
  job: Part,
  saved: readonly string[],
): Promise<Announced & { keys: string[] }> {
  const slugs = (await allRows<CategoryInput>(tx, job.id, 'category')).map((row) => row.key)
  const gone = await keepOnlyCategories(tx, slugs)
  if (gone.length > 0) await rebuildAncestors(tx)
  const moved = await putInOrder(tx, 'categories', slugs)
  // A changed order affects the whole tree, which any other event about it covers as well.
  const announced = moved && saved.length + gone.length === 0 ? slugs : gone
  return { announced, keys: gone.length > 0 || moved ? [key.categories] : [] }
}

export async function importSizeCharts(tx: Tx, job: Part): Promise<Written> {
  const given = (await allRows<SizeChart>(tx, job.id, 'sizeChart')).map((row) => row.data)
  const { changed, ...counts } = countsOf(
    new Map(given.map((each) => [each.id, each])),
    new Map((await findSizeCharts(tx)).map((each) => [each.id, each])),
    job.mode,
  )
  if (job.dryRun) return { counts, keys: [], productIds: [] }
  for (const chart of changed) await upsertSizeChart(tx, chart)
  const kept = given.map((each) => each.id)
  const gone = job.mode === 'replace' && (await keepOnlySizeCharts(tx, kept))
  if (changed.length === 0 && !gone) return { counts, keys: [], productIds: [] }
  const ids = changed.map((each) => each.id)
  return { counts, keys: [key.sizeCharts], productIds: await findProductsWithSizeChart(tx, ids) }
}

const COLLECTIONS_AT_ONCE = 20

/** Products must be saved: a collection names them, by current or former slugs. */
export async function importCollections(tx: Tx, job: Part): Promise<Written & Announced> {
  const counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 }
  const written: Written & Announced = { counts, keys: [], productIds: [], announced: [] }
  const stored = new Map((await findCollections(tx)).map((each) => [each.slug, each]))
  const slugs: string[] = []
  for await (const rows of rowsInChunks<CollectionInput>(tx, job.id, 'collection', COLLECTIONS_AT_ONCE)) {
    for (const { data } of rows) {
      slugs.push(data.slug)
      const resolved = await resolveProducts(tx, job.id, data.products)
      const ids = [...new Set(data.products.map((slug) => resolved.get(slug) ?? null))]
      const before = stored.get(data.slug)
      const wanted = [data.title, data.blurb, data.image ?? null, ids]
      const isSame =
        before !== undefined &&
        isDeepStrictEqual(wanted, [
          before.title,
          before.blurb,
          before.image,
          await findCollectionProducts(tx, data.slug),
        ])
      if (isSame) {
        written.counts.unchanged++
        continue
      }
      written.counts[before ? 'updated' : 'created']++
      if (job.dryRun) continue
      const today = await findSlugs(
        tx,
        ids.flatMap((id) => id ?? []),
      )
      const products = ids.flatMap((id) => today.get(id ?? '') ?? [])
      written.keys = [key.collections]
      written.announced.push(data.slug)
      written.productIds.push(...(await upsertCollection(tx, { ...data, products })).productIds)
    }
  }
  if (job.mode !== 'replace') return written
  const kept = new Set(slugs)
  written.counts.deleted = [...stored.keys()].filter((slug) => !kept.has(slug)).length
  if (job.dryRun) return written
  const { deleted, productIds } = await keepOnlyCollections(tx, slugs)
  written.announced.push(...deleted)
  const moved = await putInOrder(tx, 'collections', slugs)
  if (deleted.length > 0 || moved) written.keys = [key.collections]
  if (moved && written.announced.length === 0) written.announced.push(...slugs)
  written.productIds.push(...productIds)
  return written
}

/**
 * Saves the library. It is small, and the result follows from rules that only its queries know: a dry run saves it too,
 * in a transaction that is rolled back.
 */
export async function importLibrary(tx: Tx, job: Part): Promise<Written> {
  const rowsOf = async <Data>(type: 'attribute' | 'feature' | 'assurance') =>
    (await allRows<Data>(tx, job.id, type)).map((row) => row.data)
  const library = {
    attributes: await rowsOf<LibraryAttributeInput>('attribute'),
    features: await rowsOf<LibraryFeatureInput>('feature'),
    assurances: await rowsOf<LibraryAssuranceInput>('assurance'),
  }
  const before = await findLibrary(tx)
  const saved = await (job.mode === 'replace' ? replaceLibrary(tx, library) : mergeLibrary(tx, library))
  const moved = job.mode === 'replace' && (await putLibraryInOrder(tx, library))
  const after = await findLibrary(tx)
  const [known, now] = [itemsById(before), itemsById(after)]
  const { changed: _changed, ...counts } = countsOf(now, known, 'replace')
  const given = library.attributes.length + library.features.length + library.assurances.length
  // Records that a merging import does not name do not count as unchanged.
  const unchanged = Math.max(0, Math.min(counts.unchanged, given - counts.created - counts.updated))
  return { counts: { ...counts, unchanged }, keys: saved || moved ? [key.library] : [], productIds: [] }
}

/** Without ids there is no order to be kept. */
async function putLibraryInOrder(
  tx: Tx,
  library: {
    attributes: LibraryAttributeInput[]
    features: LibraryFeatureInput[]
    assurances: LibraryAssuranceInput[]
  },
): Promise<boolean> {
  const moved = [
    await putInOrder(tx, 'library_attributes', [...new Set(library.attributes.map((each) => each.key))]),
    ...(library.features.every((each) => each.id !== undefined)
      ? [await putInOrder(tx, 'library_features', [...new Set(library.features.flatMap((each) => each.id ?? []))])]
      : []),
    ...(library.assurances.every((each) => each.id !== undefined)
      ? [await putInOrder(tx, 'library_assurances', [...new Set(library.assurances.flatMap((each) => each.id ?? []))])]
      : []),
  ]
  return moved.includes(true)
}

function itemsById({ attributes, features, assurances }: Library): Map<string, unknown> {
  return new Map([
    ...attributes.map((each): [string, unknown] => [`attribute ${each.id}`, each]),
    ...features.map((each): [string, unknown] => [`feature ${each.id}`, each]),
    ...assurances.map((each): [string, unknown] => [`assurance ${each.id}`, each]),
  ])
}
