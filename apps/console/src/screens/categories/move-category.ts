import { t } from 'i18next'
import { noticeUndo, succeeds } from '../../parts/notices.ts'
import { saveMoves } from '../../parts/save-moves.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { categoriesQuery, type Category } from './categories-queries.ts'
import { refreshCategories } from './save-category.ts'
import { movesBackFrom, movesToPosition, type CategoryMove, type TreePosition } from './category-order.ts'

/** Moves a category, visible at once, with a notice to undo it. */
export async function moveCategory(category: Category, position: TreePosition): Promise<void> {
  const categories = queryClient.getQueryData(categoriesQuery.queryKey)?.items ?? []
  const moves = movesToPosition(categories, category.slug, position)
  const back = movesBackFrom(categories, moves)
  const parent = categories.find(({ slug }) => slug === position.parent)?.name
  if (!(await succeeds(save(moves)))) return
  const { name } = category
  const message =
    parent === undefined
      ? t('categories.movedTop', { name, place: position.index + 1 })
      : t('categories.moved', { name, parent, place: position.index + 1 })
  noticeUndo(message, () => save(back), t('categories.movedBack', { name }))
}

function save(moves: readonly CategoryMove[]): Promise<void> {
  const post = (body: CategoryMove): Promise<unknown> => shop.post('/admin/categories', { body })
  return saveMoves({ queryKey: categoriesQuery.queryKey, moves, post, refresh: refreshCategories })
}
