import type { ProductList } from '../../shop/catalog.ts'
import type { ListState } from './list-state.ts'

export interface ListProps {
  /** Of the page, without parameters. */
  path: string
  state: ListState
  list: ProductList
}

/** What replaces the results in place, without the rest of the page. */
export const IN_PLACE = { 'hx-target': '#results', 'hx-select': '#results', 'hx-swap': 'outerHTML' } as const
