import type { components, ResponseOf } from '@storefront/client'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { shop } from '../../../shop.ts'

export type BulkEdit = ResponseOf<'GET /admin/products/bulk/{id}'>
export type BulkProblem = BulkEdit['problems'][number]
export type BulkPreview = ResponseOf<'POST /admin/products/bulk/preview'>
export type BulkSample = BulkPreview['sample'][number]
export type BulkRequest = components['schemas']['BulkEditRequestInput']
export type BulkChange = BulkRequest['change']
export type BulkSelection = BulkRequest['products']

export const BULK_KEY = 'bulk-edits'
const POLL_MS = 700
/** A preview of a whole shop takes some seconds. */
const PREVIEW_TIMEOUT_MS = 60_000
const LATEST = 5

/** Whether it still changes products, or is going to. */
export function isOpen({ state }: Pick<BulkEdit, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** The latest ones, for the list of products; read again and again while one of them is open. */
export const latestBulkEditsQuery = queryOptions({
  queryKey: [BULK_KEY, 'latest'],
  queryFn: async ({ signal }) =>
    (await shop.get('/admin/products/bulk', { params: { query: { per_page: LATEST } }, signal })).items,
  refetchInterval: ({ state }) => (state.data?.some(isOpen) === true ? POLL_MS : false),
})

/** All of the last thirty days, the latest first. */
export const bulkEditsQuery = infiniteQueryOptions({
  queryKey: [BULK_KEY, 'list'],
  queryFn: ({ pageParam, signal }) =>
    shop.get('/admin/products/bulk', {
      params: { query: pageParam === '' ? {} : { before_id: pageParam } },
      signal,
    }),
  initialPageParam: '',
  getNextPageParam: ({ nextBeforeId }) => nextBeforeId,
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ items }) => items.some(isOpen)) === true ? POLL_MS : false,
})

export function bulkEditQuery(id: string) {
  return queryOptions({
    queryKey: [BULK_KEY, 'one', id],
    queryFn: ({ signal }) => shop.get('/admin/products/bulk/{id}', { params: { path: { id } }, signal }),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? POLL_MS : false),
  })
}

/** What a bulk edit would do; nothing is requested while it is not clear what it is to do. */
export function previewQuery(products: BulkSelection, change: BulkChange | undefined) {
  return queryOptions({
    queryKey: [BULK_KEY, 'preview', products, change],
    queryFn: ({ signal }) => {
      if (!change) throw new Error('There is nothing to preview.')
      const body = { products, change }
      return shop.post('/admin/products/bulk/preview', { body, signal, timeoutMs: PREVIEW_TIMEOUT_MS })
    },
    enabled: change !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}
