import type { RedisClient } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { boardSettingsOf } from '../settings/board-settings.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { findBoardEntries, findVersionsAfter } from './board.queries.ts'
import type { Board } from './board.ts'

const PAGE = 500

/** Pages of one turn of the round that goes on all the time: 5,000 variants. */
const PAGES_A_TURN = 10

export interface BoardSweep {
  /** Goes on where the last turn ended. @returns how many entries were repaired */
  turn(): Promise<number>
  /** Makes the next turn a whole round: at the start, and after Redis was away or emptied. */
  wholeRound(): void
}

/**
 * Compares the price board with the database and writes what is missing or older. What a crash between commit and board
 * left behind is found by the whole round at the next start; the small turns in between are for what nobody thought of,
 * and cost the same however large the shop is.
 */
export function openBoardSweep(context: {
  db: Database
  redis: RedisClient
  board: Board
  publicUrl: string
}): BoardSweep {
  const { db, redis, board } = context
  let after = ''
  let isWhole = true

  return {
    wholeRound() {
      isWhole = true
    },
    async turn() {
      if (redis.status !== 'ready') return 0
      await board.writeSettings(boardSettingsOf(await findSettings(db)))
      const whole = isWhole
      isWhole = false
      if (whole) after = ''
      try {
        return await sweepPages(whole ? Infinity : PAGES_A_TURN)
      } catch (error) {
        isWhole ||= whole
        throw error
      }
    },
  }

  async function sweepPages(count: number): Promise<number> {
    let repaired = 0
    for (let page = 0; page < count; page++) {
      const swept = await sweepPage(context, after)
      repaired += swept.repaired
      after = swept.last ?? ''
      if (swept.last === undefined) break
    }
    return repaired
  }
}

/** @returns the last variant of the page; undefined when it was the last page */
async function sweepPage(
  { db, board, publicUrl }: { db: Database; board: Board; publicUrl: string },
  after: string,
): Promise<{ repaired: number; last: string | undefined }> {
  const page = await findVersionsAfter(db, after, PAGE)
  const onBoard = await board.readVersions(page.map((row) => row.variantId))
  const stale = page.filter((row, index) => {
    const known = onBoard[index]
    return known === undefined || known.facts < row.facts || known.stock < row.stock
  })
  if (stale.length > 0) {
    const ids = stale.map((row) => row.variantId)
    await board.writeEntries(await findBoardEntries(db, ids, publicUrl))
  }
  return { repaired: stale.length, last: page.length < PAGE ? undefined : page.at(-1)?.variantId }
}
