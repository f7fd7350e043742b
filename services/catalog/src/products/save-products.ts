import { violatedConstraint } from '@storefront/postgres'
import type { Tx } from '../database.ts'
import type { WithdrawnVariant } from '../price-projection/price-projection.ts'
import { setQuantities, type WantedQuantity } from '../stock/set-quantities.ts'
import { openStock, type StockLevel } from '../stock/stock.queries.ts'
import { publishChanged } from './bulk-events.ts'
import { chooseSkus } from './choose-skus.ts'
import { assertNoStockDropped, findStockById, type DroppedVariant } from './dropped-variants.ts'
import { findFormerIds } from './former-ids.ts'
import {
  matchProduct,
  prepareProduct,
  returningVariants,
  variantsToName,
  type Prepared,
  type ProductToSave,
} from './prepare-product.ts'
import {
  replaceCategories,
  saveFormerSlugs,
  saveMerchantListings,
  upsertProducts,
  type ProductRow,
  type UpsertedProduct,
} from './products.queries.ts'
import { findVariantsOf, replaceVariants } from './variants.queries.ts'

interface SavedProduct {
  id: string
  slug: string
  outcome: 'created' | 'updated' | 'unchanged'
  /** Whether it is new, or has changed in more than quantities. */
  isChanged: boolean
  /** Whether its SKUs have changed, by which it is found. */
  skusChanged: boolean
  formerSlug: string | undefined
  /** The current slug of the product that formerly had its slug. */
  formerOwner: string | null
  /** The variants that it no longer has. */
  removed: readonly WithdrawnVariant[]
}

interface SaveContext {
  currency: string
  now: Date
  /** Id of the merchant who sets quantities. */
  actor?: string | null
  /** Whether to publish an event for each product: a large import publishes one for all. */
  announces?: boolean
  /** SKUs of products that are saved later: generated SKUs must differ from them. */
  reservedSkus?: ReadonlySet<string>
  /** Whether variants that have stock or reservations may be left out. */
  mayDropStock?: boolean
  /** For a caller that locks and sets the stock itself, at the end of its transaction. */
  onUnsettled?: (stock: UnsettledStock) => void
}

interface UnsettledStock {
  quantities: readonly WantedQuantity[]
  /** Variants that may only be left out if they have neither stock nor reservations. */
  dropped: readonly DroppedVariant[]
}

/**
 * Saves products as a merchant wrote them: rows, variants, categories, stock, and events, in a fixed number of
 * statements. The responses are made by the caller.
 * @throws HttpError `variants_missing` when a variant with stock or reservations is left out and that was not allowed
 */
export async function saveProducts(
  tx: Tx,
  products: readonly ProductToSave[],
  context: SaveContext,
): Promise<SavedProduct[]> {
  if (products.length === 0) return []
  const known = products.flatMap(({ before }) => (before ? [before.id] : []))
  const knownVariants = Map.groupBy(await findVariantsOf(tx, known), (variant) => variant.productId)
  const matched = products.map((product) => matchProduct(product, knownVariants))
  const skus = await chooseSkus(tx, matched.map(variantsToName), context.reservedSkus ?? new Set())
  const formerId = await findFormerIds(
    tx,
    matched.flatMap((product, index) => returningVariants(product, skus[index] ?? [])),
  )
  const prepared = matched.map((product, index) => prepareProduct(product, skus[index] ?? [], formerId, context))
  const dropped = prepared.flatMap((product) => product.dropped)
  // All at once, before anything is written and in the order in which checkouts lock them.
  const given = prepared.filter(({ isNew }) => !isNew).flatMap(givenQuantities)
  const ids = [...dropped.map(({ id }) => id), ...given.map(({ variantId }) => variantId)]
  const stock = await findStockById(tx, ids, { locks: context.onUnsettled === undefined })
  const mustBeEmpty = context.mayDropStock === true ? [] : dropped
  assertNoStockDropped(mustBeEmpty, stock)
  const changed = prepared.filter((each) => each.isChanged)
  const upserted = await saveChanged(tx, changed, context)
  const quantities = given.filter((each) => differs(each, stock.get(each.variantId)))
  if (context.onUnsettled) context.onUnsettled({ quantities, dropped: mustBeEmpty })
  else await setQuantities(tx, quantities, context)
  const withNewQuantities = new Set(quantities.map((each) => each.productId))
  return prepared.map(({ id, row, before, dropped, isChanged, skusChanged }) => {
    const { version: factsVersion = 1, formerOwner = null } = upserted.get(id) ?? {}
    return {
      id,
      slug: row.slug,
      outcome: outcomeOf(before, isChanged || withNewQuantities.has(id)),
      isChanged,
      skusChanged,
      formerSlug: before && before.slug !== row.slug ? before.slug : undefined,
      formerOwner,
      removed: dropped.map((variant) => ({ variantId: variant.id, factsVersion })),
    }
  })
}

function outcomeOf(before: ProductRow | undefined, isUpdated: boolean): SavedProduct['outcome'] {
  if (!before) return 'created'
  return isUpdated ? 'updated' : 'unchanged'
}

/** Quantities that a merchant gave, by the ids of the variants. */
function givenQuantities({ id: productId, input, variants }: Prepared): (WantedQuantity & { productId: string })[] {
  return input.variants.flatMap(({ inventory }, index) => {
    const variantId = variants[index]?.id
    return inventory === undefined || variantId === undefined ? [] : [{ variantId, productId, inventory }]
  })
}

/** @param stock before the save; undefined for a new variant, which begins with its quantity */
function differs({ inventory }: WantedQuantity, stock: StockLevel | undefined): boolean {
  return stock !== undefined && inventory !== stock.onHand - stock.reserved
}

async function saveChanged(
  tx: Tx,
  changed: readonly Prepared[],
  { now, actor, announces = true }: SaveContext,
): Promise<ReadonlyMap<string, UpsertedProduct>> {
  if (changed.length === 0) return new Map()
  const upserted = await upsertProducts(
    tx,
    changed.map((each) => each.row),
  )
  const formerSlugs = changed.flatMap(({ id, row, before }) =>
    before && before.slug !== row.slug ? [{ slug: before.slug, productId: id }] : [],
  )
  await saveFormerSlugs(
    tx,
    formerSlugs,
    changed.flatMap(({ row, before }) => (before?.slug === row.slug ? [] : row.slug)),
  )
  await openStock(tx, changed.flatMap(stockOf), { actor, at: now })
  await replaceVariants(
    tx,
    changed.map(({ id, variants, storedIds, isNew }) => ({ productId: id, variants, storedIds, isNew })),
  )
  await replaceCategories(
    tx,
    changed.map(({ id, input, isNew }) => ({ productId: id, categories: input.categories, isNew })),
  )
  await saveMerchantListings(
    tx,
    changed.map((each) => each.id),
  )
  if (announces) {
    await publishChanged(
      tx,
      changed.map(({ id, row }) => ({ productId: id, slug: row.slug, version: upserted.get(id)?.version ?? 1 })),
      formerSlugs,
      now,
    )
  }
  return upserted
}

/** The quantity that each new variant begins with: the given one, or none. */
function stockOf({ input, variants, storedIds }: Prepared): { id: string; productId: string; inventory: number }[] {
  return variants.flatMap(({ id, productId }, index) =>
    storedIds.has(id) ? [] : [{ id, productId, inventory: input.variants[index]?.inventory ?? 0 }],
  )
}

/** Whether saving failed because a concurrent write took the slug, SKU or id. */
export function isTaken(error: unknown): boolean {
  return TAKEN.has(violatedConstraint(error) ?? '')
}

const TAKEN = new Set(['products_slug_key', 'products_pkey', 'variants_sku_key', 'variants_pkey'])
