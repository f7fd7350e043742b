import type { IncomingHttpHeaders } from 'node:http'
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { errorCode, type HttpError, type Timer } from '@storefront/service'
import { isFlagSet, type App } from '@storefront/http'
import { CSV, ImportBody, ImportJob, ImportMode, ImportResult, NDJSON, type Actor } from '@storefront/contracts'
import {
  bodyRejected,
  csvMustMerge,
  importCancelled,
  importDeletionNotAllowed,
  importNotAllowed,
  importNotCounted,
  importNotFound,
  importRowsRejected,
  importTooLarge,
  importFileIncomplete,
} from '../errors.ts'
import { currencyOf } from '../settings/settings-in-force.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { builtInVocabulary } from '../vocabulary/built-in-vocabulary.ts'
import { findLibrary } from '../vocabulary/library.queries.ts'
import { fetchPictures } from './fetch-pictures.ts'
import { jobResponse } from './job-response.ts'
import { insertJob, saveProgress, type Job } from './jobs.queries.ts'
import { MAX_CHOICES_CHARACTERS, readColumnChoices } from './read-column-choices.ts'
import { readJson } from './read-json.ts'
import { readNdjson } from './read-ndjson.ts'
import { readShopifyCsv } from './read-shopify-csv.ts'
import type { Reading } from './row-kind.ts'
import { KINDS_IN_ORDER } from './row-kinds.ts'
import { BUSY, endFailed, errorOf, runImport, type ImportContext } from './run-import.ts'
import { keepReceiving, stageRows, type Staged } from './stage-rows.ts'

const JSON_TYPE = 'application/json'
const BODY_TYPES = [JSON_TYPE, NDJSON, CSV]
const MIB = 1024 * 1024
/** The timeout of the gateway for this route; on other routes an idle connection is closed far sooner. */
const SLOW_RESPONSE_MS = 10 * 60_000
/** Leaves time to apply the import. */
const PICTURES_MS = 8 * 60_000

const flag = z
  .enum(['0', '1', 'true', 'false', ''], 'must be 1, true, 0 or false')
  .default('0')
  .transform((text) => isFlagSet(text) || text === '')

const ImportQuery = z.object({
  mode: ImportMode.optional().describe('Takes precedence over the mode in the file. A product CSV can only `merge`.'),
  dry_run: flag.describe('`1` validates and compares everything, and changes nothing.'),
  dryRun: flag.describe('Same as `dry_run`.'),
  async: flag.describe(
    'With `1` the reply comes when the file has been read, and GET /admin/import/:id shows the progress.',
  ),
  keep_picture_links: flag.describe('For a product CSV, `1` keeps the addresses of pictures instead of fetching them.'),
  columns: z
    .string()
    .max(MAX_CHOICES_CHARACTERS)
    .optional()
    .describe(
      'For a product CSV whose columns have other names: a JSON object from their names to those of a product CSV, `care` or ' +
        '`specs.` with the key of an attribute, such as `{"Preis":"Variant Price"}`; null leaves a column out.',
    ),
})

/**
 * Imports a catalog, all of it or nothing. `merge` keeps other records, and `replace` makes the catalog identical to
 * the file.
 */
export function importCatalogRoute(
  app: App,
  context: ImportContext,
  workers: { imports: Pick<Timer, 'wake'>; pictures: Pick<Timer, 'wake'> },
): void {
  const { db, clock } = context
  // In a separate scope whose bodies are not parsed, because the rows are staged as they arrive.
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(BODY_TYPES, (_request, _payload, done) => done(null, undefined))
    scope.post('/admin/import', {
      config: { access: { admin: 'catalog:write' }, errors: ['conflict', 'variants_missing'] },
      schema: {
        summary: 'Import a catalog, all or nothing: JSON, NDJSON of any length or a product CSV',
        description:
          'With `merge`, records that the file does not name stay as they are; `replace` makes the catalog identical to the file. With an ' +
          'error in any row nothing changes, and the reply lists the errors. Settings, reviews and discounts in the ' +
          'file need `settings:write`, `reviews:write` and `discounts:write` as well. `replace` always needs ' +
          '`reviews:write`: it deletes the reviews that the file does not have.',
        consumes: BODY_TYPES,
        querystring: ImportQuery,
        // Only for the documentation: the body is null here, because it is not parsed.
        body: ImportBody.nullish(),
        response: { 200: ImportResult, 202: ImportJob },
      },
      handler: async (request, reply) => {
        const { query, actor, raw } = request
        const { mode, async: isAsync } = query
        const dryRun = query.dry_run || query.dryRun
        const upload = await uploadOf(context, request)
        if (raw.socket instanceof Socket) raw.socket.setTimeout(SLOW_RESPONSE_MS)
        const job = { actor, mode: mode ?? 'merge', dryRun, attended: !isAsync }
        const id = await insertJob(db, job, clock.now())
        reply.header('location', `/admin/import/${id}`)
        const staged = await stage(context, id, upload, { actor, mode, dryRun })
        const isFetching = staged.status === 'fetching'
        if (!isAsync) {
          const whole = isFetching ? await fetchAttended(context, id) : staged
          const result = await runImport(context, whole, { waits: true, isStopping: () => false, reply })
          if (result === BUSY) throw importNotFound()
          return result
        }
        if (isFetching) workers.pictures.wake()
        else workers.imports.wake()
        return reply.code(202).send(jobResponse(staged))
      },
    })
  })
}

/** @returns the job with its pictures */
async function fetchAttended(context: ImportContext, id: string): Promise<Job> {
  const options = { worker: randomUUID(), deadlineMs: PICTURES_MS, isStopping: () => false, isAttended: true }
  const fetched = await fetchPictures(context, id, options)
  if (fetched === BUSY) throw importNotFound()
  return fetched
}

interface UploadRequest {
  raw: Readable
  headers: IncomingHttpHeaders
  query: z.output<typeof ImportQuery>
}

interface Upload {
  bytes: AsyncIterable<Uint8Array>
  read: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Reading>
  /** Whether a truncated file would look complete unless it contains the number of its rows. */
  mayBeShort: boolean
}

async function uploadOf(context: ImportContext, { raw, headers, query }: UploadRequest): Promise<Upload> {
  const { db, publicUrl, importJsonMaxMib: maxMib } = context
  const [contentType = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim())
  const type = contentType.toLowerCase()
  // The response is sent on the same connection, which must stay open when the body is not read to its end.
  const bytes: AsyncIterable<Uint8Array> = raw.iterator({ destroyOnReturn: false })
  if (query.columns !== undefined && type !== CSV) throw columnsRejected('is for a product CSV only')
  if (type === NDJSON) return { bytes, read: readNdjson, mayBeShort: true }
  if (type === JSON_TYPE) {
    if (Number(headers['content-length']) > maxMib * MIB) throw importTooLarge(maxMib)
    return { bytes, read: (body) => readJson(upTo(maxMib, body)), mayBeShort: false }
  }
  if (type !== CSV) throw importRowsRejected([{ path: '', message: 'must be given' }], 1)
  // A CSV contains only products, so all other records of the shop would be deleted.
  if (query.mode === 'replace') throw csvMustMerge()
  const charset = parameters.map((each) => /^charset="?([^"]*)"?$/i.exec(each)?.[1]).find((each) => each !== undefined)
  const currency = currencyOf(await findSettings(db))
  const attributes = [...builtInVocabulary.items, ...(await findLibrary(db)).attributes]
  const choices = query.columns === undefined ? undefined : readColumnChoices(query.columns, attributes)
  if (typeof choices === 'string') throw columnsRejected(choices)
  const options = { currency, charset, keepsLinks: query.keep_picture_links, publicUrl, attributes, choices }
  return { bytes, read: (body) => readShopifyCsv(body, options), mayBeShort: true }
}

function columnsRejected(message: string): HttpError {
  return bodyRejected([{ path: 'columns', message }])
}

/** The framework limits only bodies that it reads itself. */
async function* upTo(maxMib: number, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let received = 0
  for await (const chunk of body) {
    received += chunk.length
    if (received > maxMib * MIB) throw importTooLarge(maxMib)
    yield chunk
  }
}

/**
 * Reads all rows into staging. A body that cannot be read to its end leaves only the job record.
 * @returns the job. Its pictures are fetched before errors are reported, so that all errors are reported together
 */
async function stage(
  context: ImportContext,
  id: string,
  { bytes, read, mayBeShort }: Upload,
  given: { actor: Actor; mode: ImportMode | undefined; dryRun: boolean },
): Promise<Job> {
  const { db, clock } = context
  try {
    const staged = await stageRows({ db, clock }, id, read(keepReceiving({ db, clock }, id, bytes)))
    const mode = given.mode ?? staged.mode ?? 'merge'
    assertAllowed(given.actor, staged, mode)
    const { rowsRead, products, hasDiscounts, columnsNotTaken, pictures, issues } = staged
    if (issues.total > 0 && pictures === 0) throw await errorOf(context, id, staged, mode)
    // The file may be truncated, and the records of the missing lines would be deleted.
    if (mode === 'replace' && mayBeShort && staged.end === undefined) throw importNotCounted()
    const status = pictures > 0 ? 'fetching' : 'queued'
    const content = { mode, dryRun: given.dryRun || staged.dryRun, rowsRead, products, hasDiscounts, columnsNotTaken }
    const found = { pictures, issues: issues.shown, issueCount: issues.total }
    const job = await saveProgress(db, id, { status, ...content, ...found }, clock.now())
    if (!job) throw importCancelled()
    return job
  } catch (error) {
    const httpError = isBrokenUpload(error) ? importFileIncomplete() : error
    await endFailed(context, id, httpError, { isStopping: () => false, isAttended: true })
    throw httpError
  }
}

function assertAllowed(actor: Actor, { types, hasDiscounts }: Staged, mode: ImportMode): void {
  for (const { type, permission, deletedWhenAbsent = false } of KINDS_IN_ORDER) {
    if (permission === undefined) continue
    if (actor.kind === 'admin' && actor.permissions.includes(permission)) continue
    if (types.has(type) || (type === 'discount' && hasDiscounts)) throw importNotAllowed(type, permission)
    if (mode === 'replace' && deletedWhenAbsent) throw importDeletionNotAllowed(type, permission)
  }
}

function isBrokenUpload(error: unknown): boolean {
  return ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(errorCode(error) ?? '')
}
