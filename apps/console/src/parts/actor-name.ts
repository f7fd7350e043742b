import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sessionQuery, useCan } from '../session.ts'
import { shop } from '../shop.ts'

/** All users of the console, for those who may see them. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async () => (await shop.get('/admin/users')).items,
  staleTime: 5 * 60_000,
})

/** @returns names an admin user or a secret key by its id, as far as the signed-in user may know */
export function useActorName(): (id: string) => string {
  const { t } = useTranslation()
  const can = useCan()
  const own = useQuery(sessionQuery).data?.user
  const users = useQuery({ ...usersQuery, enabled: can('admins:write') }).data ?? []
  return (id) => {
    if (id === own?.id) return t('common.you')
    return users.find((user) => user.id === id)?.name ?? t('common.otherActor', { id: id.slice(-6) })
  }
}
