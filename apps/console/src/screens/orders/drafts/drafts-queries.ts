import type { components, ResponseOf } from '@storefront/client'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queryClient } from '../../../query-client.ts'
import { shop } from '../../../shop.ts'

export type Draft = ResponseOf<'GET /admin/draft-orders/{id}'>
export type DraftSummary = ResponseOf<'GET /admin/draft-orders'>['items'][number]
export type DraftQuote = components['schemas']['DraftOrderQuote']
export type DraftBody = components['schemas']['DraftOrderBodyInput']
export type DraftChange = components['schemas']['DraftOrderChangeInput']

/** A draft, and the tag of what was read, so that no change of someone else is overwritten. */
export interface ReadDraft {
  draft: Draft
  etag: string
}

const PER_PAGE = 25
/** Below the key of orders, so that live updates about orders also refresh drafts. */
const DRAFTS = ['orders', 'drafts'] as const
const FRESH_MS = 30_000

export const DRAFT_STATUSES = ['open', 'sent', 'ordered', 'cancelled'] as const
export type DraftStatus = (typeof DRAFT_STATUSES)[number]

export const draftsQuery = (status: DraftStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: [...DRAFTS, 'list', status],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam: cursor, signal }) =>
      shop.get('/admin/draft-orders', {
        params: { query: { per_page: PER_PAGE, ...(status && { status }), ...(cursor !== '' && { cursor }) } },
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const draftQuery = (id: string) =>
  queryOptions({
    queryKey: [...DRAFTS, 'one', id],
    queryFn: async ({ signal }): Promise<ReadDraft> =>
      readOf(await shop.http.GET('/admin/draft-orders/{id}', { params: { path: { id } }, signal })),
  })

/** What these goods cost, at this address. */
export const quoteQuery = (body: DraftBody | undefined) =>
  queryOptions({
    queryKey: ['draft-quote', body],
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    queryFn: ({ signal }) => {
      if (body === undefined) throw new Error('There is nothing to price.')
      return shop.post('/admin/draft-orders/quote', { body, signal })
    },
  })

/**
 * The payment link, if it was made in this window: the shop shows it once, so that it is never read again. A link that
 * was sent later, in another window, has ended it.
 */
export const linkQuery = ({ id, sentAt = '' }: Pick<Draft, 'id' | 'sentAt'>) =>
  queryOptions<string | null>({ queryKey: ['draft-link', id, sentAt], queryFn: () => null, staleTime: 'static' })

export async function createDraft(body: DraftBody): Promise<ReadDraft> {
  return showDraft(readOf(await shop.http.POST('/admin/draft-orders', { body })))
}

/** @param etag of the draft that the change began with */
export async function changeDraft(id: string, etag: string, body: DraftChange): Promise<ReadDraft> {
  const params = { path: { id }, header: { 'if-match': etag } }
  return showDraft(readOf(await shop.http.PATCH('/admin/draft-orders/{id}', { params, body })))
}

/** @param mail whether the shop mails the link to the buyer */
export async function sendDraft({ draft: { id }, etag }: ReadDraft, mail: boolean): Promise<void> {
  const params = { path: { id }, header: { 'if-match': etag } }
  const { data, response } = await shop.http.POST('/admin/draft-orders/{id}/send', { params, body: { mail } })
  if (!data) throw new Error('The shop sent no draft order.')
  const { url, ...draft } = data
  queryClient.setQueryData(linkQuery(draft).queryKey, url)
  showDraft(readOf({ data: draft, response }))
}

export async function cancelDraft({ draft: { id }, etag }: ReadDraft): Promise<void> {
  const params = { path: { id }, header: { 'if-match': etag } }
  showDraft(readOf(await shop.http.DELETE('/admin/draft-orders/{id}', { params })))
}

function readOf({ data, response }: { data?: Draft; response: Response }): ReadDraft {
  if (!data) throw new Error('The shop sent no draft order.')
  return { draft: data, etag: response.headers.get('etag') ?? '' }
}

function showDraft(read: ReadDraft): ReadDraft {
  queryClient.setQueryData(draftQuery(read.draft.id).queryKey, read)
  void queryClient.invalidateQueries({ queryKey: [...DRAFTS, 'list'] })
  return read
}
