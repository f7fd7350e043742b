import { answer, type ActorVerifier, type Log, type Messaging } from '@storefront/chassis'
import { ReadBoard } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { boardSettingsOf } from '../settings/settings-in-force.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { findBoardEntries } from './board.queries.ts'
import type { Board } from './board.ts'

/**
 * The price projection from its owner, for a cart that could not read it in Redis. Entries that were missing there are
 * written as well.
 */
export function answerReadBoard(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
  board: Board
  publicUrl: string
}): void {
  const { db, board, publicUrl } = context
  answer(context, ReadBoard, async ({ variantIds }) => {
    const entries = await findBoardEntries(db, variantIds, publicUrl)
    const settings = boardSettingsOf(await findSettings(db))
    void board.writeEntries(entries).then(() => board.writeSettings(settings))
    return { entries, settings }
  })
}
