import type { AdminProductFilters } from '@storefront/contracts'
import type { AdminListFilters } from './admin-products.queries.ts'

/** Limited because each word is checked in every row that matches the others. */
const MAX_WORDS = 8

/** The filters of the merchant's list, from its parameters. */
export function listFiltersOf({ q, published, category }: AdminProductFilters): AdminListFilters {
  return {
    words: wordsOf(q),
    published: published === undefined ? undefined : published === 'true',
    category: category === '' ? undefined : category,
  }
}

/** The longest words are the most selective. */
function wordsOf(text: string): string[] {
  const words = new Set(text.split(/\s+/u).filter((word) => word !== ''))
  return [...words].toSorted((one, other) => other.length - one.length).slice(0, MAX_WORDS)
}
