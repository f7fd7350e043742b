import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { noticeFailure } from '../../parts/notices.ts'
import { messageOf } from '../../shop.ts'
import type { ImportFile } from './import-file.ts'
import { cancelImport, importQuery, type ImportJob } from './import-queries.ts'
import type { ImportOptions } from './import-types.ts'
import { ImportRejected, uploadImport } from './upload-import.ts'

export type Run =
  | { state: 'idle' }
  | { state: 'sending'; sent: number; total: number; dryRun: boolean }
  | { state: 'rejected'; error: ImportRejected }
  /** The shop has the file: `job` is undefined until it was read. */
  | { state: 'taken'; id: string; job: ImportJob | undefined }

type Kept = Exclude<Run, { state: 'taken' }> | { state: 'taken'; id: string }

export interface ImportRun {
  run: Run
  reset: () => void
  /** @returns the id of the import, or undefined when the file was rejected, or its upload failed or was canceled */
  start: (file: ImportFile, options: ImportOptions & { dryRun: boolean }) => Promise<string | undefined>
  cancel: () => void
}

/** One file on its way into the shop, and what the shop makes of it. */
export function useImportRun(): ImportRun {
  const client = useQueryClient()
  const [kept, setKept] = useState<Kept>({ state: 'idle' })
  const abort = useRef<AbortController>(undefined)
  const id = kept.state === 'taken' ? kept.id : undefined
  const job = useQuery({ ...importQuery(id ?? ''), enabled: id !== undefined }).data

  const start: ImportRun['start'] = async (file, options) => {
    const controller = new AbortController()
    abort.current = controller
    const sending = { state: 'sending', total: file.body.size, dryRun: options.dryRun } as const
    setKept({ ...sending, sent: 0 })
    try {
      const { signal } = controller
      const newId = await uploadImport(file, {
        ...options,
        signal,
        onProgress: (sent) => setKept({ ...sending, sent }),
      })
      setKept({ state: 'taken', id: newId })
      return newId
    } catch (error) {
      const isStopped = error === controller.signal.reason
      const rejected = error instanceof ImportRejected ? error : new ImportRejected(messageOf(error))
      setKept(isStopped ? { state: 'idle' } : { state: 'rejected', error: rejected })
      return undefined
    } finally {
      // Read even where no list is shown: the request finds out whether the session has ended.
      void client.invalidateQueries({ queryKey: ['imports'], refetchType: 'all' })
    }
  }

  async function cancelInShop(importId: string): Promise<void> {
    await cancelImport(importId).catch(noticeFailure)
    await client.invalidateQueries({ queryKey: importQuery(importId).queryKey })
  }

  return {
    run: kept.state === 'taken' ? { ...kept, job } : kept,
    start,
    reset: () => setKept({ state: 'idle' }),
    cancel: () => (id === undefined ? abort.current?.abort() : void cancelInShop(id)),
  }
}
