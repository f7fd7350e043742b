import { setImmediate } from 'node:timers/promises'
import { bitsFor, intersect, type Bits } from './bits.ts'
import { OrdinalSet } from './ordinal-set.ts'
import { SortedItems, type OrderPart, type SortKey } from './sorted-items.ts'
import { NumberColumn } from './number-column.ts'

/** What an index knows of its items. */
interface IndexShape<Item, Column extends string, OrderName extends string, Facet extends string> {
  /** The id of an item. It decides between equal ones, so that pages never overlap. */
  idOf: (item: Item) => string
  /** Numbers, ascending: negated where an order begins with the largest. */
  columns: Readonly<Record<Column, (item: Item) => number>>
  /** The columns by which an order sorts, or `text`. */
  orders: Readonly<Record<OrderName, readonly Column[] | 'text'>>
  textOf: (item: Item) => string
  compareTexts: (one: string, other: string) => number
  /** A term that every item has. */
  everything: string
  /** Facets are counted over the terms with these prefixes. */
  facets: Readonly<Record<Facet, string>>
  /** A column that facets show. */
  facetColumn: Column
  /** Terms that come and go without a change of the facets. */
  isApartFromFacets: (term: string) => boolean
}

/** A change of an item. */
export interface IndexChange<Item> {
  /** The number of the item: small, and its own as long as it exists. */
  ordinal: number
  /** Numbers of the terms that it lost and gained since it was indexed. */
  lost: readonly number[]
  gained: readonly number[]
  /** Its current state; undefined when it was deleted. */
  item: Item | undefined
}

export interface NumberedTerm {
  id: number
  name: string
}

/** A term without its prefix, with the items that have it. */
interface NamedSet {
  name: string
  items: OrdinalSet
}

/** Items that have one term of each group, and whose first column of an order is in the range. */
export interface IndexFilter<OrderName extends string> {
  /** Without groups all match. */
  groups: string[][]
  range?: { order: OrderName; least: number | undefined; most: number | undefined } | undefined
}

const NONE = new OrdinalSet()

/**
 * Which items have a term, and all of them in each order: what lists with filters and facets are made of. It holds
 * numbers, ids and one text to sort by, and no other data of the items.
 */
export class FacetIndex<Item, Column extends string, OrderName extends string, Facet extends string> {
  readonly #shape: IndexShape<Item, Column, OrderName, Facet>
  readonly #sets = new Map<string, OrdinalSet>()
  readonly #setsById: (OrdinalSet | undefined)[] = []
  readonly #apartFromFacets = new Set<number>()
  readonly #facets = new Map<string, { prefix: string; sets: NamedSet[] }>()
  readonly #ids: (string | undefined)[] = []
  readonly #texts: string[] = []
  readonly #columns = new Map<string, NumberColumn<Item>>()
  readonly #orders = new Map<string, SortedItems<Item>>()

  constructor(shape: IndexShape<Item, Column, OrderName, Facet>) {
    this.#shape = shape
    for (const [facet, prefix] of Object.entries<string>(shape.facets)) this.#facets.set(facet, { prefix, sets: [] })
    for (const [name, valueOf] of Object.entries<(item: Item) => number>(shape.columns)) {
      this.#columns.set(name, new NumberColumn(valueOf))
    }
    for (const [name, columns] of Object.entries<readonly Column[] | 'text'>(shape.orders)) {
      const byText =
        columns === 'text' ? { texts: this.#texts, of: shape.textOf, compare: shape.compareTexts } : undefined
      const byNumbers = columns === 'text' ? [] : columns.map((column) => this.#column(column))
      this.#orders.set(name, new SortedItems({ columns: byNumbers, text: byText, ids: this.#ids }))
    }
  }

  get lastTermId(): number {
    return this.#setsById.length - 1
  }

  /** How many items there are. */
  get count(): number {
    return this.itemsWith(this.#shape.everything).size
  }

  /** Above every ordinal. */
  get capacity(): number {
    return this.#ids.length
  }

  learnTerms(terms: readonly NumberedTerm[]): void {
    for (const { id, name } of terms) {
      const items = new OrdinalSet()
      this.#sets.set(name, items)
      this.#setsById[id] = items
      if (this.#shape.isApartFromFacets(name)) this.#apartFromFacets.add(id)
      for (const { prefix, sets } of this.#facets.values()) {
        if (name.startsWith(prefix)) sets.push({ name: name.slice(prefix.length), items })
      }
    }
  }

  /** Adds items that are not in any order yet; `sortAll` puts them there. */
  load(changes: readonly IndexChange<Item>[]): void {
    for (const change of changes) this.#take(change)
  }

  /** Sorts the loaded items; lets other work run between the orders. */
  async sortAll(): Promise<void> {
    const ordinals = [...this.#ids.keys()].filter((ordinal) => this.#ids[ordinal] !== undefined)
    for (const order of this.#orders.values()) {
      order.insert(ordinals)
      await setImmediate()
    }
  }

  /** Whether the facets of lists may change with it. */
  touchesFacets({ ordinal, lost, gained, item }: IndexChange<Item>): boolean {
    if (!item || this.#ids[ordinal] !== this.#shape.idOf(item)) return true
    const { facetColumn, columns } = this.#shape
    return (
      this.valueOf(facetColumn, ordinal) !== columns[facetColumn](item) ||
      [...lost, ...gained].some((id) => !this.#apartFromFacets.has(id))
    )
  }

  /** Applies changes, in the order in which they were made. */
  apply(changes: readonly IndexChange<Item>[]): void {
    const last = new Map(changes.map((change) => [change.ordinal, change.item]))
    const moves = [...this.#orders.values()].map((order) => ({
      order,
      ordinals: [...last].filter(([ordinal, item]) => this.#moves(order, ordinal, item)).map(([ordinal]) => ordinal),
    }))
    for (const { order, ordinals } of moves) order.remove(this.#present(ordinals))
    for (const change of changes) this.#take(change)
    for (const { order, ordinals } of moves) order.insert(this.#present(ordinals))
  }

  /** The items that match a filter. */
  matching({ groups, range }: IndexFilter<OrderName>): Bits {
    const [first, ...others] = groups
    const bits = this.#having(first ?? [this.#shape.everything])
    for (const group of others) intersect(bits, this.#having(group))
    if (range) intersect(bits, this.#within(range))
    return bits
  }

  /** The items that have a term. */
  itemsWith(term: string): OrdinalSet {
    return this.#sets.get(term) ?? NONE
  }

  /** The terms of a facet. */
  termsOf(facet: Facet): readonly NamedSet[] {
    return this.#facets.get(facet)?.sets ?? []
  }

  /** An empty bit set with room for every item. */
  emptyBits(): Bits {
    return bitsFor(this.capacity)
  }

  idOf(ordinal: number): string {
    return this.#ids[ordinal] ?? ''
  }

  /** The text that the item is sorted by. */
  textOf(ordinal: number): string {
    return this.#texts[ordinal] ?? ''
  }

  valueOf(column: Column, ordinal: number): number {
    return this.#column(column).values[ordinal] ?? 0
  }

  /** The item at a position of an order, from 0; undefined behind its end. */
  at(name: OrderName, place: number): number | undefined {
    const order = this.#order(name)
    return place < order.size ? order.at(place) : undefined
  }

  /** The first of these items in an order. */
  firstOf(name: OrderName, bits: Bits): number | undefined {
    return this.walk(name, bits, { after: undefined, offset: 0, limit: 1 })[0]
  }

  /** A range of these items, in an order. */
  walk(name: OrderName, bits: Bits, part: OrderPart): number[] {
    return this.#order(name).walk(bits, part)
  }

  /** The sort values of an item, after which the next page of an order begins. */
  keyOf(name: OrderName, ordinal: number): SortKey {
    return this.#order(name).keyOf(ordinal)
  }

  #having(terms: readonly string[]): Bits {
    const bits = this.emptyBits()
    for (const term of terms) this.#sets.get(term)?.uniteInto(bits)
    return bits
  }

  #within({ order, ...values }: NonNullable<IndexFilter<OrderName>['range']>): Bits {
    const bits = this.emptyBits()
    this.#order(order).uniteInto(bits, values)
    return bits
  }

  #take({ ordinal, lost, gained, item }: IndexChange<Item>): void {
    for (const id of lost) this.#setsById[id]?.delete(ordinal)
    for (const id of gained) this.#setsById[id]?.add(ordinal)
    this.#ids[ordinal] = item && this.#shape.idOf(item)
    this.#texts[ordinal] = item ? this.#shape.textOf(item) : ''
    if (item) for (const column of this.#columns.values()) column.set(ordinal, item)
  }

  /** Whether an item has another position in an order than before. */
  #moves(order: SortedItems<Item>, ordinal: number, item: Item | undefined): boolean {
    if (this.#ids[ordinal] !== (item && this.#shape.idOf(item))) return true
    return item !== undefined && order.moves(ordinal, item)
  }

  #present(ordinals: readonly number[]): number[] {
    return ordinals.filter((ordinal) => this.#ids[ordinal] !== undefined)
  }

  #column(name: Column): NumberColumn<Item> {
    const column = this.#columns.get(name)
    if (!column) throw new Error(`the index has no column ${name}`)
    return column
  }

  #order(name: OrderName): SortedItems<Item> {
    const order = this.#orders.get(name)
    if (!order) throw new Error(`the index has no order ${name}`)
    return order
  }
}
