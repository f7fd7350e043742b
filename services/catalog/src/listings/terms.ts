import { optionWithRole } from '../products/product.ts'

/** Listings a bitmap chunk holds; the database's bit(2048). */
export const CHUNK_SIZE = 2048
/** Binary digits of a price; the largest price a product may have, 10^10 minor units, needs all of them. */
export const PRICE_SLICES = 34

/** Names of what a listing can be filtered by. Each is a bitmap (docs/decisions/0011). */
export const term = {
  everything: 'all',
  inStock: 'in-stock',
  category: (slug: string) => `category:${slug}`,
  collection: (slug: string) => `collection:${slug}`,
  tag: (tag: string) => `tag:${tag}`,
  color: (color: string) => `color:${color}`,
  /** A colour with the hex it is shown in, for facets only. */
  swatch: (color: string, hex: string) => `swatch:${JSON.stringify([color, hex])}`,
  /** A size that exists, sold out or not: for facets only. */
  size: (size: string) => `size:${size}`,
  availableSize: (size: string) => `available:${size}`,
  /** An available variant that has both. */
  availablePair: (size: string, color: string) => `pair:${JSON.stringify([size, color])}`,
  priceSlice: (place: number) => `price:${place}`,
}

/** Terms that come and go with stock, and never because a merchant changed a product. */
export function isAboutStock(name: string): boolean {
  return name === term.inStock || name.startsWith('available:') || name.startsWith('pair:')
}

export const FALLBACK_HEX = '#cccccc'

export interface TermSource {
  /** Slugs of the product's categories and of everything above them. */
  branch: readonly string[]
  collections: readonly string[]
  tags: readonly string[]
  priceMinor: number
  swatches: Readonly<Record<string, string>>
  variants: readonly { options: Record<string, string>; inventory: number }[]
}

/** All terms of a product, each once, in order. */
export function termsOf(source: TermSource): string[] {
  const terms = new Set<string>([
    term.everything,
    ...source.branch.map(term.category),
    ...source.collections.map(term.collection),
    ...source.tags.map(term.tag),
    ...priceSlices(source.priceMinor),
  ])
  for (const { options, inventory } of source.variants) {
    const size = optionWithRole(options, 'size')
    const color = optionWithRole(options, 'color')
    if (size !== undefined) terms.add(term.size(size))
    if (color !== undefined) {
      terms.add(term.color(color))
      const hex = Object.hasOwn(source.swatches, color) ? source.swatches[color] : undefined
      terms.add(term.swatch(color, hex ?? FALLBACK_HEX))
    }
    if (inventory <= 0) continue
    terms.add(term.inStock)
    if (size !== undefined) terms.add(term.availableSize(size))
    if (size !== undefined && color !== undefined) terms.add(term.availablePair(size, color))
  }
  return [...terms].toSorted()
}

function priceSlices(priceMinor: number): string[] {
  const price = BigInt(priceMinor)
  return Array.from({ length: PRICE_SLICES }, (_, place) => place)
    .filter((place) => ((price >> BigInt(place)) & 1n) === 1n)
    .map(term.priceSlice)
}
