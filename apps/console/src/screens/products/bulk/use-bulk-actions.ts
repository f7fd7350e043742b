import { useMutation, useQueryClient } from '@tanstack/react-query'
import { noticeFailure } from '../../../parts/notices.ts'
import { shop } from '../../../shop.ts'
import { BULK_KEY } from './bulk-queries.ts'

/** Cancels bulk edits, and undoes them. */
export function useBulkActions() {
  const queries = useQueryClient()
  const shared = {
    onError: noticeFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: [BULK_KEY] }),
  }
  const cancel = useMutation({
    mutationFn: (id: string) => shop.delete('/admin/products/bulk/{id}', { params: { path: { id } } }),
    ...shared,
  })
  const undo = useMutation({
    mutationFn: (id: string) => shop.post('/admin/products/bulk/{id}/undo', { params: { path: { id } } }),
    ...shared,
  })
  return { isPending: cancel.isPending || undo.isPending, cancel: cancel.mutate, undo: undo.mutate }
}
