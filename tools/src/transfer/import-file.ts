import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { CSV, ImportJob, NDJSON, type ImportResult } from '@storefront/contracts'
import { messageOf, StartError } from '../start-error.ts'
import { issueLines, openShopApi, retryConnection, type ShopApi } from './shop-api.ts'
import { typeOfFile, type TransferArguments } from './transfer-arguments.ts'
import type { TransferProgress } from './transfer-progress.ts'

const POLL_MS = 400

/**
 * Uploads a file, waits until the shop has imported it and shows the progress. An interrupted upload is started again,
 * because the shop has not changed anything yet.
 * @param signal cancels the import
 */
export async function importFile(
  given: TransferArguments,
  { progress, signal }: { progress: TransferProgress; signal: AbortSignal },
): Promise<ImportResult> {
  const type = typeOfFile(given.file, ['application/json', NDJSON, CSV])
  const file = await stat(given.file).catch(() => undefined)
  if (!file?.isFile()) throw new StartError(`There is no file ${given.file}.`)
  const retry = { print: (line: string) => progress.print(line), signal }
  const api = await retryConnection(() => openShopApi(given), retry)
  const { id } = await retryConnection(() => upload(api, given, { type, bytes: file.size, progress, signal }), retry)
  try {
    return await follow(api, id, progress, signal, retry.print)
  } catch (error) {
    if (!signal.aborted) throw error
    await api.request(`/admin/import/${id}`, { method: 'DELETE' }).catch((late: unknown) => {
      throw new StartError(`The import could not be canceled any more: ${messageOf(late)}`)
    })
    throw new StartError('Canceled. Nothing was changed.')
  }
}

async function upload(
  api: ShopApi,
  { file, mode, dryRun, keepsPictureLinks, columns }: TransferArguments,
  { type, bytes, progress, signal }: { type: string; bytes: number; progress: TransferProgress; signal: AbortSignal },
): Promise<ImportJob> {
  let sent = 0
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length
      progress.reached('Uploading', sent, bytes)
      done(null, chunk)
    },
  })
  const source = createReadStream(file)
  source.on('error', (error) => counting.destroy(error))
  const query = new URLSearchParams({
    async: '1',
    ...(dryRun && { dry_run: '1' }),
    ...(keepsPictureLinks && { keep_picture_links: '1' }),
    ...(columns !== undefined && { columns }),
    ...(mode && { mode }),
  })
  const response = await api.request(`/admin/import?${query.toString()}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: Readable.toWeb(source.pipe(counting)),
    duplex: 'half',
    signal,
  })
  return ImportJob.parse(await response.json())
}

async function follow(
  api: ShopApi,
  id: string,
  progress: TransferProgress,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<ImportResult> {
  for (;;) {
    const job = await retryConnection(
      async () => ImportJob.parse(await (await api.request(`/admin/import/${id}`, { signal })).json()),
      { print, signal },
    )
    const { rowsRead, rowsChecked, rowsApplied, pictures, picturesFetched } = job.progress
    if (job.status === 'done' && job.result) return job.result
    if (job.status === 'failed')
      throw new StartError(`${job.failure ?? 'The import failed.'}${issueLines(job.issues ?? [], job.issueCount)}`)
    if (job.status === 'cancelled') throw new StartError('This import was canceled. Nothing was changed.')
    if (job.status === 'fetching') progress.reached('Pictures', picturesFetched, pictures)
    else if (job.status === 'applying') progress.reached('Applying', rowsApplied, rowsRead)
    else progress.reached(job.status === 'checking' ? 'Checking' : 'Waiting', rowsChecked, rowsRead)
    await pause(POLL_MS, undefined, { signal })
  }
}

/** Describes the result of an import as a table, with the columns of the file that it ignored. */
export function describeResult(result: ImportResult): string {
  const { counts, settingsChanged, durationMs, dryRun, changes = [], pictures } = result
  const { columnsNotTaken = [], unknownSettings = [] } = result
  const columns = ['created', 'updated', 'deleted', 'unchanged'] as const
  const line = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(12)}${cells.map((cell) => cell.padStart(11)).join('')}\n`
  const rows = Object.entries(counts).map(([kind, each]) =>
    line(
      kind,
      columns.map((column) => each[column].toLocaleString('en-US')),
    ),
  )
  const shown = changes.map(({ slug, fields }) => `  ${slug}: ${fields.join(', ')}\n`)
  return [
    dryRun ? 'Nothing was changed. The import would change:\n' : `Done in ${(durationMs / 1000).toFixed(1)} s.\n`,
    line('', columns),
    ...rows,
    settingsChanged ? '  The settings of the storefront change, too.\n' : '',
    ...shown,
    pictures === undefined ? '' : `${picturesLine(pictures, dryRun === true)}\n`,
    listed('Ignored, because products have no field for these columns:', columnsNotTaken),
    listed('Stored, although the storefront has no settings of these names:', unknownSettings),
  ].join('')
}

function listed(title: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${title}\n${names.map((name) => `  ${name}\n`).join('')}`
}

function picturesLine(pictures: number, isDryRun: boolean): string {
  const count = pictures.toLocaleString('en-US')
  return isDryRun ? `Pictures that can be fetched: ${count}` : `Pictures fetched into the shop: ${count}`
}
