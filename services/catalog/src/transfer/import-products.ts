import type { ImportCounts, ImportMode, ProductInput } from '@storefront/contracts'
import type { WithdrawnVariant } from '../price-projection/price-projection.ts'
import type { Tx } from '../database.ts'
import { key } from '../listings/surrogate-keys.ts'
import { findProductsToSave } from '../products/products.queries.ts'
import { findRawProducts } from '../products/raw-product.ts'
import { saveProducts, type ProductToSave } from '../products/save-products.ts'
import { MAX_SINGLE_EVENTS, type FormerSlug } from '../products/bulk-events.ts'
import { countUnmatched, dropTakenFormerSlugs, findSkusToAvoid, findUnmatched, freeSlugs } from './check.queries.ts'
import { completed } from './complete-product.ts'
import { differingFields } from './product-difference.ts'
import { removeProducts, type ProductToRemove } from '../products/remove-products.ts'
import { findVariantIdsOf } from '../products/variants.queries.ts'
import { learnAttributes } from '../vocabulary/learn-attributes.ts'
import { planningForMany } from './jobs.queries.ts'
import { rowsInChunks, type StagedRow } from './staging.queries.ts'

/** Products in memory at once. */
const CHUNK = 500
/** Products that a dry run shows. */
const SHOWN_CHANGES = 100

export interface ProductChange {
  slug: string
  fields: string[]
}

export interface WrittenProducts {
  counts: ImportCounts
  changedIds: string[]
  /** Those that changed in more than quantities. */
  announcedIds: string[]
  /** Former slugs of products. */
  formerSlugs: FormerSlug[]
  /** Deleted variants. */
  removed: WithdrawnVariant[]
  keys: string[]
  /** The first deleted ones: beyond the limit they get no single events. */
  deleted: ProductToRemove[]
  /** Whether the library collected attributes from them. */
  learned: boolean
}

interface Part {
  id: string
  mode: ImportMode
  /** Rows of all types. */
  rows: number
}

export interface WriteContext {
  currency: string
  now: Date
  actor: string
  /** Whether an event is published for each product. */
  announces: boolean
}

/** Computes what an import would do to products, without a lock. */
export async function compareProducts(
  tx: Tx,
  job: Part,
  compared: (rows: number) => Promise<void>,
): Promise<{ counts: ImportCounts; changes: ProductChange[] }> {
  const counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 }
  const changes: ProductChange[] = []
  for await (const rows of rowsInChunks<ProductInput>(tx, job.id, 'product', CHUNK)) {
    for (const { row, fields } of await withDifferences(tx, rows, new Map())) {
      if (row.storedId === null) counts.created++
      else if (fields.length === 0) counts.unchanged++
      else {
        counts.updated++
        if (changes.length < SHOWN_CHANGES) changes.push({ slug: row.key, fields })
      }
    }
    await compared(rows.length)
  }
  if (job.mode === 'replace') counts.deleted = await planningForMany(tx, job.rows, () => countUnmatched(tx, job.id))
  return { counts, changes }
}

/** Saves the products of an import, which are locked and valid, and in a replacing one deletes all others. */
export async function importProducts(
  tx: Tx,
  job: Part,
  context: WriteContext,
  applied: (rows: number) => Promise<void>,
): Promise<WrittenProducts> {
  const written: WrittenProducts = {
    counts: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
    changedIds: [],
    announcedIds: [],
    formerSlugs: [],
    removed: [],
    keys: [],
    deleted: [],
    learned: false,
  }
  // First, so that their slugs and SKUs are free.
  if (job.mode === 'replace') await removeOthers(tx, job, written, context)
  const freed = await planningForMany(tx, job.rows, () => freeSlugs(tx, job.id))
  const reservedSkus = await planningForMany(tx, job.rows, () => findSkusToAvoid(tx, job.id))
  for await (const rows of rowsInChunks<ProductInput>(tx, job.id, 'product', CHUNK)) {
    const compared = await withDifferences(tx, rows, freed)
    const differing = compared.filter(({ row, fields }) => row.storedId === null || fields.length > 0)
    written.counts.unchanged += rows.length - differing.length
    const toWrite = await toSave(
      tx,
      differing.map(({ row }) => row),
      freed,
    )
    const knownIds = toWrite.flatMap(({ before }) => before?.id ?? [])
    const known = knownIds.length === 0 ? [] : await findVariantIdsOf(tx, knownIds)
    const saved = await saveProducts(tx, toWrite, { ...context, reservedSkus, mayDropStock: job.mode === 'replace' })
    written.removed.push(...(await withdrawn(tx, known, toWrite)))
    const inputs = differing.map(({ row }) => row.data)
    if (job.mode === 'merge' && (await learnAttributes(tx, inputs))) written.learned = true
    for (const { id, outcome, isChanged, formerSlug } of saved) {
      written.counts[outcome]++
      if (outcome !== 'unchanged') written.changedIds.push(id)
      if (isChanged) written.announcedIds.push(id)
      if (formerSlug === undefined) continue
      written.formerSlugs.push({ productId: id, slug: formerSlug })
      written.keys.push(key.product(formerSlug))
    }
    await applied(rows.length)
  }
  if (freed.size > 0) await dropTakenFormerSlugs(tx)
  return written
}

async function removeOthers(tx: Tx, job: Part, written: WrittenProducts, context: WriteContext): Promise<void> {
  for (;;) {
    const others = await planningForMany(tx, job.rows, () => findUnmatched(tx, job.id, CHUNK))
    if (others.length === 0) return
    const { removed, keys } = await removeProducts(tx, others, context)
    written.counts.deleted += others.length
    if (written.deleted.length <= MAX_SINGLE_EVENTS) written.deleted.push(...others)
    written.removed.push(...removed)
    written.keys.push(...keys)
  }
}

/** Those of the products' former variants that they no longer have. */
async function withdrawn(
  tx: Tx,
  known: readonly { id: string; productId: string }[],
  products: readonly ProductToSave[],
): Promise<WithdrawnVariant[]> {
  if (known.length === 0) return []
  const left = new Set(
    (await findVariantIdsOf(tx, [...new Set(known.map((each) => each.productId))])).map(({ id }) => id),
  )
  const versions = new Map(products.flatMap(({ before }) => (before ? [[before.id, before.version]] : [])))
  return known
    .filter(({ id }) => !left.has(id))
    .map(({ id, productId }) => ({ variantId: id, factsVersion: (versions.get(productId) ?? 0) + 1 }))
}

/** @param freed slugs that products had before they were taken from them for this import */
async function withDifferences(
  tx: Tx,
  rows: readonly StagedRow<ProductInput>[],
  freed: ReadonlyMap<string, string>,
): Promise<{ row: StagedRow<ProductInput>; fields: string[] }[]> {
  const ids = rows.flatMap(({ storedId }) => storedId ?? [])
  const stored = ids.length === 0 ? [] : await findRawProducts(tx, ids)
  const byId = new Map(stored.map(({ raw }) => [raw.id, { ...raw, slug: freed.get(raw.id) ?? raw.slug }]))
  return rows.map((given) => {
    const before = byId.get(given.storedId ?? '')
    if (!before) return { row: given, fields: [] }
    const { data, keeps } = given
    const row = keeps.length === 0 ? given : { ...given, data: completed(data, keeps, before) }
    return { row, fields: differingFields(row.data, row.key, before) }
  })
}

async function toSave(
  tx: Tx,
  rows: readonly StagedRow<ProductInput>[],
  freed: ReadonlyMap<string, string>,
): Promise<ProductToSave[]> {
  const ids = rows.flatMap(({ storedId }) => storedId ?? [])
  const stored = ids.length === 0 ? [] : await findProductsToSave(tx, ids, [])
  const byId = new Map(stored.map((row) => [row.id, { ...row, slug: freed.get(row.id) ?? row.slug }]))
  return rows.map(({ data, key: slug, storedId }) => ({ input: data, slug, before: byId.get(storedId ?? '') }))
}
