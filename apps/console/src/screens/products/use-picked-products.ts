import { useState } from 'react'
import type { Filters } from '../../parts/filters.ts'
import type { BulkSelection } from './bulk/bulk-queries.ts'
import { filterQueryOf, type AdminProduct } from './products-queries.ts'

export type PickedProducts = ReturnType<typeof usePickedProducts>

/** The products that are picked for a bulk edit: on this page of the list, or all that match its filters. */
export function usePickedProducts(
  filters: Filters,
  list: { items: readonly AdminProduct[]; total: number } | undefined,
) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  // The filters whose products are all picked: with other filters they would be other products.
  const [allOf, setAllOf] = useState<string>()
  const { items, total } = list ?? { items: [], total: 0 }
  const filter = filterQueryOf(filters)
  const filterKey = JSON.stringify(filter)
  const hasAll = allOf === filterKey
  const products = hasAll ? items : items.filter(({ id }) => picked.has(id))
  const ids = new Set(products.map(({ id }) => id))
  const selection: BulkSelection = hasAll ? { filter } : { ids: [...ids] }

  function pick(next: Iterable<string>): void {
    setAllOf(undefined)
    setPicked(new Set(next))
  }
  return {
    /** Those on the screen. */
    ids,
    products,
    /** How many are picked, on all pages. */
    count: hasAll ? total : products.length,
    /** How many match the filters, on all pages. */
    total,
    /** Whether all that match the filters are picked. */
    hasAll,
    canPickAll: !hasAll && items.length > 0 && products.length === items.length && total > items.length,
    /** As the shop's bulk edits take it. */
    selection,
    pick,
    pickAll: () => setAllOf(filterKey),
    clear: () => pick([]),
  }
}
