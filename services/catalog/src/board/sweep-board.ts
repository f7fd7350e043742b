import type { RedisClient } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { boardSettingsOf } from '../settings/board-settings.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { findBoardEntries, findVersionsAfter } from './board.queries.ts'
import type { Board } from './board.ts'

const PAGE = 500

/**
 * Compares the whole price board with the database and writes what is missing or older: after a crash between commit
 * and board, after Redis was away, after it was emptied.
 * @returns how many entries were repaired
 */
export async function sweepBoard(context: {
  db: Database
  redis: RedisClient
  board: Board
  publicUrl: string
}): Promise<number> {
  const { db, redis, board, publicUrl } = context
  if (redis.status !== 'ready') return 0
  await board.writeSettings(boardSettingsOf(await findSettings(db)))
  let repaired = 0
  let after = ''
  for (;;) {
    const page = await findVersionsAfter(db, after, PAGE)
    const onBoard = await board.readVersions(page.map((row) => row.variantId))
    const stale = page.filter((row, index) => {
      const known = onBoard[index]
      return known === undefined || known.facts < row.facts || known.stock < row.stock
    })
    if (stale.length > 0) {
      const ids = stale.map((row) => row.variantId)
      await board.writeEntries(await findBoardEntries(db, ids, publicUrl))
      repaired += stale.length
    }
    const last = page.at(-1)
    if (page.length < PAGE || !last) return repaired
    after = last.variantId
  }
}
