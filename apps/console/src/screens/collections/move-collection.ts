import { t } from 'i18next'
import { noticeUndo, succeeds } from '../../parts/notices.ts'
import { movesBack, movesTo, type Move } from '../../parts/order.ts'
import { saveMoves } from '../../parts/save-moves.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { collectionsQuery, type ListedCollection } from './collections-queries.ts'
import { refreshCollections } from './save-collection.ts'

/** Moves a collection to another place in the list, visible at once, with a notice to undo it. */
export async function moveCollection({ slug, title }: ListedCollection, index: number): Promise<void> {
  const collections = queryClient.getQueryData(collectionsQuery.queryKey)?.items ?? []
  const moves = movesTo(collections, slug, index)
  const back = movesBack(collections, moves)
  if (!(await succeeds(save(moves)))) return
  noticeUndo(t('collections.moved', { title, place: index + 1 }), () => save(back))
}

function save(moves: readonly Move[]): Promise<void> {
  const post = (body: Move): Promise<unknown> => shop.post('/admin/collections', { body })
  return saveMoves({ queryKey: collectionsQuery.queryKey, moves, post, refresh: refreshCollections })
}
