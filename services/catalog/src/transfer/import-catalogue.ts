import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { Refusal, type App, type Timer } from '@storefront/chassis'
import { CSV, ImportBody, ImportJob, ImportMode, ImportResult, NDJSON } from '@storefront/contracts'
import { csvMustMerge, importNotFound, importRowsRefused, unsupportedHere, uploadBroken } from '../errors.ts'
import { currencyOf } from '../settings/board-settings.ts'
import { findSettings } from '../settings/settings.queries.ts'
import type { Reading } from './import-rows.ts'
import { jobAnswer } from './job-answer.ts'
import { findJob, finishJob, insertJob, saveProgress } from './jobs.queries.ts'
import { readJson } from './read-json.ts'
import { readNdjson } from './read-ndjson.ts'
import { readShopifyCsv } from './read-shopify-csv.ts'
import { BUSY, endOf, runImport, type ImportContext } from './run-import.ts'
import { stageRows } from './stage-rows.ts'
import { dropRows } from './staging.queries.ts'

/** A body is parsed whole, and takes several times its size in memory. */
const IMPORT_BODY_LIMIT = 32 * 1024 * 1024
/** As long as the gateway waits for an answer; on other routes a connection on which nothing moves is closed far sooner. */
const SLOW_ANSWER_MS = 10 * 60_000

const flag = z
  .enum(['0', '1', 'true', 'false', ''])
  .default('0')
  .transform((text) => text === '1' || text === 'true' || text === '')

const ImportQuery = z.object({
  /** Goes before what the file says. */
  mode: ImportMode.optional(),
  dry_run: flag,
  async: flag,
})

const PATH = '/admin/import'

/** Loads a catalogue: all of it or nothing. `merge` leaves the rest alone, `replace` makes the catalogue exactly this. */
export function importCatalogueRoute(app: App, context: ImportContext, worker: Pick<Timer, 'poke'>): void {
  // Left unread: the rows are staged as they come. Other routes take no such bodies.
  app.addContentTypeParser([NDJSON, CSV], (request, _payload, done) => {
    done(request.routeOptions.url === PATH ? null : unsupportedHere(), undefined)
  })
  const { db, clock } = context
  app.post(
    PATH,
    {
      config: { access: { admin: 'catalog:write' } },
      bodyLimit: IMPORT_BODY_LIMIT,
      schema: {
        tags: ['Admin: catalogue'],
        summary: 'Load a catalogue, all or nothing: JSON, NDJSON of any length or a product CSV',
        querystring: ImportQuery,
        // Null where the body is left unread.
        body: ImportBody.nullish(),
        response: { 200: ImportResult, 202: ImportJob },
      },
    },
    async ({ body, query, actor, raw, headers }, reply) => {
      const { dry_run: dryRun, async: isAsync } = query
      const readings = await readingsOf(context, { body, raw, contentType: headers['content-type'], mode: query.mode })
      if (raw.socket instanceof Socket) raw.socket.setTimeout(SLOW_ANSWER_MS)
      const job = { actor, mode: query.mode ?? 'merge', dryRun, attended: !isAsync }
      const id = await insertJob(db, job, clock.now())
      reply.header('location', `/admin/import/${id}`)
      await stage(context, id, readings, query.mode).catch((error: unknown) => {
        // Whoever is still sending gets the answer when all of it has arrived.
        raw.resume()
        throw error
      })
      if (!isAsync) {
        const result = await runImport(context, id, { waits: true, isStopping: () => false, reply })
        if (result === BUSY) throw importNotFound()
        return result
      }
      worker.poke()
      const queued = await findJob(db, id)
      if (!queued) throw importNotFound()
      return reply.code(202).send(jobAnswer(queued))
    },
  )
}

interface Upload {
  body: ImportBody | null | undefined
  raw: Readable
  contentType: string | undefined
  mode: ImportMode | undefined
}

async function readingsOf(
  { db }: ImportContext,
  { body, raw, contentType = '', mode }: Upload,
): Promise<AsyncIterable<Reading> | Iterable<Reading>> {
  if (body) return readJson(body)
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim())
  // The answer goes out on the same connection: it must outlive whoever stops reading.
  const bytes: AsyncIterable<Uint8Array> = raw.iterator({ destroyOnReturn: false })
  if (type?.toLowerCase() === NDJSON) return readNdjson(bytes)
  if (type?.toLowerCase() !== CSV) throw importRowsRefused([{ path: '', message: 'must be given' }], 1)
  // It holds products only: everything else of the shop would be gone.
  if (mode === 'replace') throw csvMustMerge()
  const charset = parameters.map((each) => /^charset="?([^"]*)"?$/i.exec(each)?.[1]).find((each) => each !== undefined)
  return readShopifyCsv(bytes, { currency: currencyOf(await findSettings(db)), charset })
}

/** Reads all rows into staging; what cannot be read to its end leaves nothing behind but the record of it. */
async function stage(
  { db, clock }: ImportContext,
  id: string,
  readings: AsyncIterable<Reading> | Iterable<Reading>,
  mode: ImportMode | undefined,
): Promise<void> {
  try {
    const staged = await stageRows({ db, clock }, id, readings)
    const { shown, total } = staged.issues
    if (total > 0) throw importRowsRefused(shown, total)
    const { rows: rowsRead, products } = staged
    const progress = { status: 'queued' as const, mode: mode ?? staged.mode ?? 'merge', rowsRead, products }
    await saveProgress(db, id, progress, clock.now())
  } catch (error) {
    const refusal = isBrokenUpload(error) ? uploadBroken() : error
    await finishJob(db, id, endOf(refusal), clock.now())
    await dropRows(db, id)
    throw refusal
  }
}

function isBrokenUpload(error: unknown): boolean {
  if (error instanceof Refusal || !(error instanceof Error)) return false
  return 'code' in error && ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code))
}
