import type { ProductInput } from '@storefront/contracts'
import type { RawProduct } from '../products/raw-product.ts'
import { sharedPrices } from './shared-prices.ts'

type StoredVariant = RawProduct['variants'][number]

/** Completes the variants of a file from the stored variants with the same SKUs. */
export function completedVariants(input: ProductInput, keeps: readonly string[], stored: RawProduct): ProductInput {
  const bySku = new Map(stored.variants.map((variant) => [variant.sku, variant]))
  const known = input.variants.map(({ sku }) => bySku.get(sku ?? ''))
  const withImages = keeps.includes('variants.imageId') ? withVariantImages(input, known) : input
  const withOptions = keeps.includes('variants.options') ? withStoredOptions(withImages, known, stored) : withImages
  return keeps.includes('variants.compareAtPrice') ? withCompareAtPrices(withOptions, known, stored) : withOptions
}

type Known = readonly (StoredVariant | undefined)[]

function withVariantImages(input: ProductInput, known: Known): ProductInput {
  const pictures = new Set(input.images.map(({ id }) => id))
  const variants = input.variants.map((variant, index) => {
    const imageId = known[index]?.imageId
    return typeof imageId === 'string' && pictures.has(imageId) ? { ...variant, imageId } : variant
  })
  return { ...input, variants }
}

/** If there is a new variant, which has no option values, the product has no options, as in the file. */
function withStoredOptions(input: ProductInput, known: Known, stored: RawProduct): ProductInput {
  const found = known.filter((variant) => variant !== undefined)
  if (found.length < known.length) return input
  const variants = input.variants.map((variant, index) => ({ ...variant, options: found[index]?.options ?? {} }))
  return { ...input, options: stored.options, variants }
}

/** A price that reaches the compare-at price ends the sale. */
function withCompareAtPrices(input: ProductInput, known: Known, stored: RawProduct): ProductInput {
  const { price: lowest } = input
  if (!lowest) return input
  const priced = input.variants.map(({ price }, index) => {
    const priceMinor = (price ?? lowest).amount
    const former = formerPriceOf(known[index], stored)
    const isLower = former?.currency === lowest.currency && priceMinor < former.amount
    return { priceMinor, compareAtMinor: isLower ? former.amount : undefined }
  })
  if (priced.every(({ compareAtMinor }) => compareAtMinor === undefined)) return input
  const { own, ...prices } = sharedPrices(priced, lowest.currency)
  const variants = input.variants.map(({ price: _price, priceOverride: _override, ...variant }, index) => ({
    ...variant,
    ...own[index],
  }))
  return { ...input, ...prices, variants }
}

/** A variant with its own price does not have the compare-at price of its product. */
function formerPriceOf(variant: StoredVariant | undefined, stored: RawProduct) {
  if (!variant?.price) return variant && (variant.compareAtPrice ?? stored.compareAtPrice)
  return variant.compareAtPrice
}
