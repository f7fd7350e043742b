import { z } from 'zod'
import type { Facets } from '@storefront/contracts'
import { FALLBACK_HEX } from '../listings/terms.ts'
import { byGarmentSize } from './garment-size.ts'

const Swatch = z.tuple([z.string(), z.string()])

export interface FacetTerm {
  name: string
  /** Listings that have it. */
  count: number
}

interface FacetTerms {
  sizes: readonly FacetTerm[]
  /** Colors with their displayed hex values. */
  swatches: readonly FacetTerm[]
  tags: readonly FacetTerm[]
  priceRange: Facets['priceRange']
}

export const NO_FACETS: Facets = { sizes: [], colors: [], tags: [], priceRange: { min: 0, max: 0 } }

/** Builds facets from the terms that occur: sizes in garment order, colors and tags by name. */
export function facetsOf({ sizes, swatches, tags, priceRange }: FacetTerms): Facets {
  return {
    sizes: sizes.map(({ name }) => name).toSorted(byGarmentSize),
    colors: colorsOf(swatches),
    tags: tags.map(({ name }) => name).toSorted(),
    priceRange,
  }
}

/** Products may have different hex values for a color: the facet shows the most frequent one. */
function colorsOf(swatches: readonly FacetTerm[]): Facets['colors'] {
  const best = new Map<string, { hex: string; given: number }>()
  for (const { name: swatch, count } of swatches) {
    const [name, hex] = Swatch.parse(JSON.parse(swatch))
    const known = best.get(name)
    const given = hex === FALLBACK_HEX ? 0 : count
    if (!known || given > known.given || (given === known.given && hex < known.hex)) best.set(name, { hex, given })
  }
  // The names are unique, so none compare equal.
  return [...best].map(([name, { hex }]) => ({ name, hex })).toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
