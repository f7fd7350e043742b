import { DAY_MS } from '@storefront/service'
import { createHash } from 'node:crypto'
import {
  latinSlug,
  newId,
  sameMoney,
  type Badge,
  type ImageInput,
  type Money,
  type ProductInput,
  type ProductOption,
  type VariantInput,
} from '@storefront/contracts'
import type { Issue } from '../errors.ts'
import { withKnownIds } from './image-ids.ts'
import { optionsOf } from './product-options.ts'

/** The stored document of a product besides its columns: the merchant's data, without derived fields. */
export interface ProductDocument
  extends
    Pick<ProductInput, 'subtitle' | 'description' | 'details' | 'care' | 'swatches' | 'badges'>,
    Given<Pick<ProductInput, 'fit' | 'fabric' | 'sizeChartId' | 'enrichment' | 'relatedSlugs'>> {
  options: ProductOption[]
  images: StoredImage[]
}

/** Fields without a value are left out of the document, not stored as null. */
type Given<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> | undefined }

export interface StoredImage {
  id: string
  url: string
  alt: string
  width: number
  height: number
  color?: string | undefined
}

/** The size of an image without one: portrait, as in the client's grid. */
const DEFAULT_IMAGE_SIZE = { width: 1200, height: 1500 }

export const NEW_FOR_DAYS = 30
/** Minimum units in thirty days of a best-seller. */
export const BESTSELLER_UNITS = 5
export const LOW_STOCK_UNITS = 5
/** Percent off from which a discount counts as a sale. */
export const MIN_DISCOUNT = 5

/** Makes a slug from a title: `Été en Lin` becomes `ete-en-lin`. */
export function slugOf(title: string): string {
  const slug = latinSlug(title)
  return slug === '' ? 'product' : slug
}

/**
 * Issues that a schema cannot detect: prices in a foreign currency, no price at all, the same SKU or id twice, and a
 * time of publication that is also the time of hiding.
 * @param path path of the product in the body, for example `products.3`; empty when it is the body
 */
export function faultsOf(product: ProductInput, currency: string, path: string): Issue[] {
  const issues = currencyFaultsOf(product, currency, path)
  if (!product.price && !product.variants.some((variant) => variant.price)) {
    issues.push({ path: below(path, 'price'), message: 'must be given, unless at least one variant has a price' })
  }
  const { publishAt, unpublishAt } = product
  if (publishAt && unpublishAt && Date.parse(publishAt) === Date.parse(unpublishAt)) {
    issues.push({ path: below(path, 'unpublishAt'), message: 'must not be the time of publishAt' })
  }
  for (const name of ['sku', 'id'] as const) {
    const seen = new Set<string>()
    product.variants.forEach(({ [name]: value }, index) => {
      if (value !== undefined && seen.has(value)) {
        const message = 'is already used by another variant of this product'
        issues.push({ path: below(path, `variants.${index}.${name}`), message })
      }
      if (value !== undefined) seen.add(value)
    })
  }
  return issues
}

/** Prices in another currency than the shop's. */
export function currencyFaultsOf(product: ProductInput, currency: string, path: string): Issue[] {
  const issues: Issue[] = []
  const checkCurrency = (price: Money | null | undefined, where: string): void => {
    if (price && price.currency !== currency) {
      issues.push({ path: below(path, where), message: `must be in ${currency}, the currency of the store` })
    }
  }
  checkCurrency(product.price, 'price')
  checkCurrency(product.compareAtPrice, 'compareAtPrice')
  product.variants.forEach((variant, index) => {
    checkCurrency(variant.price, `variants.${index}.price`)
    checkCurrency(variant.compareAtPrice, `variants.${index}.compareAtPrice`)
  })
  return issues
}

/** Categories and a size chart that do not exist. */
export function referenceFaultsOf(
  { categories, sizeChartId }: { categories: readonly string[]; sizeChartId: string | undefined },
  known: { categories: ReadonlySet<string>; sizeCharts: ReadonlySet<string> },
  path: string,
): Issue[] {
  return [
    ...categories
      .filter((slug) => !known.categories.has(slug))
      .map((slug) => ({ path: below(path, 'categories'), message: `there is no category ${slug}` })),
    ...(sizeChartId !== undefined && !known.sizeCharts.has(sizeChartId)
      ? [{ path: below(path, 'sizeChartId'), message: `there is no size chart ${sizeChartId}` }]
      : []),
  ]
}

export function below(path: string, where: string): string {
  return path === '' ? where : `${path}.${where}`
}

/** The price that the merchant set; if only variants have prices, the lowest of them. */
export function priceOf(product: ProductInput): number {
  if (product.price) return product.price.amount
  return Math.min(...product.variants.flatMap((variant) => (variant.price ? [variant.price.amount] : [])))
}

/** Stored data of a product, kept where a merchant leaves a field out. */
type KnownDocument = Pick<ProductDocument, 'images' | 'options'>

/** Adds fields that a merchant may leave out, so that every stored product has a valid response. */
export function documentOf(product: ProductInput, known: KnownDocument | undefined): ProductDocument {
  const { subtitle, description, details, care, swatches, badges } = product
  const former = known?.images ?? []
  return {
    subtitle,
    description,
    details,
    care,
    options: optionsOf(product, known?.options),
    swatches,
    badges: badges.filter((badge) => badge === 'new' || badge === 'bestseller'),
    images: withKnownIds(product.images, former).map((image) => storedImage(image, product.title, former)),
    ...fitOf(product.fit),
    ...(product.fabric && { fabric: product.fabric }),
    ...(typeof product.sizeChartId === 'string' && { sizeChartId: product.sizeChartId }),
    ...(product.enrichment && { enrichment: product.enrichment }),
    ...(product.relatedSlugs && { relatedSlugs: product.relatedSlugs }),
  }
}

/** The part of the fit block that a merchant sets: not the answers of buyers. It may be empty. */
function fitOf(fit: ProductInput['fit']): Pick<ProductDocument, 'fit'> {
  const { verdict, note, model } = fit ?? {}
  if (verdict === undefined && note === undefined && model === undefined) return {}
  return { fit: { verdict, note, model } }
}

/** An image without a size keeps that of the image with the same address, so that a repeated save changes nothing. */
function storedImage(image: ImageInput, title: string, known: readonly StoredImage[]): StoredImage {
  const before = known.find((other) => other.url === image.url)
  return {
    id: image.id ?? newId('image'),
    url: image.url,
    alt: image.alt ?? title,
    width: image.width ?? before?.width ?? DEFAULT_IMAGE_SIZE.width,
    height: image.height ?? before?.height ?? DEFAULT_IMAGE_SIZE.height,
    ...(typeof image.color === 'string' && { color: image.color }),
  }
}

export const MAX_SKU_LENGTH = 100

/** The SKU of a variant without one: the slug and its options, in capitals. */
export function skuOf(slug: string, options: Record<string, string>): string {
  return [slug, ...Object.values(options).map(slugOf)].join('-').toUpperCase().slice(0, MAX_SKU_LENGTH)
}

/** Appends a number to a SKU that is taken, such as when options consist of letters that a SKU cannot have. */
export function freeSku(made: string, taken: Set<string>): string {
  let sku = made
  // Leaves room for a hyphen and four digits: a product has a thousand variants at most.
  for (let number = 2; taken.has(sku); number++) sku = `${made.slice(0, MAX_SKU_LENGTH - 5)}-${number}`
  taken.add(sku)
  return sku
}

/** Independent of the order of keys, which JSON in the database does not keep. */
export function fingerprintOf(value: unknown): string {
  return createHash('sha1').update(JSON.stringify(value, withKeysInOrder)).digest('base64url')
}

function withKeysInOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // Pairs, because an object would put keys that look like numbers first.
  return Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

interface BadgeFacts {
  pinned: readonly Badge[]
  createdAt: Date
  now: Date
  priceMinor: number
  compareAtMinor: number | null
  /** The available units of all variants. */
  units: number
  isBestseller: boolean
}

export function isNew(createdAt: Date, now: Date): boolean {
  return now.getTime() - createdAt.getTime() < NEW_FOR_DAYS * DAY_MS
}

/** @param bestsellerUnits units from which a product is among the best-selling tenth; null before they were ranked */
export function isBestseller(unitsSold: number, bestsellerUnits: number | null): boolean {
  return bestsellerUnits !== null && unitsSold >= bestsellerUnits
}

/** Badges follow from facts; a merchant may pin `new` and `bestseller`. */
export function badgesOf(facts: BadgeFacts): Badge[] {
  const badges: Badge[] = []
  if (facts.pinned.includes('new') || isNew(facts.createdAt, facts.now)) badges.push('new')
  if (isSale(facts.priceMinor, facts.compareAtMinor)) badges.push('sale')
  if (facts.pinned.includes('bestseller') || facts.isBestseller) badges.push('bestseller')
  if (facts.units === 0) badges.push('sold-out')
  else if (facts.units <= LOW_STOCK_UNITS) badges.push('low-stock')
  return badges
}

export function isSale(priceMinor: number, compareAtMinor: number | null): boolean {
  if (compareAtMinor === null || compareAtMinor <= priceMinor) return false
  return (compareAtMinor - priceMinor) * 100 >= MIN_DISCOUNT * compareAtMinor
}

/** Whether a variant's price is its own: the product's price does not apply to it. */
export function ownPrice(variant: VariantInput, productPrice: Money | undefined): number | null {
  if (!variant.price) return null
  if (variant.priceOverride === true) return variant.price.amount
  return productPrice && sameMoney(variant.price, productPrice) ? null : variant.price.amount
}

/** A variant's own compare-at price; null if it has both prices of the product. */
export function ownCompareAt(
  variant: VariantInput,
  product: Pick<ProductInput, 'price' | 'compareAtPrice'>,
): number | null {
  const { compareAtPrice } = variant
  if (!compareAtPrice) return null
  const isShared = ownPrice(variant, product.price) === null && sameMoney(compareAtPrice, product.compareAtPrice)
  return isShared ? null : compareAtPrice.amount
}
