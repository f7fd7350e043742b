import type { QueryKey } from '@tanstack/react-query'
import { queryClient } from '../query-client.ts'
import { movedBy, type Move, type Ordered } from './order.ts'
import { serializeSave } from './serialize-save.ts'

interface MovesOf<Each extends Move> {
  /** The list, whose records are its `items`. */
  queryKey: QueryKey
  moves: readonly Each[]
  post: (move: Each) => Promise<unknown>
  refresh: () => Promise<void>
}

/** Saves moves of records in a list one after the other, all of them visible at once. */
export async function saveMoves<Each extends Move>({ queryKey, moves, post, refresh }: MovesOf<Each>): Promise<void> {
  await serializeSave({
    queryKey,
    show() {
      queryClient.setQueryData<{ items: readonly Ordered[] }>(
        queryKey,
        (list) => list && { ...list, items: movedBy<Ordered>(list.items, moves) },
      )
    },
    async send() {
      for (const move of moves) await post(move)
    },
    refresh: () => void refresh(),
  })
}
