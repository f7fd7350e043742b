import { t } from 'i18next'
import { noticeDone, noticeUndo, succeeds } from '../../parts/notices.ts'
import { serializeSave } from '../../parts/serialize-save.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { REVIEWS, type Review, type ReviewList } from './reviews-queries.ts'

export type Decision = 'published' | 'hidden'

/** Publishes or hides a review: it leaves the list at once, and returns if the shop rejects that. */
export async function moderateReview(review: Review, status: Decision): Promise<void> {
  const { id, author } = review
  const isDone = await takesFromLists(id, async () => {
    await shop.patch('/admin/reviews/{id}', { params: { path: { id } }, body: { status } })
  })
  if (!isDone) return
  const message = t(`reviews.did.${status}`, { author })
  const former = formerStatus(review, status)
  if (former === undefined) noticeDone(message)
  else noticeUndo(message, () => undo(review, former), t(`reviews.did.${former}`, { author }))
}

/**
 * The status that undoes a decision. A decided review cannot be pending again: publishing a pending one is undone
 * by hiding it, and hiding a pending one has changed nothing that shoppers see.
 */
function formerStatus({ status: before }: Review, status: Decision): Decision | undefined {
  if (before !== 'pending') return before
  return status === 'published' ? 'hidden' : undefined
}

async function undo({ id }: Review, status: Decision): Promise<void> {
  await shop.patch('/admin/reviews/{id}', { params: { path: { id } }, body: { status } })
  void queryClient.invalidateQueries({ queryKey: REVIEWS })
}

export async function deleteReview({ id, author }: Review): Promise<void> {
  const isDone = await takesFromLists(id, async () => {
    await shop.delete('/admin/reviews/{id}', { params: { path: { id } } })
  })
  if (isDone) noticeDone(t('reviews.did.deleted', { author }))
}

/** The lists are read after the last of several decisions: before, they would show again what was just decided on. */
function takesFromLists(id: string, send: () => Promise<void>): Promise<boolean> {
  return succeeds(
    serializeSave({
      queryKey: REVIEWS,
      show: () => removeFromLists(id),
      send,
      refresh: () => void queryClient.invalidateQueries({ queryKey: REVIEWS }),
    }),
  )
}

function removeFromLists(id: string): void {
  queryClient.setQueriesData({ queryKey: REVIEWS }, (list: ReviewList | number | undefined) =>
    typeof list === 'object' ? { ...list, items: list.items.filter((review) => review.id !== id) } : list,
  )
}
