import { isDeepStrictEqual } from 'node:util'
import type { ProductInput, VariantInput } from '@storefront/contracts'
import { matchVariants } from '../products/match-variants.ts'
import { documentOf, ownCompareAt, ownPrice, priceOf } from '../products/product.ts'
import type { RawProduct } from '../products/raw-product.ts'

/** Fields of a stored product that saving this input under this slug would change, by their names in the input. */
export function differingFields(input: ProductInput, slug: string, stored: RawProduct): string[] {
  const currency = stored.price?.currency
  const { images, ...document } = documentOf(input, stored)
  const wanted: Record<string, unknown> = {
    ...document,
    images,
    slug,
    title: input.title,
    price: input.price ?? (currency === undefined ? undefined : { amount: priceOf(input), currency }),
    compareAtPrice: input.compareAtPrice,
    categories: [...new Set(input.categories)].toSorted(),
    tags: [...new Set(input.tags)],
    published: input.published,
    publishAt: timeText(input.publishAt),
    unpublishAt: timeText(input.unpublishAt),
    position: input.position ?? null,
    createdAt: input.createdAt === undefined ? stored.createdAt : new Date(input.createdAt).toISOString(),
  }
  const { id: _id, variants, ...known } = stored
  const before: Record<string, unknown> = { ...known, categories: stored.categories.toSorted() }
  return [
    ...[...new Set([...Object.keys(wanted), ...Object.keys(before)])].filter(
      (name) => !isDeepStrictEqual(plain(wanted[name]), plain(before[name])),
    ),
    ...(variantsDiffer(input, variants) ? ['variants'] : []),
  ]
}

function timeText(time: string | null | undefined): string | undefined {
  return typeof time === 'string' ? new Date(time).toISOString() : undefined
}

/** Variants are matched as when they are saved (save-products.ts). */
function variantsDiffer(input: ProductInput, known: readonly VariantInput[]): boolean {
  if (input.variants.length === 0) return false
  if (input.variants.length !== known.length) return true
  const matches = matchVariants(input.variants, known)
  return input.variants.some((variant, index) => {
    const before = known[index]
    if (!before || before !== matches[index]) return true
    const own = ownPrice(variant, input.price)
    const differs =
      (variant.sku ?? before.sku) !== before.sku ||
      !isDeepStrictEqual(plain(variant.options), plain(before.options)) ||
      own !== (before.price?.amount ?? null) ||
      ownCompareAt(variant, input) !== (before.compareAtPrice?.amount ?? null) ||
      (variant.imageId ?? null) !== (before.imageId ?? null)
    return differs || (variant.inventory !== undefined && variant.inventory !== before.inventory)
  })
}

/** The value after a round trip through JSON, without undefined members. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
