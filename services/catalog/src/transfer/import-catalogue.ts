import { z } from 'zod'
import { SURROGATE_PURGE, transaction, type App, type Clock, type Log } from '@storefront/chassis'
import { ImportBody } from '@storefront/contracts'
import type { Board } from '../board/board.ts'
import { findBoardEntriesOfProducts } from '../board/board.queries.ts'
import type { Database } from '../database.ts'
import { importRefused } from '../errors.ts'
import { isTaken } from '../products/save-products.ts'
import { boardSettingsOf } from '../settings/board-settings.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { importInTransaction } from './import-in-transaction.ts'

/** Products whose board entries are in memory at once. */
const BOARD_CHUNK = 500
const IMPORT_BODY_LIMIT = 256 * 1024 * 1024

const Counts = z.object({ created: z.int(), updated: z.int(), deleted: z.int(), unchanged: z.int() })
const ImportResult = z.object({
  ok: z.literal(true),
  mode: z.string(),
  counts: z.object({ products: Counts }),
  durationMs: z.int(),
})

export interface ImportContext {
  db: Database
  clock: Clock
  log: Log
  publicUrl: string
  board: Board
  purge: (keys: readonly string[]) => void
}

/** Loads a catalogue: all of it or nothing. `merge` leaves the rest alone, `replace` makes the catalogue exactly this. */
export function importCatalogueRoute(app: App, context: ImportContext): void {
  app.post(
    '/admin/import',
    {
      config: { access: { admin: 'catalog:write' } },
      bodyLimit: IMPORT_BODY_LIMIT,
      schema: {
        tags: ['Admin: catalogue'],
        summary: 'Load a catalogue, all or nothing',
        body: ImportBody,
        response: { 200: ImportResult },
      },
    },
    async ({ body }, reply) => {
      const startedMs = context.clock.now().getTime()
      const { keys, counts } = await importCatalogue(body, context)
      reply.header(SURROGATE_PURGE, keys.join(' '))
      return {
        ok: true as const,
        mode: body.mode,
        counts,
        durationMs: context.clock.now().getTime() - startedMs,
      }
    },
  )
}

async function importCatalogue(body: ImportBody, context: ImportContext) {
  const { db, board, publicUrl, purge } = context
  const done = await transaction(db, (tx) => importInTransaction(tx, body, context)).catch((error: unknown) => {
    if (isTaken(error)) throw importRefused([{ path: 'products', message: 'a slug or SKU was taken meanwhile' }])
    throw error
  })
  if (done.settingsChanged) await board.writeSettings(boardSettingsOf(await findSettings(db)))
  await board.writeEntries(done.removed)
  for (let start = 0; start < done.productIds.length; start += BOARD_CHUNK) {
    const ids = done.productIds.slice(start, start + BOARD_CHUNK)
    await board.writeEntries(await findBoardEntriesOfProducts(db, ids, publicUrl))
  }
  const keys = boundedKeys(done.keys)
  if (keys.length > 0) purge(keys)
  return { keys, counts: { products: done.products } }
}

const MAX_PURGE_KEYS = 100

/** A header holds only so many keys: a large write drops everything instead. */
function boundedKeys(keys: readonly string[]): string[] {
  return keys.length > MAX_PURGE_KEYS ? ['*'] : [...keys]
}
