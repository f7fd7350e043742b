import type { components, paths } from '@storefront/client'
import { ACTIVITY_PERMISSIONS } from '@storefront/contracts/activity-kinds'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { Filters } from '../../parts/filters.ts'
import { isDay, startOfDay } from '../../parts/local-time.ts'
import { shop } from '../../shop.ts'

export type ActivityEntry = components['schemas']['ActivityEntry']
type Query = NonNullable<paths['/admin/activity']['get']['parameters']['query']>
export type ActivityKind = NonNullable<Query['subject']>

export const isActivityKind = (text: string): text is ActivityKind => Object.hasOwn(ACTIVITY_PERMISSIONS, text)

const PER_PAGE = 50

export const activityQuery = (filters: Filters) => {
  const query = queryOf(filters)
  return infiniteQueryOptions({
    queryKey: ['activity', query],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam: cursor }) =>
      shop.get('/admin/activity', {
        params: { query: { ...query, per_page: PER_PAGE, ...(cursor !== '' && { cursor }) } },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

function queryOf({ actor, subject, from, to }: Filters): Query {
  return {
    ...(actor !== undefined && { actor }),
    ...(subject !== undefined && isActivityKind(subject) && { subject }),
    ...(isDay(from) && { from: startOfDay(from) }),
    ...(isDay(to) && { to: startOfDay(to, 1) }),
  }
}
