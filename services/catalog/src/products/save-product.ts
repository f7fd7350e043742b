import { publish, violatedConstraint } from '@storefront/chassis'
import { newId, ProductUpdated, type ProductInput } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { lockStock, moveStock, type ChangedStock } from '../stock/stock.queries.ts'
import { documentOf, fingerprintOf, optionWithRole, ownPrice, priceOf, skuOf, type ProductDocument } from './product.ts'
import {
  findVariantsOf,
  replaceCategoriesOf,
  replaceVariants,
  saveSearchTexts,
  upsertProduct,
  type ProductRow,
  type SearchTexts,
  type VariantRow,
} from './products.queries.ts'

export interface SavedProduct {
  id: string
  outcome: 'created' | 'updated' | 'unchanged'
  stock: ChangedStock[]
}

/**
 * Saves a product as a merchant wrote it: the row, its variants, categories and stock, and the event. The answers are
 * made by the caller, for all products it saves at once.
 * @param before the stored product of that slug, locked
 */
export async function saveProduct(
  tx: Tx,
  input: ProductInput & { slug: string },
  before: ProductRow | undefined,
  context: { currency: string; now: Date },
): Promise<SavedProduct> {
  const { now, currency } = context
  const id = before?.id ?? input.id ?? newId('product')
  const known = before ? await findVariantsOf(tx, id) : []
  const variants = variantRows(input, id, known)
  const document = documentOf(input, before?.document.images ?? [])
  const createdAt = input.createdAt === undefined ? (before?.createdAt ?? now) : new Date(input.createdAt)
  const row = {
    id,
    slug: input.slug,
    title: input.title,
    published: input.published,
    document,
    priceMinor: priceOf(input),
    compareAtMinor: input.compareAtPrice?.amount ?? null,
    currency,
    tags: input.tags,
    position: input.position ?? null,
    createdAt,
  }
  const fingerprint = fingerprintOf([row, input.categories.toSorted(), variants])
  const changed = before?.fingerprint !== fingerprint
  if (changed) {
    const version = await upsertProduct(tx, { ...row, fingerprint })
    await replaceVariants(tx, id, variants)
    await replaceCategoriesOf(tx, id, input.categories)
    await saveSearchTexts(tx, id, searchTexts(row, input, variants))
    await publish(tx, ProductUpdated, { productId: id, slug: input.slug, version }, now)
  }
  const stock = await setInventories(tx, input, variants, now)
  const outcome = !before ? 'created' : changed || stock.length > 0 ? 'updated' : 'unchanged'
  return { id, outcome, stock }
}

/** A variant keeps its id when it comes with it, with its SKU, or with the same options. */
function variantRows(input: ProductInput & { slug: string }, productId: string, known: VariantRow[]): VariantRow[] {
  if (input.variants.length === 0 && known.length > 0) return known
  const given = input.variants.length > 0 ? input.variants : [{ options: {} }]
  return given.map((variant, position) => {
    const sku = skuOf(input.slug, variant)
    const options = JSON.stringify(variant.options)
    const before =
      known.find((each) => each.id === variant.id) ??
      known.find((each) => each.sku === sku) ??
      known.find((each) => JSON.stringify(each.options) === options)
    return {
      id: before?.id ?? variant.id ?? newId('variant'),
      productId,
      position,
      sku,
      options: variant.options,
      size: optionWithRole(variant.options, 'size') ?? null,
      color: optionWithRole(variant.options, 'color') ?? null,
      priceMinor: ownPrice(variant, input.price),
      compareAtMinor: variant.compareAtPrice?.amount ?? null,
      imageId: variant.imageId ?? null,
    }
  })
}

/** Sets quantities that were given, as movements of the difference. What is reserved stays reserved. */
async function setInventories(
  tx: Tx,
  input: ProductInput,
  variants: readonly VariantRow[],
  now: Date,
): Promise<ChangedStock[]> {
  const wanted = input.variants.flatMap((variant, index) => {
    const row = variants[index]
    return variant.inventory === undefined || !row ? [] : [{ variantId: row.id, inventory: variant.inventory }]
  })
  if (wanted.length === 0) return []
  const stock = await lockStock(
    tx,
    wanted.map((each) => each.variantId),
  )
  const movements = wanted.flatMap(({ variantId, inventory }) => {
    const row = stock.find((each) => each.variantId === variantId)
    const delta = row ? inventory - (row.onHand - row.reserved) : 0
    return delta === 0
      ? []
      : [{ variantId, onHandDelta: delta, reservedDelta: 0, kind: 'set' as const, reference: null }]
  })
  return moveStock(tx, movements, now)
}

function searchTexts(
  row: { title: string; tags: string[]; document: ProductDocument },
  input: ProductInput,
  variants: readonly VariantRow[],
): SearchTexts {
  return {
    heavy: row.title,
    medium: [row.document.subtitle, ...row.tags, ...input.categories, ...variants.map((each) => each.sku)].join(' '),
    light: row.document.description,
  }
}

/** Whether saving failed because an address or a SKU was taken in this very moment. */
export function isTaken(error: unknown): boolean {
  const constraint = violatedConstraint(error)
  return constraint === 'products_slug_key' || constraint === 'variants_sku_key'
}
