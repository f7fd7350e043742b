import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { snapshot } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { NDJSON } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { readDiscounts } from './request-discounts.ts'
import { allowLongReading } from './export.queries.ts'
import { asJson, asNdjson } from './write-export.ts'

/** Described as the input of an import, and not validated, because it is a stream. */
const Catalog = z.unknown().meta({ $ref: '#/components/schemas/ImportBodyInput' })

/**
 * The whole shop in a form from which an import with `replace` recreates it. Callers without the permission to read
 * discounts get no discounts. While cart does not reply the export fails, because an incomplete export must not look
 * complete.
 */
export function exportCatalogRoute(app: App, { db, log, messaging }: CatalogContext): void {
  app.get('/admin/export', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'The whole shop in the form of an import; as NDJSON when the caller accepts it',
      description:
        'Importing it with `replace` makes the same shop again. Discounts are included for callers who have ' +
        '`discounts:write`; pictures are given by their addresses.',
      produces: ['application/json', NDJSON],
      response: { 200: Catalog },
    },
    handler: async ({ headers, actor }, reply) => {
      const mayReadDiscounts = actor.kind === 'admin' && actor.permissions.includes('discounts:write')
      const discounts = mayReadDiscounts ? await readDiscounts(messaging) : undefined
      const isNdjson = headers.accept?.toLowerCase().includes(NDJSON) === true
      const body = new PassThrough()
      // Reading ends with the response, so that a client that disconnects does not occupy the database connection.
      snapshot(db, async (reading) => {
        await allowLongReading(reading)
        const texts = isNdjson ? asNdjson(reading, discounts) : asJson(reading, discounts)
        await pipeline(Readable.from(texts), body)
      }).catch((error: unknown) => {
        log.info({ err: error }, 'an export ended early')
        body.destroy(error instanceof Error ? error : new Error(String(error)))
      })
      return reply
        .type(isNdjson ? NDJSON : 'application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="shop.${isNdjson ? 'ndjson' : 'json'}"`)
        .send(body)
    },
  })
}
