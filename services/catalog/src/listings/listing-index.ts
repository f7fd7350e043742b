import { setImmediate } from 'node:timers/promises'
import { bitsFor, countBits, forEachBit, hasBit, intersect, setBit, type Bits } from './bits.ts'
import type { TermFilter } from './filters.ts'
import { Order } from './order.ts'
import { OrdinalSet } from './ordinal-set.ts'
import { byName, COLUMNS, ORDER_NAMES, ORDERS, type Column, type OrderName, type SortKey } from './sorts.ts'
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

/** A change of a listing. */
export interface IndexChange {
  ordinal: number
  /** Numbers of the terms that it lost and gained since it was indexed. */
  lost: readonly number[]
  gained: readonly number[]
  /** Its current state; undefined when it was deleted. */
  listing: IndexedListing | undefined
}

export interface NumberedTerm {
  id: number
  name: string
}

/** A term of one kind, with the listings that have it. */
export interface NamedSet {
  name: string
  listings: OrdinalSet
}

/** Kinds of terms that facets are made of, by the prefix of their names. */
const FACET_KINDS = { sizes: 'size:', swatches: 'swatch:', tags: 'tag:' } as const
export type FacetKind = keyof typeof FACET_KINDS

const NONE = new OrdinalSet()
/** How many positions of an order can be scanned in the time that comparing two listings takes. */
const PLACES_PER_COMPARISON = 8

/**
 * The index behind lists: which listings have a term, and all of them in each order. It holds numbers and ids, and
 * titles to sort by, but no other displayed data (docs/decisions/0013, 0049).
 */
export class ListingIndex {
  readonly facets: Record<FacetKind, NamedSet[]> = { sizes: [], swatches: [], tags: [] }
  readonly #sets = new Map<string, OrdinalSet>()
  readonly #setsById: (OrdinalSet | undefined)[] = []
  readonly #stockTerms = new Set<number>()
  readonly #productIds: (string | undefined)[] = []
  readonly #titles: string[] = []
  #columns = columnsFor(1024)
  readonly #orders: Record<OrderName, Order>

  constructor() {
    const orderOf = (name: OrderName) => new Order((one, other) => this.#compare(name, one, other))
    this.#orders = {
      featured: orderOf('featured'),
      newest: orderOf('newest'),
      'price-asc': orderOf('price-asc'),
      'price-desc': orderOf('price-desc'),
      rating: orderOf('rating'),
      name: orderOf('name'),
      bestselling: orderOf('bestselling'),
    }
  }

  get lastTermId(): number {
    return this.#setsById.length - 1
  }

  learnTerms(terms: readonly NumberedTerm[]): void {
    for (const { id, name } of terms) {
      const listings = new OrdinalSet()
      this.#sets.set(name, listings)
      this.#setsById[id] = listings
      if (isAboutStock(name)) this.#stockTerms.add(id)
      for (const kind of ['sizes', 'swatches', 'tags'] as const) {
        const prefix = FACET_KINDS[kind]
        if (name.startsWith(prefix)) this.facets[kind].push({ name: name.slice(prefix.length), listings })
      }
    }
  }

  /** Adds listings that are not in any order yet; `sortAll` puts them there. */
  load(changes: readonly IndexChange[]): void {
    for (const change of changes) this.#take(change)
  }

  /** Sorts the loaded listings; lets other work run between the orders. */
  async sortAll(): Promise<void> {
    const ordinals = [...this.#productIds.keys()].filter((ordinal) => this.#productIds[ordinal] !== undefined)
    for (const name of ORDER_NAMES) {
      this.#orders[name].insert(ordinals)
      await setImmediate()
    }
  }

  /**
   * Whether the facets of its scopes may change with it. Stock does not matter to them: they include sold-out sizes
   * too.
   */
  touchesFacets({ ordinal, lost, gained, listing }: IndexChange): boolean {
    return (
      this.#productIds[ordinal] !== listing?.productId ||
      this.#columns.priceMinor[ordinal] !== listing?.priceMinor ||
      [...lost, ...gained].some((id) => !this.#stockTerms.has(id))
    )
  }

  /** Applies changes, in the order in which they were made. */
  apply(changes: readonly IndexChange[]): void {
    const last = new Map(changes.map((change) => [change.ordinal, change.listing]))
    const moves = ORDER_NAMES.map((name) => ({
      order: this.#orders[name],
      ordinals: [...last].filter(([ordinal, now]) => this.#moves(name, ordinal, now)).map(([ordinal]) => ordinal),
    }))
    for (const { order, ordinals } of moves) {
      order.remove(ordinals.filter((ordinal) => this.#productIds[ordinal] !== undefined))
    }
    for (const change of changes) this.#take(change)
    for (const { order, ordinals } of moves) {
      order.insert(ordinals.filter((ordinal) => this.#productIds[ordinal] !== undefined))
    }
  }

  /** The listings that match a filter. */
  matching({ groups, minPrice, maxPrice }: TermFilter): Bits {
    const [first, ...others] = groups
    const bits = this.#having(first ?? [term.everything])
    for (const group of others) intersect(bits, this.#having(group))
    if (minPrice !== undefined || maxPrice !== undefined) intersect(bits, this.#priced(minPrice ?? 0, maxPrice))
    return bits
  }

  /** The listings that have a term. */
  listingsWith(name: string): OrdinalSet {
    return this.#sets.get(name) ?? NONE
  }

  /** How many listings there are. */
  get count(): number {
    return this.#orders.bestselling.size
  }

  /** Units sold of the listing at a position in the order of sales, from 0. */
  unitsSoldAt(place: number): number {
    return place < this.count ? -(this.#columns.minusUnitsSold[this.#orders.bestselling.at(place)] ?? 0) : 0
  }

  /** Above every ordinal. */
  get capacity(): number {
    return this.#productIds.length
  }

  /** An empty bit set with room for every listing. */
  emptyBits(): Bits {
    return bitsFor(this.capacity)
  }

  productIdOf(ordinal: number): string {
    return this.#productIds[ordinal] ?? ''
  }

  priceOf(ordinal: number): number {
    return this.#columns.priceMinor[ordinal] ?? 0
  }

  /** The first of these listings in an order. */
  firstOf(name: OrderName, bits: Bits): number | undefined {
    return this.walk(name, bits, { after: undefined, offset: 0, limit: 1 })[0]
  }

  /** A range of the matching listings, in an order. */
  walk(name: OrderName, bits: Bits, part: { after: SortKey | undefined; offset: number; limit: number }): number[] {
    const { after, offset, limit } = part
    const order = this.#orders[name]
    const start = after ? order.firstPlace((ordinal) => this.#isAfter(name, ordinal, after)) : 0
    const count = countBits(bits)
    // How far the order would have to be scanned, if the matching listings are spread evenly over it.
    const places = (order.size - start) * Math.min(1, (offset + limit) / count)
    if (count * Math.log2(count + 1) * PLACES_PER_COMPARISON < places) {
      const sorted = this.#sorted(name, bits)
      const first = after ? sorted.filter((ordinal) => this.#isAfter(name, ordinal, after)) : sorted
      return first.slice(offset, offset + limit)
    }
    const found: number[] = []
    let skip = offset
    for (let place = start; place < order.size && found.length < limit; place++) {
      const ordinal = order.at(place)
      if (!hasBit(bits, ordinal)) continue
      if (skip > 0) skip--
      else found.push(ordinal)
    }
    return found
  }

  #sorted(name: OrderName, bits: Bits): number[] {
    const ordinals: number[] = []
    forEachBit(bits, (ordinal) => ordinals.push(ordinal))
    return ordinals.toSorted((one, other) => this.#compare(name, one, other))
  }

  keyOf(name: OrderName, ordinal: number): SortKey {
    const values = ORDERS[name].map((column) => this.#columns[column][ordinal] ?? 0)
    return [...(name === 'name' ? [this.#titles[ordinal] ?? ''] : values), this.productIdOf(ordinal)]
  }

  #having(names: readonly string[]): Bits {
    const bits = this.emptyBits()
    for (const name of names) this.#sets.get(name)?.uniteInto(bits)
    return bits
  }

  #priced(minPrice: number, maxPrice: number | undefined): Bits {
    const bits = this.emptyBits()
    const order = this.#orders['price-asc']
    const end = maxPrice === undefined ? order.size : order.firstPlace((ordinal) => this.priceOf(ordinal) > maxPrice)
    const start = order.firstPlace((ordinal) => this.priceOf(ordinal) >= minPrice)
    for (let place = start; place < end; place++) setBit(bits, order.at(place))
    return bits
  }

  #take({ ordinal, lost, gained, listing }: IndexChange): void {
    for (const id of lost) this.#setsById[id]?.delete(ordinal)
    for (const id of gained) this.#setsById[id]?.add(ordinal)
    this.#productIds[ordinal] = listing?.productId
    this.#titles[ordinal] = listing?.title ?? ''
    if (!listing) return
    if (ordinal >= this.#columns.priceMinor.length) this.#columns = columnsFor(ordinal * 1.25, this.#columns)
    for (const column of COLUMNS) this.#columns[column][ordinal] = VALUES[column](listing)
  }

  /** Whether a listing has another position in an order than before. */
  #moves(name: OrderName, ordinal: number, now: IndexedListing | undefined): boolean {
    const before = this.#productIds[ordinal]
    if (!now || before !== now.productId) return before !== now?.productId
    if (name === 'name') return this.#titles[ordinal] !== now.title
    return ORDERS[name].some((column) => this.#columns[column][ordinal] !== VALUES[column](now))
  }

  #compare(name: OrderName, one: number, other: number): number {
    for (const column of ORDERS[name]) {
      const values = this.#columns[column]
      const difference = (values[one] ?? 0) - (values[other] ?? 0)
      if (difference !== 0) return difference
    }
    const byTitle = name === 'name' ? byName(this.#titles[one] ?? '', this.#titles[other] ?? '') : 0
    if (byTitle !== 0) return byTitle
    const [id, otherId] = [this.productIdOf(one), this.productIdOf(other)]
    return id < otherId ? -1 : id > otherId ? 1 : 0
  }

  #isAfter(name: OrderName, ordinal: number, key: SortKey): boolean {
    for (const [place, column] of ORDERS[name].entries()) {
      const [value, bound] = [this.#columns[column][ordinal] ?? 0, Number(key[place])]
      if (value !== bound) return value > bound
    }
    const byTitle = name === 'name' ? byName(this.#titles[ordinal] ?? '', String(key[0])) : 0
    return byTitle === 0 ? this.productIdOf(ordinal) > String(key.at(-1)) : byTitle > 0
  }
}

const VALUES: Record<Column, (listing: IndexedListing) => number> = {
  featuredPosition: (listing) => listing.featuredPosition,
  minusUnitsSold: (listing) => -listing.unitsSold,
  minusRatingCount: (listing) => -listing.ratingCount,
  minusRatingHundredths: (listing) => -listing.ratingHundredths,
  minusCreatedMs: (listing) => -listing.createdMs,
  priceMinor: (listing) => listing.priceMinor,
  minusPriceMinor: (listing) => -listing.priceMinor,
}

function columnsFor(capacity: number, before?: Record<Column, Float64Array>): Record<Column, Float64Array> {
  const larger = (column: Column) => {
    const values = new Float64Array(Math.ceil(capacity) + 1)
    if (before) values.set(before[column])
    return values
  }
  return {
    featuredPosition: larger('featuredPosition'),
    minusUnitsSold: larger('minusUnitsSold'),
    minusRatingCount: larger('minusRatingCount'),
    minusRatingHundredths: larger('minusRatingHundredths'),
    minusCreatedMs: larger('minusCreatedMs'),
    priceMinor: larger('priceMinor'),
    minusPriceMinor: larger('minusPriceMinor'),
  }
}
