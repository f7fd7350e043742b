import {
  PINNABLE_BADGES,
  ProductInput,
  sameMoney,
  type Badge,
  type Money,
  type ProductPatch,
  type VariantInput,
  type VariantPatch,
} from '@storefront/contracts'
import { withoutGeneratedOptions } from './generated-options.ts'
import { withKnownIds } from './image-ids.ts'
import { matchVariants } from './match-variants.ts'
import { shownImageId, storedImages } from './product-response.ts'

/** A product with only a title and defaults. */
export function emptyProduct(title: string): ProductInput {
  return ProductInput.parse({ title })
}

/**
 * Applies a merchant's change to a product. Fields that are left out stay the same, and so do fields that a client
 * sends back as it read them, with derived prices, badges and picture addresses.
 * @param product as it is stored. The result does not contain its quantities, because a sale may happen meanwhile
 * @param shown the badges that it currently shows
 */
export function changedProduct(
  product: ProductInput,
  patch: ProductPatch,
  { shown, publicUrl }: { shown: readonly Badge[]; publicUrl: string },
): ProductInput {
  const title = patch.title ?? product.title
  const sentImages = patch.images === undefined ? product.images : storedImages(patch.images ?? [], publicUrl)
  const ownImages = withKnownIds(sentImages, product.images)
  // An alt that is the same as the title was probably derived from it, and changes with it.
  const images = ownImages.map((image) => (image.alt === product.title ? { ...image, alt: title } : image))
  const sent = withoutGeneratedOptions(patch, product)
  const variants = sent.variants?.length
    ? changedVariants(product, sent.variants, images)
    : product.variants.map(({ inventory: _read, ...variant }) => variant)
  const relatedSlugs = given(patch.relatedSlugs, product.relatedSlugs, undefined)
  return {
    id: product.id,
    slug: patch.slug ?? product.slug,
    title,
    subtitle: given(patch.subtitle, product.subtitle, ''),
    description: given(patch.description, product.description, ''),
    details: given(patch.details, product.details, []),
    care: given(patch.care, product.care, []),
    price: priceAfter(product, patch, variants),
    compareAtPrice: given(patch.compareAtPrice, product.compareAtPrice, null),
    images,
    options: given(sent.options, product.options, []),
    swatches: given(patch.swatches, product.swatches, {}),
    variants,
    categories: given(patch.categories, product.categories, []),
    tags: given(patch.tags, product.tags, []),
    badges: pinnedAfter(product.badges, patch, shown),
    published: patch.published ?? product.published,
    publishAt: given(patch.publishAt, product.publishAt, undefined),
    unpublishAt: given(patch.unpublishAt, product.unpublishAt, undefined),
    createdAt: patch.createdAt ?? product.createdAt,
    position: given(patch.position, product.position, null),
    fit: given(patch.fit, product.fit, undefined),
    fabric: given(patch.fabric, product.fabric, undefined),
    sizeChartId: given(patch.sizeChartId, product.sizeChartId, undefined),
    enrichment: given(patch.enrichment, product.enrichment, undefined),
    relatedSlugs: relatedSlugs?.length ? relatedSlugs : undefined,
  }
}

function given<Value>(value: Value | null | undefined, kept: Value, reset: Value): Value {
  if (value === undefined) return kept
  return value === null ? reset : value
}

/**
 * `pinnedBadges` sets them explicitly. `badges` does not pin a badge that the product already shows: otherwise a client
 * that reads a product and sends it back would pin a temporary badge permanently.
 */
function pinnedAfter(pinned: readonly Badge[], patch: ProductPatch, shown: readonly Badge[]): Badge[] {
  if (patch.pinnedBadges !== undefined) return [...new Set(patch.pinnedBadges)]
  if (patch.badges === undefined) return [...pinned]
  const wanted = patch.badges ?? []
  return PINNABLE_BADGES.filter((badge) => wanted.includes(badge) && (pinned.includes(badge) || !shown.includes(badge)))
}

/** If the price was the lowest of the variants' own prices, it still is after the change. */
function priceAfter(product: ProductInput, patch: ProductPatch, variants: readonly VariantInput[]): Money | undefined {
  const price = patch.price ?? product.price
  const isChange = patch.price !== undefined && !same(patch.price, product.price)
  if (isChange || !patch.variants?.length || !variants.every((variant) => variant.price)) return price
  const own = product.variants.map((variant) => variant.price?.amount)
  const followed = own.every((amount) => amount !== undefined) && Math.min(...own) === product.price?.amount
  return followed && own.length > 0 ? undefined : price
}

/** @param images of the product after the change */
function changedVariants(
  product: ProductInput,
  wanted: readonly VariantPatch[],
  images: ProductInput['images'],
): VariantInput[] {
  const known = matchVariants(wanted, product.variants)
  return wanted.map((variant, index) => changedVariant(variant, known[index], product, images))
}

function changedVariant(
  variant: VariantPatch,
  known: VariantInput | undefined,
  product: ProductInput,
  images: ProductInput['images'],
): VariantInput {
  const price = variantPrice(variant, known, product)
  return {
    // The variant gets a new id, because one that this product does not have may be another product's.
    id: known?.id,
    sku: variant.sku ?? known?.sku,
    options: variant.options ?? known?.options ?? {},
    ...price,
    compareAtPrice: variantCompareAt(variant, known, product, price),
    inventory: variant.inventory,
    imageId: variantImageId(variant, known, images),
  }
}

/** A price equal to the displayed one is not a change: whether it is the variant's own stays the same. */
function variantPrice(
  { price, priceOverride }: VariantPatch,
  known: VariantInput | undefined,
  product: ProductInput,
): Pick<VariantInput, 'price' | 'priceOverride'> {
  const own = known?.price ? { price: known.price, priceOverride: true } : {}
  if (price === undefined) return own
  if (price === null) return {}
  if (!known || !same(price, known.price ?? product.price)) return { price, priceOverride }
  if (known.price) return priceOverride === false ? {} : own
  return priceOverride === true ? { price, priceOverride } : {}
}

function variantCompareAt(
  { compareAtPrice }: VariantPatch,
  known: VariantInput | undefined,
  product: ProductInput,
  { price }: Pick<VariantInput, 'price'>,
): Money | null | undefined {
  if (compareAtPrice === undefined) return known?.compareAtPrice
  const inherits = known !== undefined && !known.price && !known.compareAtPrice
  // A variant that gets its own price no longer has the product's compare-at price, so this one is its own as well.
  if (inherits && !price && same(compareAtPrice, product.compareAtPrice)) return undefined
  return compareAtPrice
}

/** A displayed default image does not become the variant's own, which would no longer follow the product's first. */
function variantImageId(
  { imageId }: VariantPatch,
  known: VariantInput | undefined,
  images: ProductInput['images'],
): string | null | undefined {
  if (imageId === null) return undefined
  if (imageId === undefined || (known && imageId === shownImageId(images, known.imageId))) return known?.imageId
  return imageId
}

function same(one: Money | null | undefined, other: Money | null | undefined): boolean {
  return sameMoney(one ?? null, other ?? null)
}
