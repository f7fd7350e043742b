import { countBits, forEachBit, hasBit, setBit, type Bits } from './bits.ts'
import type { NumberColumn } from './number-column.ts'
import { Order } from './order.ts'

/** The sort values of an item: numbers or a text, and its id. */
export type SortKey = (number | string)[]

interface By<Item> {
  columns: readonly NumberColumn<Item>[]
  text:
    | { texts: readonly string[]; of: (item: Item) => string; compare: (one: string, other: string) => number }
    | undefined
  ids: readonly (string | undefined)[]
}

interface ValueRange {
  least: number | undefined
  most: number | undefined
}

/** After this key or from the beginning: skips `offset` items and takes up to `limit`. */
export interface OrderPart {
  after: SortKey | undefined
  offset: number
  limit: number
}

/** How many positions of an order can be scanned in the time that comparing two items takes. */
const PLACES_PER_COMPARISON = 8

/** All items in one order: by columns or by a text, and then by id. */
export class SortedItems<Item> extends Order {
  readonly #by: By<Item>

  /** @param by live arrays: they change with the items */
  constructor(by: By<Item>) {
    super((one, other) => compareItems(by, one, other))
    this.#by = by
  }

  /** Adds the items whose first value is in this range, both ends included. */
  uniteInto(bits: Bits, { least = -Infinity, most = Infinity }: ValueRange): void {
    const start = this.firstPlace((ordinal) => this.#firstValueOf(ordinal) >= least)
    const end = this.firstPlace((ordinal) => this.#firstValueOf(ordinal) > most)
    for (let place = start; place < end; place++) setBit(bits, this.at(place))
  }

  keyOf(ordinal: number): SortKey {
    const { columns, text, ids } = this.#by
    const values = text ? [text.texts[ordinal] ?? ''] : columns.map(({ values }) => values[ordinal] ?? 0)
    return [...values, ids[ordinal] ?? '']
  }

  isAfter(ordinal: number, key: SortKey): boolean {
    const { columns, text, ids } = this.#by
    for (const [place, { values }] of columns.entries()) {
      const [value, bound] = [values[ordinal] ?? 0, Number(key[place])]
      if (value !== bound) return value > bound
    }
    const byText = text ? text.compare(text.texts[ordinal] ?? '', String(key[0])) : 0
    return byText === 0 ? (ids[ordinal] ?? '') > String(key.at(-1)) : byText > 0
  }

  /** A part of these items, in this order. */
  walk(bits: Bits, part: OrderPart): number[] {
    const { after, offset, limit } = part
    const start = after ? this.firstPlace((ordinal) => this.isAfter(ordinal, after)) : 0
    const count = countBits(bits)
    // How far the order would have to be scanned, if the items are spread evenly over it.
    const places = (this.size - start) * Math.min(1, (offset + limit) / count)
    if (count * Math.log2(count + 1) * PLACES_PER_COMPARISON < places) {
      const sorted: number[] = []
      forEachBit(bits, (ordinal) => sorted.push(ordinal))
      sorted.sort((one, other) => this.compare(one, other))
      const rest = after ? sorted.filter((ordinal) => this.isAfter(ordinal, after)) : sorted
      return rest.slice(offset, offset + limit)
    }
    const found: number[] = []
    let skip = offset
    for (let place = start; place < this.size && found.length < limit; place++) {
      const ordinal = this.at(place)
      if (!hasBit(bits, ordinal)) continue
      if (skip > 0) skip--
      else found.push(ordinal)
    }
    return found
  }

  /** Whether an item sorts by other values than it has in the columns. */
  moves(ordinal: number, item: Item): boolean {
    const { columns, text } = this.#by
    if (text) return text.texts[ordinal] !== text.of(item)
    return columns.some((column) => column.values[ordinal] !== column.valueOf(item))
  }

  #firstValueOf(ordinal: number): number {
    return this.#by.columns[0]?.values[ordinal] ?? 0
  }
}

function compareItems<Item>({ columns, text, ids }: By<Item>, one: number, other: number): number {
  for (const { values } of columns) {
    const difference = (values[one] ?? 0) - (values[other] ?? 0)
    if (difference !== 0) return difference
  }
  const byText = text ? text.compare(text.texts[one] ?? '', text.texts[other] ?? '') : 0
  if (byText !== 0) return byText
  const [id, otherId] = [ids[one] ?? '', ids[other] ?? '']
  if (id === otherId) return 0
  return id < otherId ? -1 : 1
}
