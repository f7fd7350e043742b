import type { ResponseOf } from '@storefront/client'
import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'

export type Library = ResponseOf<'GET /admin/library'>
export type Attribute = Library['attributes'][number]
/** A feature or an assurance: an icon and a text. */
export type Card = Library['features'][number] | Library['assurances'][number]
export const KINDS = ['attributes', 'features', 'assurances'] as const
export type Kind = (typeof KINDS)[number]
export type CardKind = Exclude<Kind, 'attributes'>

/** The heading and the text of a feature or an assurance. */
export function textsOf(card: Card): { title: string; text: string } {
  return 'title' in card ? { title: card.title, text: card.body } : { title: card.label, text: card.note ?? '' }
}

/** What the store saved for use on its products. */
export const libraryQuery = queryOptions({
  queryKey: ['library'],
  queryFn: () => shop.get('/admin/library'),
})

/** The vocabulary, which has the built-in groups and icons, and the library. */
export const vocabularyQuery = queryOptions({
  queryKey: ['attributes'],
  queryFn: () => shop.get('/attributes'),
  staleTime: 5 * 60_000,
})

export async function refreshLibrary(): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: vocabularyQuery.queryKey })
  await queryClient.invalidateQueries({ queryKey: libraryQuery.queryKey })
}
