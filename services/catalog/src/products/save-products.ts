import { isDeepStrictEqual } from 'node:util'
import { violatedConstraint } from '@storefront/postgres'
import { inOptionOrder, newId, type ProductInput, type VariantInput } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import type { WithdrawnVariant } from '../price-projection/price-projection.ts'
import { setQuantities, type WantedQuantity } from '../stock/set-quantities.ts'
import { openStock, type StockLevel } from '../stock/stock.queries.ts'
import { publishChanged } from './bulk-events.ts'
import { chooseSkus, type VariantsToName } from './choose-skus.ts'
import { assertNoStockDropped, findStockById, type DroppedVariant } from './dropped-variants.ts'
import { findFormerIds, type AddedVariant, type FormerId } from './former-ids.ts'
import { matchVariants } from './match-variants.ts'
import { documentOf, fingerprintOf, ownCompareAt, ownPrice, priceOf } from './product.ts'
import { namesOf, optionWithRole } from './product-options.ts'
import {
  replaceCategories,
  saveFormerSlugs,
  saveMerchantListings,
  upsertProducts,
  type NewProductRow,
  type ProductRow,
  type UpsertedProduct,
} from './products.queries.ts'
import { findVariantsOf, replaceVariants, type VariantRow } from './variants.queries.ts'

/** A product as a merchant wrote it, with its slug and its locked stored row. */
export interface ProductToSave {
  input: ProductInput
  slug: string
  before: ProductRow | undefined
}

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

/** A product whose given variants were matched with stored ones; without given variants they stay the same. */
interface Matched extends ProductToSave {
  id: string
  variants: { given: VariantInput; before: VariantRow | undefined }[]
  stored: readonly VariantRow[]
  /** Stored variants that it no longer has. */
  dropped: readonly VariantRow[]
}

interface Prepared {
  id: string
  row: NewProductRow
  input: ProductInput
  variants: VariantRow[]
  before: ProductRow | undefined
  storedIds: ReadonlySet<string>
  /** Stored variants that it no longer has. */
  dropped: readonly VariantRow[]
  isChanged: boolean
  skusChanged: boolean
  /** Whether neither the product nor any of its variants may have existed before. */
  isNew: boolean
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
  const matched = products.map((product) => match(product, knownVariants))
  const skus = await chooseSkus(tx, matched.map(variantsToName), context.reservedSkus ?? new Set())
  const formerId = await findFormerIds(
    tx,
    matched.flatMap((product, index) => returningVariants(product, skus[index] ?? [])),
  )
  const prepared = matched.map((product, index) => prepare(product, skus[index] ?? [], formerId, context))
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

/** A variant keeps its id when it is sent with it, with its SKU, or with the same options. */
function match(product: ProductToSave, knownVariants: ReadonlyMap<string, VariantRow[]>): Matched {
  const { input, before } = product
  const id = before?.id ?? input.id ?? newId('product')
  const stored = knownVariants.get(id) ?? []
  if (input.variants.length === 0 && stored.length > 0) return { ...product, id, variants: [], stored, dropped: [] }
  const given = input.variants.length > 0 ? input.variants : [{ options: {} }]
  const matches = matchVariants(given, stored)
  const variants = given.map((each, place) => ({ given: each, before: matches[place] }))
  const kept = new Set(matches)
  const optionNames = namesOf(before?.document.options ?? [])
  const dropped = stored
    .filter((each) => !kept.has(each))
    .map((each) => ({ ...each, options: inOptionOrder(each.options, optionNames) }))
  return { ...product, id, variants, stored, dropped }
}

/** Variants that may have been deleted before: new variants of an existing product that have no id. */
function returningVariants(
  { id: productId, variants, before: known }: Matched,
  skus: readonly string[],
): AddedVariant[] {
  return variants.flatMap(({ given, before }, place) => {
    const sku = skus[place]
    const mayReturn = known !== undefined && before === undefined && given.id === undefined
    const { options } = given
    return mayReturn && sku !== undefined ? [{ productId, sku, options, hasGeneratedSku: given.sku === undefined }] : []
  })
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

function variantsToName({ id, slug, variants, stored }: Matched): VariantsToName {
  return {
    productId: id,
    slug,
    variants: variants.map(({ given, before }) => ({ sku: given.sku ?? before?.sku, options: given.options })),
    stored: stored.map(({ sku }) => sku),
  }
}

function prepare(
  product: Matched,
  skus: readonly string[],
  formerId: FormerId,
  { currency, now }: SaveContext,
): Prepared {
  const { id, input, slug, before } = product
  const document = documentOf(input, before?.document)
  const variants = variantRows(product, skus, { formerId, optionNames: namesOf(document.options) })
  const row = {
    id,
    slug,
    title: input.title,
    published: input.published,
    document,
    priceMinor: priceOf(input),
    compareAtMinor: input.compareAtPrice?.amount ?? null,
    currency,
    tags: [...new Set(input.tags)],
    position: input.position ?? null,
    createdAt: input.createdAt === undefined ? (before?.createdAt ?? now) : new Date(input.createdAt),
  }
  const times = { publishAt: timeOf(input.publishAt), unpublishAt: timeOf(input.unpublishAt) }
  // Left out if there are no times, so that the fingerprint is the same as that of older versions.
  const schedule = times.publishAt || times.unpublishAt ? [times] : []
  const fingerprint = fingerprintOf([row, [...new Set(input.categories)].toSorted(), variants, ...schedule])
  return {
    id,
    row: { ...row, ...times, fingerprint, mayReturn: input.id !== undefined },
    input,
    variants,
    before,
    storedIds: new Set(product.stored.map((variant) => variant.id)),
    dropped: product.dropped,
    isChanged: before?.fingerprint !== fingerprint,
    skusChanged: before !== undefined && !isDeepStrictEqual(skusOf(product.stored), skusOf(variants)),
    isNew: before === undefined && input.id === undefined && input.variants.every((each) => each.id === undefined),
  }
}

function skusOf(variants: readonly VariantRow[]): Set<string> {
  return new Set(variants.map(({ sku }) => sku))
}

function timeOf(text: string | null | undefined): Date | null {
  return typeof text === 'string' ? new Date(text) : null
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

function variantRows(
  { id, input, variants, stored }: Matched,
  skus: readonly string[],
  { formerId, optionNames }: { formerId: FormerId; optionNames: readonly string[] },
): VariantRow[] {
  if (variants.length === 0) return [...stored]
  return variants.map(({ given, before }, position) => {
    const sku = skus[position] ?? ''
    const options = inOptionOrder(given.options, optionNames)
    return {
      id: before?.id ?? given.id ?? formerId(id, sku) ?? newId('variant'),
      productId: id,
      position,
      sku,
      options,
      priceMinor: ownPrice(given, input.price),
      compareAtMinor: ownCompareAt(given, input),
      imageId: given.imageId ?? null,
      color: optionWithRole(options, 'color') ?? null,
    }
  })
}

/** Whether saving failed because a concurrent write took the slug, SKU or id. */
export function isTaken(error: unknown): boolean {
  return TAKEN.has(violatedConstraint(error) ?? '')
}

const TAKEN = new Set(['products_slug_key', 'products_pkey', 'variants_sku_key', 'variants_pkey'])
