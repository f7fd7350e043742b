import type { components, paths } from '@storefront/client'
import { ACTIVITY_PERMISSIONS } from '@storefront/contracts/activity-kinds'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { Filters } from '../../parts/filters.ts'
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
    ...(isDate(from) && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(isDate(to) && { to: dayAfter(to) }),
  }
}

function isDate(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** The last day is part of the period, in the time zone of the browser. */
function dayAfter(date: string): string {
  const day = new Date(`${date}T00:00:00`)
  day.setDate(day.getDate() + 1)
  return day.toISOString()
}
