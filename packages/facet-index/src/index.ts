export { type Bits, bitsFor, countBits, forEachBit, intersect, setBit, subtract, unite } from './bits.ts'
export { FacetIndex, type IndexChange, type IndexFilter, type NumberedTerm } from './facet-index.ts'
export { OrdinalSet } from './ordinal-set.ts'
export type { SortKey } from './sorted-items.ts'
