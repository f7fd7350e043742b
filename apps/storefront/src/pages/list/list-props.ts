import type { ProductList } from '../../shop/catalog.ts'
import type { ListState } from './list-state.ts'

export interface ListProps {
  /** Of the page, without parameters. */
  path: string
  state: ListState
  list: ProductList
}

/** Attributes of links that replace only the results of a page. */
export const IN_PLACE = { 'hx-target': '#results', 'hx-select': '#results', 'hx-swap': 'outerHTML' } as const
