import type { components } from '@storefront/client'
import { readAmount, readCount, readMoney } from '../../../parts/amounts.ts'
import { isSame } from '../../../parts/is-same.ts'
import type { ProductForm, VariantRow } from './product-form.ts'

type VariantPatch = NonNullable<components['schemas']['ProductPatchInput']['variants']>[number]

/**
 * The whole list of variants, each with what was changed.
 * @returns undefined when none was added, removed, moved or changed; the stock of saved ones has its own requests
 */
export function changedVariants(form: ProductForm, before: ProductForm, currency: string): VariantPatch[] | undefined {
  const known = new Map(before.variants.map((row) => [row.id, row]))
  const patches = form.variants.map((row) =>
    variantPatch(row, row.id === undefined ? undefined : known.get(row.id), currency),
  )
  const isSameList =
    form.variants.length === before.variants.length &&
    form.variants.every((row, index) => row.id === before.variants[index]?.id)
  const isUntouched = patches.every((patch) =>
    Object.keys(patch).every((name) => name === 'id' || isEmpty(patch, name)),
  )
  return isSameList && isUntouched ? undefined : patches
}

/** A new product without options has one variant, whose empty options need not be sent. */
function isEmpty(patch: VariantPatch, name: string): boolean {
  return name === 'options' && patch.id === undefined && Object.keys(patch.options ?? {}).length === 0
}

function variantPatch(row: VariantRow, before: VariantRow | undefined, currency: string): VariantPatch {
  const { id } = row
  if (id === undefined || before === undefined) return newVariant(row, currency)
  const amount = (text: string): number | undefined => readAmount(text, currency)
  return {
    id,
    ...(row.sku.trim() !== before.sku && { sku: row.sku.trim() }),
    ...(!isSame(row.options, before.options) && { options: { ...row.options } }),
    ...(amount(row.price) !== amount(before.price) && ownPrice(row.price, currency)),
    ...(amount(row.compareAtPrice) !== amount(before.compareAtPrice) && {
      compareAtPrice: readMoney(row.compareAtPrice, currency) ?? null,
    }),
    ...(row.imageId !== before.imageId && { imageId: row.imageId === '' ? null : row.imageId }),
  }
}

function newVariant(row: VariantRow, currency: string): VariantPatch {
  const stock = readCount(row.stock)
  return {
    options: { ...row.options },
    ...(row.sku.trim() !== '' && { sku: row.sku.trim() }),
    ...(row.price.trim() !== '' && ownPrice(row.price, currency)),
    ...(row.compareAtPrice.trim() !== '' && { compareAtPrice: readMoney(row.compareAtPrice, currency) ?? null }),
    ...(stock !== undefined && { inventory: stock }),
    ...(row.imageId !== '' && { imageId: row.imageId }),
  }
}

/** A price that is typed is the variant's own, even while that of the product is the same. */
function ownPrice(text: string, currency: string): Pick<VariantPatch, 'price' | 'priceOverride'> {
  const price = readMoney(text, currency)
  return price ? { price, priceOverride: true } : { price: null }
}

export interface StockChange {
  key: string
  id: string
  quantity: number
  /** The difference from the stock that was shown. */
  delta: number
}

/** Saved variants whose stock was changed. */
export function stockChanges(form: ProductForm, before: ProductForm): StockChange[] {
  const known = new Map(before.variants.map(({ id, stock }) => [id, stock]))
  return form.variants.flatMap(({ key, id, stock }) => {
    const quantity = readCount(stock)
    if (id === undefined || quantity === undefined || !known.has(id)) return []
    const delta = quantity - (readCount(known.get(id) ?? '') ?? 0)
    return delta === 0 ? [] : [{ key, id, quantity, delta }]
  })
}

/**
 * The form that undoes a save. Stock differs from the present one by what the save added, and not at all where it added
 * nothing: units may have been sold since the product was read.
 * @param now the form of the saved product
 * @param added the units that the save added, by the ids of the variants
 */
export function undoneForm(before: ProductForm, now: ProductForm, added: ReadonlyMap<string, number>): ProductForm {
  const present = new Map(now.variants.map(({ id, stock }) => [id, readCount(stock)]))
  const variants = before.variants.map((row) => {
    const stock = present.get(row.id)
    return stock === undefined ? row : { ...row, stock: String(stock - (added.get(row.id ?? '') ?? 0)) }
  })
  return { ...before, variants }
}

/** Saved variants that are no longer in the form. */
export function removedVariants(form: ProductForm, before: ProductForm): VariantRow[] {
  const kept = new Set(form.variants.map(({ id }) => id))
  return before.variants.filter(({ id }) => !kept.has(id))
}
