import { z } from 'zod'
import type { Facets } from '@storefront/contracts'
import type { FacetTerm } from './facets.queries.ts'
import { byGarmentSize } from './garment-size.ts'

const Swatch = z.tuple([z.string(), z.string()])

/** Builds facets from the terms that occur: sizes in garment order, colours and tags by name (decisions, section 3). */
export function facetsOf(terms: readonly FacetTerm[], priceRange: { min: number; max: number }): Facets {
  const named = (prefix: string) =>
    terms
      .filter(({ term }) => term.startsWith(prefix))
      .map(({ term, count }) => ({ name: term.slice(prefix.length), count }))
  return {
    sizes: named('size:')
      .map(({ name }) => name)
      .toSorted(byGarmentSize),
    colors: colorsOf(named('swatch:')),
    tags: named('tag:')
      .map(({ name }) => name)
      .toSorted(),
    priceRange,
  }
}

/** Two products may show a colour differently: the facet shows it as most of them do. */
function colorsOf(swatches: readonly { name: string; count: number }[]): Facets['colors'] {
  const best = new Map<string, { hex: string; count: number }>()
  for (const { name: swatch, count } of swatches) {
    const [name, hex] = Swatch.parse(JSON.parse(swatch))
    const known = best.get(name)
    if (!known || count > known.count || (count === known.count && hex < known.hex)) best.set(name, { hex, count })
  }
  return [...best]
    .map(([name, { hex }]) => ({ name, hex }))
    .toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
}
