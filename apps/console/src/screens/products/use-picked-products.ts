import { useState } from 'react'
import type { Filters } from '../../parts/filters.ts'
import type { BulkSelection } from './bulk/bulk-queries.ts'
import { filterQueryOf, type AdminProduct } from './products-queries.ts'

export interface PickedProducts {
  /** Those on the screen. */
  ids: ReadonlySet<string>
  products: readonly AdminProduct[]
  /** How many are picked, on all pages. */
  count: number
  /** How many match the filters, on all pages. */
  total: number
  /** Whether all that match the filters are picked. */
  hasAll: boolean
  canPickAll: boolean
  /** As the shop's bulk edits take it. */
  selection: BulkSelection
  pick: (ids: Iterable<string>) => void
  pickAll: () => void
  clear: () => void
}

/** The products that are picked for a bulk edit: on this page of the list, or all that match its filters. */
export function usePickedProducts(
  filters: Filters,
  list: { items: readonly AdminProduct[]; total: number } | undefined,
): PickedProducts {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  // The filters whose products are all picked: with other filters they would be other products.
  const [allOf, setAllOf] = useState<string>()
  const { items, total } = list ?? { items: [], total: 0 }
  const filter = filterQueryOf(filters)
  const filterKey = JSON.stringify(filter)
  const hasAll = allOf === filterKey
  const products = hasAll ? items : items.filter(({ id }) => picked.has(id))
  const ids = new Set(products.map(({ id }) => id))

  function pick(next: Iterable<string>): void {
    setAllOf(undefined)
    setPicked(new Set(next))
  }
  return {
    ids,
    products,
    count: hasAll ? total : products.length,
    total,
    hasAll,
    canPickAll: !hasAll && items.length > 0 && products.length === items.length && total > items.length,
    selection: hasAll ? { filter } : { ids: [...ids] },
    pick,
    pickAll: () => setAllOf(filterKey),
    clear: () => pick([]),
  }
}
