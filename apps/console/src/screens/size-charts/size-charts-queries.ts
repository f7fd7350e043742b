import type { ResponseOf } from '@storefront/client'
import { queryOptions } from '@tanstack/react-query'
import { shop } from '../../shop.ts'

export type SizeChart = ResponseOf<'GET /admin/size-charts'>['items'][number]

export const sizeChartsQuery = queryOptions({
  queryKey: ['size-charts'],
  queryFn: () => shop.get('/admin/size-charts'),
})
