import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { noticeFailure } from '../../parts/notices.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { timelineQuery, type Order, type TimelineStep } from './orders-queries.ts'

export interface Note {
  id: string
  text: string
  at: string
  /** Id of the user or the key that wrote it. */
  author: string | undefined
  name: string | undefined
}

/** The notes in the timeline of an order, the latest first. */
export function notesIn(steps: readonly TimelineStep[]): Note[] {
  return steps
    .flatMap(({ kind, detail: { id, text }, at, actor, by }) =>
      kind === 'note' && typeof id === 'string' && typeof text === 'string'
        ? [{ id, text, at, author: actor, name: by?.name ?? undefined }]
        : [],
    )
    .toReversed()
}

/** @throws StorefrontError when the note was not saved */
export async function writeNote({ id }: Order, text: string): Promise<void> {
  const { queryKey } = timelineQuery(id)
  const step = await shop.post('/admin/orders/{id}/notes', { params: { path: { id } }, body: { text } })
  queryClient.setQueryData(queryKey, (shown) => shown && { ...shown, items: [...shown.items, step] })
  void queryClient.invalidateQueries({ queryKey })
}

export function useDeleteNote({ id }: Order): UseMutationResult<unknown, Error, Note> {
  return useMutation({
    mutationFn: (note: Note) =>
      shop.delete('/admin/orders/{id}/notes/{noteId}', { params: { path: { id, noteId: note.id } } }),
    onError: (error) => noticeFailure(error),
    // Also after an error: another person may have deleted the note first.
    onSettled: () => queryClient.invalidateQueries({ queryKey: timelineQuery(id).queryKey }),
  })
}
