import type { ResponseOf } from '@storefront/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queryClient } from '../query-client.ts'
import { shop } from '../shop.ts'

export const MEDIA = ['media'] as const
const MEDIA_PER_PAGE = 24

export type MediaWithUses = ResponseOf<'GET /admin/media/{id}'>
export type Uses = MediaWithUses['uses']
export type ListedMedia = ResponseOf<'GET /admin/media'>['items'][number]

interface MediaFilters {
  q: string
  /** Only those that nothing in the shop shows. */
  unused?: boolean
  page: number
}

/** A page of the uploaded pictures, newest first. */
export const mediaQuery = ({ q, unused = false, page }: MediaFilters) =>
  queryOptions({
    queryKey: [...MEDIA, 'list', q, unused, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      shop.get('/admin/media', {
        params: {
          query: { page, per_page: MEDIA_PER_PAGE, ...(q !== '' && { q }), ...(unused && { unused: 'true' as const }) },
        },
        signal,
      }),
  })

export function readMedia(id: string, signal?: AbortSignal): Promise<MediaWithUses> {
  return shop.get('/admin/media/{id}', { params: { path: { id } }, ...(signal && { signal }) })
}

/** One picture, with where it is used. */
export const oneMediaQuery = (id: string) =>
  queryOptions({
    queryKey: [...MEDIA, 'one', id],
    queryFn: ({ signal }) => readMedia(id, signal),
  })

export async function refreshMedia(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: MEDIA })
}
