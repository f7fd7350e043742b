import { optionWithRole } from '../products/product-options.ts'

/** Names of the filter terms of listings. For each the index holds the set of listings that have it. */
export const term = {
  everything: 'all',
  inStock: 'in-stock',
  /** In the category or one of its subcategories. */
  category: (slug: string) => `category:${slug}`,
  /** In the category and in none of its subcategories. */
  leaf: (slug: string) => `leaf:${slug}`,
  collection: (slug: string) => `collection:${slug}`,
  tag: (tag: string) => `tag:${tag}`,
  color: (color: string) => `color:${color}`,
  /** A color with its displayed hex value, for facets only. */
  swatch: (color: string, hex: string) => `swatch:${JSON.stringify([color, hex])}`,
  /** A size that exists, sold out or not: for facets only. */
  size: (size: string) => `size:${size}`,
  availableSize: (size: string) => `available:${size}`,
  /** An available variant that has both. */
  availablePair: (size: string, color: string) => `pair:${JSON.stringify([size, color])}`,
}

/** Whether a term depends only on stock, and not on a merchant's changes. */
export function isAboutStock(name: string): boolean {
  return name === term.inStock || name.startsWith('available:') || name.startsWith('pair:')
}

/** The terms that are not among the others. */
export function termsWithout(terms: readonly string[] = [], others: readonly string[] = []): string[] {
  const known = new Set(others)
  return terms.filter((each) => !known.has(each))
}

/** For a color without a hex value. */
export const FALLBACK_HEX = '#cccccc'

interface TermSource {
  leafCategories: readonly string[]
  /** Slugs of its categories and all their parents. */
  branch: readonly string[]
  collections: readonly string[]
  tags: readonly string[]
  swatches: Readonly<Record<string, string>>
  variants: readonly { options: Record<string, string>; inventory: number }[]
}

/** All terms of a product, each once, in order. */
export function termsOf(source: TermSource): string[] {
  const terms = new Set<string>([
    term.everything,
    ...source.branch.map(term.category),
    ...source.leafCategories.map(term.leaf),
    ...source.collections.map(term.collection),
    ...source.tags.map(term.tag),
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
