import { isDeepStrictEqual } from 'node:util'
import { sameMoney, type BulkEditFields, type Money, type ProductPatch } from '@storefront/contracts'

/** The part of a product that bulk edits read and change. Variants without their own prices may be left out. */
export interface EditableProduct {
  id: string
  title: string
  price?: Money | undefined
  compareAtPrice: Money | null
  published: boolean
  tags: string[]
  categories: string[]
  variants: EditableVariant[]
}

export interface EditableVariant {
  id: string
  sku: string
  /** The variant's own price; null or undefined when it has the price of the product. */
  price?: Money | null | undefined
  compareAtPrice?: Money | null | undefined
}

/** The fields that differ between two states of a product, in both states. */
export interface Edit {
  before: BulkEditFields
  after: BulkEditFields
}

/** @returns undefined when they are the same */
export function differencesOf(before: EditableProduct, after: EditableProduct): Edit | undefined {
  const fields = fieldsUnlike(after, before)
  return Object.keys(fields).length === 0 ? undefined : { before: fieldsUnlike(before, after), after: fields }
}

function fieldsUnlike(product: EditableProduct, other: EditableProduct): BulkEditFields {
  const { price, compareAtPrice, published, tags, categories } = product
  const others = new Map(other.variants.map((variant) => [variant.id, variant]))
  const variants = product.variants.filter((variant) => !haveSamePrices(variant, others.get(variant.id)))
  return {
    ...(price && !sameMoney(price, other.price ?? null) && { price }),
    ...(!sameMoney(compareAtPrice, other.compareAtPrice) && { compareAtPrice }),
    ...(published !== other.published && { published }),
    ...(!isDeepStrictEqual(tags, other.tags) && { tags }),
    ...(!isDeepStrictEqual(categories, other.categories) && { categories }),
    ...(variants.length > 0 && { variants: variants.map(priced) }),
  }
}

/** A variant that the other state does not have counts as unchanged. */
function haveSamePrices(one: EditableVariant, other: EditableVariant = one): boolean {
  return (
    sameMoney(one.price ?? null, other.price ?? null) &&
    sameMoney(one.compareAtPrice ?? null, other.compareAtPrice ?? null)
  )
}

function priced({ id, sku, price, compareAtPrice }: EditableVariant): NonNullable<BulkEditFields['variants']>[number] {
  return { id, sku, price: price ?? null, compareAtPrice: compareAtPrice ?? null }
}

/** The current values of the fields that an edit has changed. A variant that no longer exists is left out. */
function currentFields(product: EditableProduct, changed: BulkEditFields): BulkEditFields {
  const variants = new Map(product.variants.map((variant) => [variant.id, variant]))
  return {
    ...(changed.price && product.price && { price: product.price }),
    ...(changed.compareAtPrice !== undefined && { compareAtPrice: product.compareAtPrice }),
    ...(changed.published !== undefined && { published: product.published }),
    ...(changed.tags && { tags: product.tags }),
    ...(changed.categories && { categories: product.categories }),
    ...(changed.variants && {
      variants: changed.variants.flatMap(({ id, sku }) => {
        const variant = variants.get(id)
        return variant ? [priced({ ...variant, sku })] : []
      }),
    }),
  }
}

/**
 * Decides what an undo does to a product.
 * @param edit the changes that the bulk edit made
 * @returns the fields to write; `unchanged` when the product already has its former values; `changed-since` when one of
 * the fields no longer has the value that the bulk edit gave it
 */
export function undoneFields(product: EditableProduct, edit: Edit): BulkEditFields | 'unchanged' | 'changed-since' {
  const current = currentFields(product, edit.after)
  if (isDeepStrictEqual(current, edit.before)) return 'unchanged'
  return isDeepStrictEqual(current, edit.after) ? edit.before : 'changed-since'
}

/** The change that a merchant would send to give a product these fields. */
export function patchOf(
  { variants }: Pick<EditableProduct, 'variants'>,
  { variants: edited, ...fields }: BulkEditFields,
): ProductPatch {
  if (!edited) return fields
  const byId = new Map(edited.map((variant) => [variant.id, variant]))
  return { ...fields, variants: variants.map(({ id }) => ({ id, ...pricesOf(byId.get(id)) })) }
}

function pricesOf(edited: Pick<EditableVariant, 'price' | 'compareAtPrice'> | undefined) {
  if (!edited) return {}
  const { price, compareAtPrice } = edited
  // A variant keeps its own price even when it is the same as that of the product.
  return { price, compareAtPrice, ...(price && { priceOverride: true }) }
}
