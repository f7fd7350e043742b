import { LRUCache } from 'lru-cache'
import { countBits } from '@storefront/facet-index'
import { scopeGroups, type Scope } from '../listings/filters.ts'
import type { FacetKind, ListingIndex } from '../listings/listing-index.ts'
import { facetsOf, NO_FACETS, type FacetTerm } from './facets.ts'

/** Scopes whose facts are kept, those that were requested last. */
const MAX_KEPT = 500

interface Facts {
  total: number
  /** JSON, ready to send. */
  facets: string
}

/** Totals and facets of scopes, each computed when first requested and kept until one of its listings changes. */
export class ScopeFacts {
  readonly #index: ListingIndex
  readonly #kept = new LRUCache<string, Facts & { groups: string[][] }>({ max: MAX_KEPT })

  constructor(index: ListingIndex) {
    this.#index = index
  }

  of(scope: Scope): Facts {
    const key = JSON.stringify([scope.category, scope.collection])
    const facts = this.#kept.get(key) ?? this.#compute(scope)
    // Names without listings are not cached, because clients can invent any number of them.
    if (facts.total > 0) this.#kept.set(key, facts)
    return facts
  }

  /** Called with listings before they change, and again after. */
  remove(ordinals: readonly number[]): void {
    for (const [key, { groups }] of this.#kept) {
      if (ordinals.some((ordinal) => this.#hasOneOfEach(ordinal, groups))) this.#kept.delete(key)
    }
  }

  #hasOneOfEach(ordinal: number, groups: string[][]): boolean {
    return groups.every((group) => group.some((name) => this.#index.itemsWith(name).has(ordinal)))
  }

  #compute(scope: Scope): Facts & { groups: string[][] } {
    const groups = scopeGroups(scope)
    const bits = this.#index.matching({ groups })
    const total = countBits(bits)
    if (total === 0) return { total, facets: JSON.stringify(NO_FACETS), groups }
    const named = (kind: FacetKind): FacetTerm[] =>
      this.#index
        .termsOf(kind)
        .map(({ name, items }) => ({ name, count: items.countIn(bits) }))
        .filter(({ count }) => count > 0)
    const priceOf = (order: 'price-asc' | 'price-desc') => this.#index.priceOf(this.#index.firstOf(order, bits) ?? 0)
    const facets = facetsOf({
      sizes: named('sizes'),
      swatches: named('swatches'),
      tags: named('tags'),
      priceRange: { min: priceOf('price-asc'), max: priceOf('price-desc') },
    })
    return { total, facets: JSON.stringify(facets), groups }
  }
}
