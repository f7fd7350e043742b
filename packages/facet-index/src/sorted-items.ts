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

/** All items in one order: by columns or by a text, and then by id. */
export class SortedItems<Item> extends Order {
  readonly #by: By<Item>

  /** @param by live arrays: they change with the items */
  constructor(by: By<Item>) {
    super((one, other) => compareItems(by, one, other))
    this.#by = by
  }

  firstValueOf(ordinal: number): number {
    return this.#by.columns[0]?.values[ordinal] ?? 0
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

  /** Whether an item sorts by other values than it has in the columns. */
  moves(ordinal: number, item: Item): boolean {
    const { columns, text } = this.#by
    if (text) return text.texts[ordinal] !== text.of(item)
    return columns.some((column) => column.values[ordinal] !== column.valueOf(item))
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
