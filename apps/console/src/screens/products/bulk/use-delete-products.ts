import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDone } from '../../../parts/notices.ts'
import { PRODUCTS_KEY, type AdminProduct } from '../products-queries.ts'
import type { NamedFailure } from './delete-failures.tsx'
import { deleteProducts } from './delete-products.ts'

export interface Deletion {
  /** How far it is; undefined while nothing runs. */
  running: { done: number; count: number } | undefined
  failures: readonly NamedFailure[]
  closeFailures: () => void
  start: (products: readonly AdminProduct[]) => Promise<void>
}

/** @param onDone called with the ids that stay picked: those that were not deleted */
export function useDeleteProducts(onDone: (left: readonly string[]) => void): Deletion {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [running, setRunning] = useState<Deletion['running']>()
  const [failures, setFailures] = useState<readonly NamedFailure[]>([])

  async function start(products: readonly AdminProduct[]): Promise<void> {
    const count = products.length
    const titles = new Map(products.map(({ id, title }) => [id, title]))
    setRunning({ done: 0, count })
    const failed = await deleteProducts([...titles.keys()], (done) => setRunning({ done, count }))
    setRunning(undefined)
    setFailures(failed.map((failure) => ({ ...failure, title: titles.get(failure.id) ?? failure.id })))
    await queries.invalidateQueries({ queryKey: [PRODUCTS_KEY] })
    onDone(failed.map(({ id }) => id))
    const deleted = count - failed.length
    if (deleted > 0) noticeDone(t('products.bulk.deleted', { count: deleted }))
  }

  return { running, failures, closeFailures: () => setFailures([]), start }
}
