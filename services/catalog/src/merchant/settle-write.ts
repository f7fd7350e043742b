import { SURROGATE_PURGE } from '@storefront/chassis'
import type { Board, WithdrawnVariant } from '../board/board.ts'
import { findBoardEntriesOfProducts } from '../board/board.queries.ts'
import { readBoardSettings } from '../board/read-settings.ts'
import type { Database } from '../database.ts'

/** What a merchant's write leaves to be told to others once it is committed. */
export interface Aftermath {
  /** Surrogate keys of every answer that is out of date. */
  keys: readonly string[]
  /** Products whose price board entries are out of date. */
  productIds?: readonly string[]
  /** Variants that are gone. */
  removed?: readonly WithdrawnVariant[]
  settingsChanged?: boolean
}

export interface SettleContext {
  db: Database
  board: Board
  publicUrl: string
  purge: (keys: readonly string[]) => void
}

/** Products whose board entries are in memory at once. */
const BOARD_CHUNK = 500
const MAX_PURGE_KEYS = 100

/**
 * Follows a committed write up: the price board, and every cached answer that it made untrue. Should the process end
 * before, the sweep of the board and the age of the cached answers mend it.
 * @param reply carries the keys to the gateway that the request came through, which drops them before it answers
 */
export async function settleWrite(
  { db, board, publicUrl, purge }: SettleContext,
  { keys, productIds = [], removed = [], settingsChanged = false }: Aftermath,
  reply: { header: (name: string, value: string) => unknown } | undefined,
): Promise<void> {
  if (settingsChanged) await board.writeSettings(await readBoardSettings(db))
  await board.withdraw(removed)
  for (let start = 0; start < productIds.length; start += BOARD_CHUNK) {
    const ids = productIds.slice(start, start + BOARD_CHUNK)
    await board.writeEntries(await findBoardEntriesOfProducts(db, ids, publicUrl))
  }
  const bounded = boundedKeys(keys)
  if (bounded.length === 0) return
  purge(bounded)
  reply?.header(SURROGATE_PURGE, bounded.join(' '))
}

/** A header holds only so many keys: a large write drops everything instead. */
function boundedKeys(keys: readonly string[]): string[] {
  const distinct = [...new Set(keys)]
  return distinct.length > MAX_PURGE_KEYS ? ['*'] : distinct
}
