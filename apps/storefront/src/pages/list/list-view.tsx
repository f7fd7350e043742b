import { StorefrontError } from '@storefront/client'
import type { Head } from '../../layout/head.tsx'
import type { PageContext } from '../../layout/page-context.ts'
import { CARD_SIZES } from '../../parts/product-card.tsx'
import type { Catalog, ProductList, ProductQuery } from '../../shop/catalog.ts'
import type { ListProps } from './list-props.ts'
import { isFiltered, listAddress, listQuery, type ListState } from './list-state.ts'

/** What a category or a collection adds to the filters. */
export type Scope = Pick<ProductQuery, 'category' | 'collection'>

/** Reads a page of a list. A cursor that the shop does not accept any more is replaced by the number of its page. */
export async function readList(catalog: Catalog, state: ListState, scope: Scope): Promise<ProductList> {
  const read = (wanted: ListState) => catalog.products({ ...listQuery(wanted), ...scope })
  try {
    return await read(state)
  } catch (error) {
    const isRejected = error instanceof StorefrontError && error.code === 'validation_failed'
    if (state.cursor === undefined || !isRejected) throw error
    return read({ ...state, cursor: undefined })
  }
}

/** The address of a page of the whole list, in its usual order: the one that search engines keep. */
function pageAddress(path: string, page: number): string {
  return page === 1 ? path : `${path}?page=${page}`
}

/** What the page of a list says to search engines about its products. */
export function listHead(
  { path, state, list }: ListProps,
  { frame, storefrontUrl }: PageContext,
): Pick<Head, 'isPrivate' | 'canonical' | 'previous' | 'next' | 'firstPicture' | 'style' | 'data'> {
  const picture = list.items[0]?.images[0]
  const isWholeList = !isFiltered(state) && state.sort === 'featured' && state.q === ''
  const to = (page: number) => listAddress(path, { ...state, page, cursor: undefined }, frame.currency)
  return {
    canonical: isWholeList ? pageAddress(path, list.page) : undefined,
    isPrivate: !isWholeList,
    previous: list.page > 1 ? to(list.page - 1) : undefined,
    next: list.nextCursor === undefined ? undefined : to(list.page + 1),
    firstPicture: list.page > 1 || !picture ? undefined : { url: picture.url, sizes: CARD_SIZES },
    style: 'list',
    data: [itemList(list, storefrontUrl)],
  }
}

function itemList({ items, page, perPage, total }: ProductList, storefrontUrl: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    numberOfItems: total,
    itemListElement: items.map(({ slug, title }, index) => ({
      '@type': 'ListItem',
      position: (page - 1) * perPage + index + 1,
      name: title,
      url: `${storefrontUrl}/product/${encodeURIComponent(slug)}`,
    })),
  }
}
