import {
  HexColor,
  inOptionOrder,
  type FocalPoint,
  type Picture,
  type Product,
  type SizeChart,
  type Variant,
} from '@storefront/contracts'
import { PLACEHOLDER_PATH } from '../media/placeholder.ts'
import { uploadIn } from '../media/upload-in.ts'
import { choosableOptions } from './choosable-options.ts'
import { badgesOf, type StoredImage } from './product.ts'
import type { ProductFields, VariantFields } from './product-fields.ts'
import { namesOf } from './product-options.ts'
import { percentagesOf } from './percentages.ts'

/** Increment this when the stored responses change, so that every product is refreshed after the next start. */
const RESPONSE_FORMAT = 6

/** Differs between replicas that make different responses from the same data. */
export const responseFingerprint = (publicUrl: string): string => `${RESPONSE_FORMAT} ${publicUrl}`

/** Below this number fit answers are not meaningful and are left out. */
const MIN_FIT_SAMPLE = 5

const PLACEHOLDER_ID = 'placeholder'

export interface ResponseSource {
  product: Omit<ProductFields, 'position' | 'publishAt' | 'unpublishAt'>
  variants: (VariantFields & { inventory: number })[]
  categories: string[]
  leafCategories: string[]
  rating: { average: number; count: number }
  fitCounts: { small: number; true: number; large: number }
  social: { boughtLast30Days: number; savedCount: number }
  isBestseller: boolean
  sizeChart: SizeChart | undefined
  /** By the ids of uploaded pictures. */
  focalPoints: Readonly<Record<string, FocalPoint>>
  now: Date
  publicUrl: string
}

/**
 * Makes the two stored responses of a product, with options that let shoppers choose every variant. `item` is for lists
 * and does not contain the blocks that only the product page shows, which are most of the bytes. Both contain only leaf
 * categories.
 */
export function responsesOf(source: ResponseSource): { item: Product; page: Product } {
  const { item, page } = merchantRepliesOf(source)
  const choosable = choosableOptions({ options: item.options, variants: item.variants.map(({ options }) => options) })
  const variants = item.variants.map((variant, index) => ({
    ...variant,
    options: choosable.variants[index] ?? variant.options,
  }))
  const shown = { options: choosable.options, variants, categories: source.leafCategories }
  return { item: { ...item, ...shown }, page: { ...page, ...shown } }
}

/** The same, with the options and categories that the merchant wrote. */
export function merchantRepliesOf(source: ResponseSource): { item: Product; page: Product } {
  const { product, now } = source
  const { document } = product
  const money = (amount: number) => ({ amount, currency: product.currency })
  const units = source.variants.reduce((sum, variant) => sum + variant.inventory, 0)
  const images = imagesOf(document.images, product.title, source.publicUrl, source.focalPoints)
  const item: Product = {
    id: product.id,
    slug: product.slug,
    title: product.title,
    subtitle: document.subtitle,
    description: document.description,
    details: document.details,
    care: document.care,
    price: money(product.priceMinor),
    compareAtPrice: product.compareAtMinor === null ? null : money(product.compareAtMinor),
    images,
    options: document.options,
    swatches: shownSwatches(document.swatches),
    variants: source.variants.map((variant) => variantResponse(variant, product, images, money)),
    categories: source.categories,
    tags: product.tags,
    rating: source.rating,
    badges: badgesOf({
      pinned: document.badges,
      createdAt: product.createdAt,
      now,
      priceMinor: product.priceMinor,
      compareAtMinor: product.compareAtMinor,
      units,
      isBestseller: source.isBestseller,
    }),
    published: product.published,
    createdAt: product.createdAt.toISOString(),
    ...(document.sizeChartId !== undefined && { sizeChartId: document.sizeChartId }),
  }
  const fit = fitRating(source)
  const page: Product = {
    ...item,
    ...(fit && { fit }),
    ...(document.fabric && { fabric: { ...document.fabric, composition: document.fabric.composition ?? [] } }),
    ...(source.sizeChart && { sizeChart: source.sizeChart }),
    social: { unitsAvailable: units, ...source.social },
    ...(document.enrichment && { enrichment: document.enrichment }),
  }
  return { item, page }
}

function variantResponse(
  variant: ResponseSource['variants'][number],
  product: ResponseSource['product'],
  images: Product['images'],
  money: (amount: number) => { amount: number; currency: string },
): Variant {
  const inherited = variant.priceMinor === null ? product.compareAtMinor : null
  const compareAt = variant.compareAtMinor ?? inherited
  return {
    id: variant.id,
    sku: variant.sku,
    options: inOptionOrder(variant.options, namesOf(product.document.options)),
    price: money(variant.priceMinor ?? product.priceMinor),
    compareAtPrice: compareAt === null ? null : money(compareAt),
    inventory: variant.inventory,
    available: variant.inventory > 0,
    imageId: shownImageId(images, variant.imageId),
  }
}

/** The image that a merchant gave a variant, or the first of the product's if it no longer exists. */
export function shownImageId(images: readonly { id?: string | undefined }[], given: string | null | undefined): string {
  return images.find(({ id }) => id !== undefined && id === given)?.id ?? images[0]?.id ?? PLACEHOLDER_ID
}

/** The valid swatches: before colors were validated, any text could be stored. */
export function shownSwatches(swatches: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(swatches).filter(([, color]) => HexColor.safeParse(color).success))
}

/** A product always gets a picture, because the client would reject the whole list otherwise. */
export function imagesOf(
  images: readonly StoredImage[],
  title: string,
  publicUrl: string,
  focalPoints: ResponseSource['focalPoints'] = {},
) {
  if (images.length === 0) {
    return [
      { id: PLACEHOLDER_ID, url: absoluteUrl(PLACEHOLDER_PATH, publicUrl), alt: title, width: 1200, height: 1500 },
    ]
  }
  return images.map(({ color, ...image }) => {
    const focalPoint = focalPoints[uploadIn(image.url) ?? '']
    return {
      ...image,
      url: absoluteUrl(image.url, publicUrl),
      ...(color !== undefined && { color }),
      ...(focalPoint && { focalPoint }),
    }
  })
}

/** Pictures on this server are stored as paths, so that a shop can move to another address. */
export function absoluteUrl(url: string, publicUrl: string): string {
  return url.startsWith('/') ? `${publicUrl}${url}` : url
}

/** The picture of a category or collection as clients get it; without one, the placeholder with its name. */
export function shownPicture(stored: Picture | null, name: string, publicUrl: string): Picture {
  const { url, alt } = stored ?? { url: PLACEHOLDER_PATH, alt: name }
  return { url: absoluteUrl(url, publicUrl), alt }
}

/** The inverse of absoluteUrl: the stored form of a picture's address. */
export function storedUrl(url: string, publicUrl: string): string {
  return url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url
}

/** The stored form of images that a merchant read and sends back. */
export function storedImages<Sent extends { id?: string | undefined; url: string }>(
  images: readonly Sent[],
  publicUrl: string,
): Sent[] {
  return images
    .filter(({ id, url }) => id !== PLACEHOLDER_ID || url !== absoluteUrl(PLACEHOLDER_PATH, publicUrl))
    .map((image) => ({ ...image, url: storedUrl(image.url, publicUrl) }))
}

function fitRating({ product, fitCounts }: ResponseSource): Product['fit'] {
  const sample = fitCounts.small + fitCounts.true + fitCounts.large
  if (sample < MIN_FIT_SAMPLE) return product.document.fit
  const [small = 0, fits = 0, large = 0] = percentagesOf([fitCounts.small, fitCounts.true, fitCounts.large])
  return { ...product.document.fit, feedback: { small, true: fits, large }, sample }
}
