import { isDeepStrictEqual } from 'node:util'
import { inOptionOrder, newId, type ProductInput, type VariantInput } from '@storefront/contracts'
import type { VariantsToName } from './choose-skus.ts'
import type { AddedVariant, FormerId } from './former-ids.ts'
import { matchVariants } from './match-variants.ts'
import { documentOf, fingerprintOf, ownCompareAt, ownPrice, priceOf } from './product.ts'
import { namesOf, optionWithRole } from './product-options.ts'
import type { NewProductRow, ProductRow } from './products.queries.ts'
import type { VariantRow } from './variants.queries.ts'

/** A product as a merchant wrote it, with its slug and its locked stored row. */
export interface ProductToSave {
  input: ProductInput
  slug: string
  before: ProductRow | undefined
}

/** A product whose given variants were matched with stored ones; without given variants they stay the same. */
export interface Matched extends ProductToSave {
  id: string
  variants: { given: VariantInput; before: VariantRow | undefined }[]
  stored: readonly VariantRow[]
  /** Stored variants that it no longer has. */
  dropped: readonly VariantRow[]
}

export interface Prepared {
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

/** A variant keeps its id when it is sent with it, with its SKU, or with the same options. */
export function matchProduct(product: ProductToSave, knownVariants: ReadonlyMap<string, VariantRow[]>): Matched {
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
export function returningVariants(
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

/** What `chooseSkus` needs to know of it. */
export function variantsToName({ id, slug, variants, stored }: Matched): VariantsToName {
  return {
    productId: id,
    slug,
    variants: variants.map(({ given, before }) => ({ sku: given.sku ?? before?.sku, options: given.options })),
    stored: stored.map(({ sku }) => sku),
  }
}

/** The rows of a product, and how they differ from those that are stored. */
export function prepareProduct(
  product: Matched,
  skus: readonly string[],
  formerId: FormerId,
  { currency, now }: { currency: string; now: Date },
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
