import { z } from 'zod'
import { transaction, type App, type Clock, type Log } from '@storefront/chassis'
import { ImportBody } from '@storefront/contracts'
import { recordImport } from '../audit/record-change.ts'
import { importRefused } from '../errors.ts'
import { settleWrite, type SettleContext } from '../merchant/settle-write.ts'
import { isTaken } from '../products/save-products.ts'
import { importInTransaction } from './import-in-transaction.ts'

/** A body is parsed whole, and takes several times its size in memory. */
const IMPORT_BODY_LIMIT = 32 * 1024 * 1024

const Counts = z.object({ created: z.int(), updated: z.int(), deleted: z.int(), unchanged: z.int() })
const ImportResult = z.object({
  ok: z.literal(true),
  mode: z.string(),
  counts: z.object({ products: Counts }),
  durationMs: z.int(),
})

export interface ImportContext extends SettleContext {
  clock: Clock
  log: Log
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
    async ({ body, actor, id }, reply) => {
      const startedMs = context.clock.now().getTime()
      const imported = await transaction(context.db, async (tx) => {
        const done = await importInTransaction(tx, body, context)
        const summary = { mode: body.mode, products: done.products, settingsChanged: done.settingsChanged }
        await recordImport(tx, { actor, id, summary, at: context.clock.now() })
        return done
      }).catch((error: unknown) => {
        if (isTaken(error)) throw importRefused([{ path: 'products', message: 'a slug or SKU was taken meanwhile' }])
        throw error
      })
      await settleWrite(context, imported, reply)
      return {
        ok: true as const,
        mode: body.mode,
        counts: { products: imported.products },
        durationMs: context.clock.now().getTime() - startedMs,
      }
    },
  )
}
