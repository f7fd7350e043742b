import { actorIdOf } from '@storefront/audit'
import type { ProductInput } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { key } from '../listings/surrogate-keys.ts'
import { MAX_SINGLE_EVENTS } from '../products/bulk-events.ts'
import type { ProductToSave } from '../products/prepare-product.ts'
import { findProductsToSave } from '../products/products.queries.ts'
import { findRawProducts } from '../products/raw-products.queries.ts'
import { removeProducts } from '../products/remove-products.ts'
import { saveProducts } from '../products/save-products.ts'
import { currencyOf } from '../settings/settings-in-force.ts'
import { learnAttributes } from '../vocabulary/learn-attributes.ts'
import { dropTakenFormerSlugs, findSkusToAvoid, findUnmatched, freeSlugs } from './match-products.queries.ts'
import { PRODUCTS_AT_ONCE } from './check-products.ts'
import { completed } from './complete-product.ts'
import { addToSet, append, leavesAlone, type Applying } from './import-effects.ts'
import { planningForMany } from './jobs.queries.ts'
import { differingFields } from './product-difference.ts'
import { rowsInChunks, type StagedRow } from './staging.queries.ts'

/** Products that a dry run shows. */
const SHOWN_CHANGES = 100

type ProductRow = StagedRow<ProductInput>

interface ComparedProduct {
  row: ProductRow
  /** Fields that saving it would change. */
  fields: string[]
}

/** Names that are reserved for products of the import. */
interface Names {
  /** The former slugs of products whose slugs this import has freed. */
  freed: ReadonlyMap<string, string>
  reservedSkus: ReadonlySet<string>
}

/** Saves the products of an import, which are locked and valid, and in a replacing one deletes all others. */
export async function applyProducts(tx: Tx, applying: Applying): Promise<void> {
  if (leavesAlone(applying, 'product')) return
  const { job, productRows, effects, applied } = applying
  // First, to release their slugs and SKUs.
  if (job.mode === 'replace') await removeOthers(tx, applying)
  const names = job.dryRun
    ? { freed: new Map<string, string>(), reservedSkus: new Set<string>() }
    : await namesFor(tx, applying)
  const chunks =
    productRows.length > 0 ? [productRows] : rowsInChunks<ProductInput>(tx, job, 'product', PRODUCTS_AT_ONCE)
  for await (const rows of chunks) {
    const compared = await withDifferences(tx, rows, names)
    const differing = compared.filter(({ row, fields }) => row.storedId === null || fields.length > 0)
    effects.counts.products.unchanged += rows.length - differing.length
    if (job.dryRun) countAndShow(differing, effects)
    else await save(tx, differing, names, applying)
    await applied(rows.length)
  }
  if (names.freed.size > 0) await dropTakenFormerSlugs(tx)
}

function countAndShow(differing: readonly ComparedProduct[], { counts, changes }: Applying['effects']): void {
  for (const { row, fields } of differing) {
    counts.products[row.storedId === null ? 'created' : 'updated']++
    if (row.storedId !== null && changes.length < SHOWN_CHANGES) changes.push({ slug: row.key, fields })
  }
}

async function namesFor(tx: Tx, { job, renamesProducts }: Applying): Promise<Names> {
  return planningForMany(tx, job.rowsRead, async () => ({
    freed: renamesProducts ? await freeSlugs(tx, job.id) : new Map<string, string>(),
    reservedSkus: job.lacksSkus ? await findSkusToAvoid(tx, job.id) : new Set<string>(),
  }))
}

async function removeOthers(tx: Tx, { job, now, otherProducts, effects }: Applying): Promise<void> {
  const counts = effects.counts.products
  if (job.dryRun) counts.deleted = otherProducts
  if (job.dryRun || otherProducts === 0) return
  for (;;) {
    const others = await planningForMany(tx, job.rowsRead, () => findUnmatched(tx, job.id, PRODUCTS_AT_ONCE))
    const { removed, keys } = await removeProducts(tx, others, { now, announces: false })
    counts.deleted += others.length
    if (effects.deleted.length <= MAX_SINGLE_EVENTS) effects.deleted.push(...others)
    append(effects.removedVariants, removed)
    addToSet(effects.keys, keys)
    if (others.length < PRODUCTS_AT_ONCE) return
  }
}

async function save(
  tx: Tx,
  differing: readonly ComparedProduct[],
  names: Names,
  { job, now, settings, effects }: Applying,
): Promise<void> {
  const rows = differing.map(({ row }) => row)
  const products = await productsToSave(tx, rows, names)
  const saved = await saveProducts(tx, products, {
    currency: currencyOf(settings),
    now,
    actor: actorIdOf(job.actor),
    // Events are published at the end, possibly one for all products.
    announces: false,
    reservedSkus: names.reservedSkus,
    mayDropStock: job.mode === 'replace',
    onUnsettled({ quantities, dropped }) {
      for (const { variantId, inventory } of quantities) effects.quantities.set(variantId, inventory)
      append(effects.dropped, dropped)
    },
  })
  const inputs = rows.map(({ data }) => data)
  if (job.mode === 'merge' && (await learnAttributes(tx, inputs))) effects.keys.add(key.library)
  for (const { id, outcome, isChanged, skusChanged, formerSlug, formerOwner, removed } of saved) {
    effects.counts.products[outcome]++
    append(effects.removedVariants, removed)
    if (outcome !== 'unchanged') effects.savedIds.push(id)
    if (isChanged) effects.changedIds.push(id)
    if (skusChanged) effects.keys.add(key.search)
    if (formerOwner !== null) effects.keys.add(key.product(formerOwner))
    if (formerSlug === undefined) continue
    effects.formerSlugs.push({ productId: id, slug: formerSlug })
    effects.keys.add(key.product(formerSlug))
  }
}

/** Stored products by their ids, with the slugs that they had before the import. */
function beforeImport<Row extends { id: string; slug: string }>(
  rows: readonly Row[],
  { freed }: Names,
): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, { ...row, slug: freed.get(row.id) ?? row.slug }]))
}

async function withDifferences(tx: Tx, rows: readonly ProductRow[], names: Names): Promise<ComparedProduct[]> {
  const ids = rows.flatMap(({ storedId }) => storedId ?? [])
  const stored = ids.length === 0 ? [] : await findRawProducts(tx, ids)
  const byId = beforeImport(
    stored.map(({ raw }) => raw),
    names,
  )
  return rows.map((given) => {
    const before = byId.get(given.storedId ?? '')
    if (!before) return { row: given, fields: [] }
    const { data, keeps } = given
    const row = keeps.length === 0 ? given : { ...given, data: completed(data, keeps, before) }
    return { row, fields: differingFields(row.data, row.key, before) }
  })
}

async function productsToSave(tx: Tx, rows: readonly ProductRow[], names: Names): Promise<ProductToSave[]> {
  const ids = rows.flatMap(({ storedId }) => storedId ?? [])
  const stored = ids.length === 0 ? [] : await findProductsToSave(tx, ids, [])
  const byId = beforeImport(stored, names)
  return rows.map(({ data, key: slug, storedId }) => ({ input: data, slug, before: byId.get(storedId ?? '') }))
}
