import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { snapshot, type App, type Log } from '@storefront/chassis'
import { NDJSON } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { allowLongReading } from './export.queries.ts'
import { exportedRows } from './exported-rows.ts'
import { asJson, asNdjson } from './write-export.ts'

/** Described as what an import takes, and not checked: it is a stream. */
const Catalogue = z.unknown().meta({ $ref: '#/components/schemas/ImportBody' })

/** All of the shop as an import with `replace` would need it to make the same shop again. */
export function exportCatalogueRoute(app: App, { db, log }: { db: Database; log: Log }): void {
  app.get(
    '/admin/export',
    {
      config: { access: { admin: 'catalog:read' } },
      schema: {
        tags: ['Admin: catalogue'],
        summary: 'The whole shop in the form of an import; as NDJSON when the caller accepts it',
        produces: ['application/json', NDJSON],
        response: { 200: Catalogue },
      },
    },
    async ({ headers }, reply) => {
      const isNdjson = headers.accept?.toLowerCase().includes(NDJSON) === true
      const answer = new PassThrough()
      // Ends with the answer: a caller that goes away ends the reading, and gives the connection back.
      snapshot(db, async (reading) => {
        await allowLongReading(reading)
        const rows = exportedRows(reading)
        await pipeline(Readable.from(isNdjson ? asNdjson(rows) : asJson(rows)), answer)
      }).catch((error: unknown) => {
        log.info({ err: error }, 'an export ended early')
        answer.destroy(error instanceof Error ? error : new Error(String(error)))
      })
      return reply.type(isNdjson ? NDJSON : 'application/json; charset=utf-8').send(answer)
    },
  )
}
