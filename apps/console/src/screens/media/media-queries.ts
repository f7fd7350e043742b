import type { ResponseOf } from '@storefront/client'
import { queryOptions } from '@tanstack/react-query'
import { MEDIA } from '../../parts/media-queries.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'

export type MediaWithUses = ResponseOf<'GET /admin/media/{id}'>
export type Uses = MediaWithUses['uses']

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
