import type { QueryKey } from '@tanstack/react-query'
import { queryClient } from '../query-client.ts'

interface Save {
  /** The list that changes. */
  queryKey: QueryKey
  /** Shows the change before it is saved. */
  show: () => void
  send: () => Promise<void>
  /** Reads what the shop has now, after the last of several saves. */
  refresh: () => void
}

/**
 * Saves a change of a list, visible at once. The changes of one list are sent one after the other, because each builds on
 * what the one before has saved, and what others change shows only after the last of them.
 * @throws what `send` throws
 */
export async function serializeSave({ queryKey, show, send, refresh }: Save): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  show()
  const saving = queryClient.getMutationCache().build(queryClient, {
    mutationKey: queryKey,
    scope: { id: JSON.stringify(queryKey) },
    networkMode: 'always',
    mutationFn: send,
  })
  try {
    await saving.execute(undefined)
  } finally {
    if (!isBeingSaved(queryKey)) refresh()
  }
}

/** Whether a change of a list is on its way, so that what the shop has now is not what is shown. */
export function isBeingSaved(queryKey: QueryKey): boolean {
  return queryClient.isMutating({ mutationKey: queryKey }) > 0
}
