import type { ResponseOf } from '@storefront/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'
import { shop } from './shop.ts'

export type Session = ResponseOf<'GET /admin/auth/me'>
export type Permission = Session['permissions'][number]

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => shop.get('/admin/auth/me'),
  staleTime: Infinity,
})

/** Whether the signed-in user is known already, and has a permission. */
export function mayNow(permission: Permission): boolean {
  return queryClient.getQueryData(sessionQuery.queryKey)?.permissions.includes(permission) === true
}

/** Whether the signed-in user has a permission; the shop checks it again with each request. */
export function useCan(): (permission: Permission) => boolean {
  const permissions = useQuery(sessionQuery).data?.permissions ?? []
  return (permission) => permissions.includes(permission)
}
