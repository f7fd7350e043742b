import type { ResponseOf } from '@storefront/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'
import { reportSignOut, shop } from './shop.ts'

export type Session = ResponseOf<'GET /admin/auth/me'>
export type Permission = Session['permissions'][number]

const QUERY_KEY = ['session']

export const sessionQuery = queryOptions({
  queryKey: QUERY_KEY,
  queryFn: readSession,
  staleTime: Infinity,
  // Another person may have signed in elsewhere. Without a session the sign-in would lose what is typed into it.
  refetchOnWindowFocus: ({ state }) => (state.data ? 'always' : false),
})

/** Reads whose session the cookie has. The page of one person is not left to another. */
async function readSession(): Promise<Session> {
  const session = await shop.get('/admin/auth/me')
  const before = queryClient.getQueryData<Session>(QUERY_KEY)
  if (before && before.user.id !== session.user.id) reportSignOut()
  return session
}

/** Whether the signed-in user is known already, and has a permission. */
export function mayNow(permission: Permission): boolean {
  return queryClient.getQueryData(sessionQuery.queryKey)?.permissions.includes(permission) === true
}

/** Whether the signed-in user has a permission; the shop checks it again with each request. */
export function useCan(): (permission: Permission) => boolean {
  const permissions = useQuery(sessionQuery).data?.permissions ?? []
  return (permission) => permissions.includes(permission)
}
