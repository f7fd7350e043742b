import { FacetIndex, type IndexChange, type IndexFilter } from '@storefront/facet-index'
import { byName, ORDERS, type Column, type OrderName } from './sorts.ts'
import { isAboutStock, term } from './terms.ts'

/** A listing as the index stores it. */
export interface IndexedListing {
  productId: string
  title: string
  priceMinor: number
  featuredPosition: number
  unitsSold: number
  ratingHundredths: number
  ratingCount: number
  createdMs: number
}

export type ListingChange = IndexChange<IndexedListing>
export type ListingFilter = IndexFilter<OrderName>
export type FacetKind = 'sizes' | 'swatches' | 'tags'

/** The index behind lists (docs/decisions/0013, 0049). */
export class ListingIndex extends FacetIndex<IndexedListing, Column, OrderName, FacetKind> {
  constructor() {
    super({
      idOf: (listing) => listing.productId,
      columns: {
        featuredPosition: (listing) => listing.featuredPosition,
        minusUnitsSold: (listing) => -listing.unitsSold,
        minusRatingCount: (listing) => -listing.ratingCount,
        minusRatingHundredths: (listing) => -listing.ratingHundredths,
        minusCreatedMs: (listing) => -listing.createdMs,
        priceMinor: (listing) => listing.priceMinor,
        minusPriceMinor: (listing) => -listing.priceMinor,
      },
      orders: ORDERS,
      textOf: (listing) => listing.title,
      compareTexts: byName,
      everything: term.everything,
      facets: { sizes: 'size:', swatches: 'swatch:', tags: 'tag:' },
      facetColumn: 'priceMinor',
      // Facets do not depend on stock: they include sold-out sizes.
      isApartFromFacets: isAboutStock,
    })
  }

  priceOf(ordinal: number): number {
    return this.valueOf('priceMinor', ordinal)
  }

  /** Units sold of the listing at a position in the order of sales, from 0. */
  unitsSoldAt(place: number): number {
    const ordinal = this.at('bestselling', place)
    return ordinal === undefined ? 0 : -this.valueOf('minusUnitsSold', ordinal)
  }
}
