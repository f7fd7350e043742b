import type { ResponseOf } from '@storefront/client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { shop } from '../../shop.ts'

export type ImportJob = ResponseOf<'GET /admin/import/{id}'>
export type ImportResult = NonNullable<ImportJob['result']>
export type Issue = NonNullable<ImportJob['issues']>[number]

const POLL_MS = 500
const LIST_POLL_MS = 3000

export function isRunning({ status }: Pick<ImportJob, 'status'>): boolean {
  return status !== 'done' && status !== 'failed' && status !== 'cancelled'
}

/** One import, read again until it has ended. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['import', id],
    queryFn: ({ signal }) => shop.get('/admin/import/{id}', { params: { path: { id } }, signal }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? POLL_MS : false),
    // It goes on in the shop while the person looks elsewhere.
    refetchIntervalInBackground: true,
  })

/** The imports of the last thirty days, latest first. */
export const importsQuery = infiniteQueryOptions({
  queryKey: ['imports'],
  initialPageParam: '',
  queryFn: ({ pageParam, signal }) =>
    shop.get('/admin/imports', { params: { query: pageParam === '' ? {} : { before_id: pageParam } }, signal }),
  getNextPageParam: (last) => last.nextBeforeId,
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ items }) => items.some(isRunning)) === true ? LIST_POLL_MS : false,
})

export async function cancelImport(id: string): Promise<void> {
  await shop.delete('/admin/import/{id}', { params: { path: { id } } })
}
