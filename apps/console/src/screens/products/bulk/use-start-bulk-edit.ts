import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'
import { randomKey } from '../../../parts/random-key.ts'
import { shop } from '../../../shop.ts'
import { BULK_KEY, type BulkEdit, type BulkRequest } from './bulk-queries.ts'

/** Starts bulk edits. The same one is started once, however often it is sent: prices must not fall twice. */
export function useStartBulkEdit(): UseMutationResult<BulkEdit, Error, BulkRequest> {
  const queries = useQueryClient()
  const keys = useRef(new Map<string, string>())

  function keyOf(request: BulkRequest): string {
    const text = JSON.stringify(request)
    const key = keys.current.get(text) ?? randomKey()
    keys.current.set(text, key)
    return key
  }

  return useMutation({
    mutationFn: (body: BulkRequest) =>
      shop.post('/admin/products/bulk', { params: { header: { 'idempotency-key': keyOf(body) } }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [BULK_KEY] }),
  })
}
