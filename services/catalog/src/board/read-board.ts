import { answer, type ActorVerifier, type Log, type Messaging } from '@storefront/chassis'
import { ReadBoard } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findBoardEntries } from './board.queries.ts'
import type { Board } from './board.ts'
import { readBoardSettings } from './read-settings.ts'

/** The board from its owner, for a cart that could not read it in Redis. What was missing there is written on the way. */
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
    const settings = await readBoardSettings(db)
    void board.writeEntries(entries).then(() => board.writeSettings(settings))
    return { entries, settings }
  })
}
