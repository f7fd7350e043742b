import type { ResponseOf } from '@storefront/client'
import { queryOptions } from '@tanstack/react-query'
import { usersQuery } from '../../../parts/actor-name.ts'
import { queryClient } from '../../../query-client.ts'
import { sessionQuery } from '../../../session.ts'
import { shop } from '../../../shop.ts'

export type Admin = ResponseOf<'GET /admin/users'>['items'][number]
export type Role = Admin['role']

export const ROLES: readonly Role[] = ['owner', 'merchandiser', 'fulfilment', 'support']

export const staffQuery = queryOptions({
  queryKey: ['staff'],
  queryFn: () => shop.get('/admin/users'),
})

/** After a change of a user, who may be the signed-in one; their keys may have ended with it. */
export function refreshStaff(): void {
  for (const queryKey of [staffQuery.queryKey, usersQuery.queryKey, ['api-keys'], sessionQuery.queryKey]) {
    void queryClient.invalidateQueries({ queryKey })
  }
}
