import type { components, ResponseOf } from '@storefront/client'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { shop } from '../../shop.ts'

const PER_PAGE = 25
export const DISCOUNTS = ['discounts'] as const

export type Discount = components['schemas']['Discount']
export type DiscountSave = components['schemas']['DiscountSaveInput']
export type DiscountAuditEntry = ResponseOf<'GET /admin/discounts/audit'>['items'][number]

export const discountsQuery = (query: { q: string; page: number }) =>
  queryOptions({
    queryKey: [...DISCOUNTS, 'list', query],
    placeholderData: keepPreviousData,
    queryFn: () => shop.get('/admin/discounts', { params: { query: { ...query, per_page: PER_PAGE } } }),
  })

export const discountQuery = (code: string) =>
  queryOptions({
    queryKey: [...DISCOUNTS, 'one', code],
    queryFn: () => shop.get('/admin/discounts/{code}', { params: { path: { code } } }),
  })

/** @param code of one discount; of all of them without it */
export const discountAuditQuery = (code?: string) =>
  infiniteQueryOptions({
    queryKey: [...DISCOUNTS, 'audit', code],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      shop.get('/admin/discounts/audit', {
        params: {
          query: {
            per_page: PER_PAGE,
            ...(code !== undefined && { id: code }),
            ...(pageParam !== '' && { before_id: pageParam }),
          },
        },
      }),
    getNextPageParam: ({ nextBeforeId }) => (nextBeforeId === undefined ? undefined : String(nextBeforeId)),
  })
