import type { ResponseOf } from '@storefront/client'
import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../query-client.ts'
import { shop } from '../shop.ts'
import { stringifySearch, type Filters } from './filters.ts'

export type SavedView = ResponseOf<'GET /admin/views'>['items'][number]
export type ViewScreen = SavedView['screen']

/** The views that the signed-in user saved for a list. */
export const viewsQuery = (screen: ViewScreen) =>
  queryOptions({
    queryKey: ['views', screen],
    queryFn: async ({ signal }) => (await shop.get('/admin/views', { params: { query: { screen } }, signal })).items,
  })

export async function saveView(screen: ViewScreen, name: string, query: string): Promise<void> {
  await shop.post('/admin/views', { body: { screen, name, query } })
  await queryClient.invalidateQueries({ queryKey: viewsQuery(screen).queryKey })
}

export async function deleteView({ id, screen }: SavedView): Promise<void> {
  await shop.delete('/admin/views/{id}', { params: { path: { id } } })
  await queryClient.invalidateQueries({ queryKey: viewsQuery(screen).queryKey })
}

/** What a view keeps of the address bar: everything but the page. */
export function queryOfView({ page: _page, ...filters }: Filters): string {
  return stringifySearch(filters)
}

/** Whether these are the same filters, in whatever order they were chosen and on whatever page. */
export function areSame(one: Filters, other: Filters): boolean {
  return sorted(one) === sorted(other)
}

function sorted({ page: _page, ...filters }: Filters): string {
  return JSON.stringify(Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
