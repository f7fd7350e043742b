import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDone, noticeUndo } from '../../parts/notices.ts'
import { editInBulk, type BulkDeed } from './bulk-edit.ts'
import type { NamedFailure } from './bulk-failures.tsx'
import { PRODUCTS_KEY, type AdminProduct } from './products-queries.ts'

export interface BulkEdit {
  /** How far it is; undefined while nothing runs. */
  running: { done: number; count: number } | undefined
  failures: readonly NamedFailure[]
  closeFailures: () => void
  start: (deed: BulkDeed) => Promise<void>
}

/** @param onDone called with the ids that stay picked: those that were not changed */
export function useBulkEdit(products: readonly AdminProduct[], onDone: (left: readonly string[]) => void): BulkEdit {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [running, setRunning] = useState<BulkEdit['running']>()
  const [failures, setFailures] = useState<readonly NamedFailure[]>([])

  /** @returns the ids that were changed */
  async function edit(ids: readonly string[], deed: BulkDeed): Promise<readonly string[]> {
    const titles = new Map(products.map(({ id, title }) => [id, title]))
    setRunning({ done: 0, count: ids.length })
    const failed = await editInBulk(ids, deed, (done) => setRunning({ done, count: ids.length }))
    setRunning(undefined)
    setFailures(failed.map((failure) => ({ ...failure, title: titles.get(failure.id) ?? failure.id })))
    await queries.invalidateQueries({ queryKey: [PRODUCTS_KEY] })
    const failedIds = new Set(failed.map(({ id }) => id))
    return ids.filter((id) => !failedIds.has(id))
  }

  async function start(deed: BulkDeed): Promise<void> {
    const ids = products
      .filter(({ published }) => deed === 'delete' || published !== (deed === 'publish'))
      .map(({ id }) => id)
    if (ids.length === 0) {
      return noticeDone(t(deed === 'publish' ? 'products.bulk.already.publish' : 'products.bulk.already.unpublish'))
    }
    const changed = await edit(ids, deed)
    onDone(ids.filter((id) => !changed.includes(id)))
    if (changed.length === 0) return
    const message = t(`products.bulk.done.${deed}`, { count: changed.length })
    if (deed === 'delete') return noticeDone(message)
    noticeUndo(message, () => edit(changed, deed === 'publish' ? 'unpublish' : 'publish'))
  }

  return { running, failures, closeFailures: () => setFailures([]), start }
}
