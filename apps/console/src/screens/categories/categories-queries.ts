import type { ResponseOf } from '@storefront/client'
import { queryOptions } from '@tanstack/react-query'
import { shop } from '../../shop.ts'

export type Category = ResponseOf<'GET /admin/categories'>['items'][number]

/** All categories in their order. */
export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: () => shop.get('/admin/categories'),
})
