import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { shop } from '../shop.ts'

const FOUND_PER_PAGE = 20

/** Products to choose from. */
export const foundProductsQuery = (q: string, page: number) =>
  queryOptions({
    queryKey: ['products', 'to place', q, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      shop.get('/admin/products', { params: { query: { q, page, per_page: FOUND_PER_PAGE } }, signal }),
  })
