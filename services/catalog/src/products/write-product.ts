import { isDeepStrictEqual } from 'node:util'
import { actorIdOf, recordChange } from '@storefront/audit'
import { publish } from '@storefront/messaging'
import { transaction, violatedConstraint } from '@storefront/postgres'
import {
  SettingsUpdated,
  type Actor,
  type AdminProduct,
  type ProductInput,
  type ProductPatch,
} from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { bodyRejected, currencyMismatch, productNotFound, skuTaken, slugTaken, type Issue } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { etagOf } from '../merchant/entity-tags.ts'
import { invalidateCaches, type Invalidation, type InvalidationContext } from '../merchant/invalidate-caches.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { learnAttributes } from '../vocabulary/learn-attributes.ts'
import { adminProductOf } from './admin-product.ts'
import { findSlugOwner, holdCategories, holdSizeCharts } from './admin-products.queries.ts'
import { optionFaultsOf } from './option-faults.ts'
import { currencyFaultsOf, faultsOf, referenceFaultsOf } from './product.ts'
import type { ProductRow } from './products.queries.ts'
import { rawOf, type RawProduct } from './raw-product.ts'
import { readForRefresh, readProducts, refreshProducts } from './refresh-products.ts'
import { isTaken, saveProducts } from './save-products.ts'

const ATTEMPTS = 5

export type ProductContext = InvalidationContext & Pick<CatalogContext, 'clock' | 'log' | 'mediaDir'>

interface ProductWrite {
  input: ProductInput
  slug: string
  before: ProductRow | undefined
  rawBefore: RawProduct | undefined
  currency: string
  actor: Actor
  mayDropStock: boolean
}

export interface WrittenProduct {
  product: AdminProduct
  etag: string
  invalidation: Invalidation
}

/** The existing ones of the records that a product is to refer to. */
interface HeldReferences {
  categories: ReadonlySet<string>
  sizeCharts: ReadonlySet<string>
}

/**
 * Finds which of the sent categories and size charts exist, and keeps them until the transaction ends. Call this before
 * locking the product, because a change of one of them locks it before its products.
 */
export async function holdReferences(
  tx: Tx,
  { categories, sizeChartId }: Pick<ProductPatch, 'categories' | 'sizeChartId'>,
): Promise<HeldReferences> {
  return {
    categories: new Set(await holdCategories(tx, categories ?? [])),
    sizeCharts: new Set(typeof sizeChartId === 'string' ? await holdSizeCharts(tx, [sizeChartId]) : []),
  }
}

interface ProductCheck {
  currency: string
  knownSizeChart: string | undefined
  /** The fields that the merchant sent. */
  patch: ProductPatch
  held: HeldReferences
  /** Index of the variant in the patch that is the body of the request, when it is not the product. */
  bodyIndex?: number | undefined
}

/** Rejects a product with issues that its schema cannot detect. */
export function assertSound(
  product: ProductInput,
  { currency, knownSizeChart, patch, held, bodyIndex }: ProductCheck,
): void {
  const foreign = currencyFaultsOf(product, currency, '')
  const prefix = bodyIndex === undefined ? '' : `variants.${bodyIndex}.`
  const inBody = ({ path, message }: Issue): Issue => ({
    path: path.startsWith(prefix) ? path.slice(prefix.length) : path,
    message,
  })
  if (foreign.length > 0) throw currencyMismatch(foreign.map(inBody))
  // A chart that the product already referred to may be deleted; that does not prevent another change.
  const sizeChartId = product.sizeChartId === knownSizeChart ? undefined : (product.sizeChartId ?? undefined)
  const { variants, options } = patch
  const issues = [
    ...faultsOf(product, currency, ''),
    // Categories that were not sent exist: the deletion of one waits for the lock of this product to remove it there.
    ...referenceFaultsOf({ categories: patch.categories ?? [], sizeChartId }, held, ''),
    ...(variants || options !== undefined
      ? optionFaultsOf(product, { path: '', sentVariants: variants !== undefined && variants.length > 0 }).issues
      : []),
  ]
  if (issues.length > 0) throw bodyRejected(issues.map(inBody))
}

/** Rejects a slug that another product has; one that another product formerly had is accepted. */
export async function assertSlugFree(tx: Tx, slug: string, productId: string | undefined): Promise<void> {
  const owner = await findSlugOwner(tx, slug)
  if (owner !== undefined && owner !== productId) throw slugTaken(slug)
}

/** Saves a valid product, with all effects. Call this last in a transaction. */
export async function writeProduct(
  tx: Tx,
  { input, slug, before, rawBefore, currency, actor, mayDropStock }: ProductWrite,
  context: ProductContext,
): Promise<WrittenProduct> {
  const now = context.clock.now()
  const [saved] = await saveProducts(tx, [{ input, slug, before }], {
    currency,
    now,
    actor: actorIdOf(actor),
    mayDropStock,
  })
  if (!saved) throw productNotFound()
  const isSame = saved.outcome === 'unchanged'
  const ids = [saved.id]
  // Read once for the audit, the stored responses and the reply, so that the tag of the reply matches its quantities.
  const [row] = isSame ? await readProducts(tx, ids, now) : await readForRefresh(tx, ids, now)
  if (!row) throw productNotFound()
  const raw = rawOf(row)
  const learned = await learnFrom(tx, raw, rawBefore, now)
  await recordChange(tx, {
    actor,
    subject: { kind: 'product', id: saved.id },
    ...(rawBefore && { before: auditedFields(rawBefore) }),
    after: auditedFields(raw),
    at: now,
  })
  const refreshKeys = isSame ? [] : await refreshProducts(tx, ids, { ...context, rows: [row] })
  const { version, variants } = row
  const stockVersion = variants.reduce((sum, variant) => sum + variant.stockVersion, 0)
  return {
    product: adminProductOf(row, { now, publicUrl: context.publicUrl }),
    etag: etagOf({ version, stockVersion }),
    invalidation: {
      productIds: isSame ? [] : ids,
      removed: saved.removed,
      keys: [
        ...refreshKeys,
        ...(saved.skusChanged ? [key.search] : []),
        ...(saved.formerSlug === undefined ? [] : [key.product(saved.formerSlug)]),
        ...(learned ? [key.library] : []),
        ...(saved.formerOwner === null ? [] : [key.product(saved.formerOwner)]),
      ],
    },
  }
}

/** Adds new attributes of a product to the library. @returns whether there were any */
async function learnFrom(tx: Tx, raw: RawProduct, rawBefore: RawProduct | undefined, now: Date): Promise<boolean> {
  if (isDeepStrictEqual(raw.enrichment, rawBefore?.enrichment)) return false
  if (!(await learnAttributes(tx, [raw]))) return false
  await publish(tx, SettingsUpdated, { version: (await findSettings(tx)).version }, now)
  return true
}

/** The part of a product in the audit: the merchant's data. Quantities have their own ledger. */
export function auditedFields({ id: _id, variants, ...fields }: RawProduct): Record<string, unknown> {
  return { ...fields, variants: variants.map(({ inventory: _read, ...variant }) => variant) }
}

/** Writes a product in a transaction, with everything that follows its commit. */
export async function commitProduct(
  context: ProductContext,
  reply: { header: (name: string, value: string) => unknown },
  write: (tx: Tx) => Promise<WrittenProduct>,
): Promise<AdminProduct> {
  const { product, etag, invalidation } = await retryOnNameConflict(() => transaction(context.db, write))
  await invalidateCaches(context, invalidation, reply)
  reply.header('etag', etag)
  return product
}

/**
 * Repeats a write that lost a name to a concurrent one: it then sees that name, and chooses another or fails.
 */
async function retryOnNameConflict(write: () => Promise<WrittenProduct>): Promise<WrittenProduct> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (!isTaken(error)) throw error
      if (attempt < ATTEMPTS) continue
      throw violatedConstraint(error) === 'products_slug_key' ? slugTaken('') : skuTaken(undefined)
    }
  }
}
