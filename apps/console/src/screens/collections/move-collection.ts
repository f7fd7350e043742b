import { t } from 'i18next'
import { noticeUndo, succeeds } from '../../parts/notices.ts'
import { movedBy, movesBack, movesTo, type Move } from '../../parts/order.ts'
import { serializeSave } from '../../parts/serialize-save.ts'
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

async function save(moves: readonly Move[]): Promise<void> {
  const { queryKey } = collectionsQuery
  await serializeSave({
    queryKey,
    show() {
      queryClient.setQueryData(queryKey, (before) => before && { ...before, items: movedBy(before.items, moves) })
    },
    async send() {
      for (const body of moves) await shop.post('/admin/collections', { body })
    },
    refresh: () => void refreshCollections(),
  })
}
