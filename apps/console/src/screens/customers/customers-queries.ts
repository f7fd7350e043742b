import type { ResponseOf } from '@storefront/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { shop } from '../../shop.ts'

const PER_PAGE = 25
const ORDERS_PER_PAGE = 10

export type Customer = ResponseOf<'GET /admin/customers/{id}'>
export type CustomerOrder = ResponseOf<'GET /admin/orders'>['items'][number]

export const customersQuery = (query: { q: string; page: number }) =>
  queryOptions({
    queryKey: ['customers', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: () => shop.get('/admin/customers', { params: { query: { ...query, per_page: PER_PAGE } } }),
  })

export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: ['customers', 'one', id],
    queryFn: () => shop.get('/admin/customers/{id}', { params: { path: { id } } }),
  })

/** The orders that a customer sees, those as a guest included. */
export const customerOrdersQuery = (customer: string, page: number) =>
  queryOptions({
    queryKey: ['orders', 'of-customer', customer, page],
    placeholderData: keepPreviousData,
    queryFn: () =>
      shop.get('/admin/orders', {
        params: { query: { customer, sort: 'newest', page, per_page: ORDERS_PER_PAGE } },
      }),
  })

/** The name as the customer wrote it, or else the address. */
export function nameOf({ firstName, lastName, email }: Customer): string {
  return `${firstName} ${lastName}`.trim() || email
}
