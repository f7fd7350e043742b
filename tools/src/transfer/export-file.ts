import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { NDJSON } from '@storefront/contracts'
import { messageOf, StartError } from '../start-error.ts'
import { ConnectionLost, openShopApi, retryConnection, type ShopApi } from './shop-api.ts'
import { typeOfFile, type TransferArguments } from './transfer-arguments.ts'
import type { TransferProgress } from './transfer-progress.ts'

const NEWLINE = 10
const TAIL_BYTES = 200
const EndLine = z.object({ type: z.literal('end'), data: z.object({ rows: z.int() }) })

/**
 * Writes the shop into a file, which is created only when it is complete. Starts again after a lost connection.
 * @returns the number of rows; undefined for JSON, which has no count
 */
export async function exportFile(
  given: TransferArguments,
  { progress, signal }: { progress: TransferProgress; signal: AbortSignal },
): Promise<number | undefined> {
  const type = typeOfFile(given.file, ['application/json', NDJSON])
  const part = `${given.file}.part`
  const retry = { print: (line: string) => progress.print(line), signal }
  try {
    const api = await retryConnection(() => openShopApi(given), retry)
    const rows = await retryConnection(() => download(api, part, { type, progress, signal }), retry)
    await rename(part, given.file)
    return rows
  } catch (error) {
    await rm(part, { force: true })
    throw signal.aborted ? new StartError('Canceled. No file was written.') : error
  }
}

async function download(
  api: ShopApi,
  part: string,
  { type, progress, signal }: { type: string; progress: TransferProgress; signal: AbortSignal },
): Promise<number | undefined> {
  const response = await api.request('/admin/export', { headers: { accept: type }, signal })
  if (!response.body) throw new ConnectionLost('The shop sent an empty response.')
  let lines = 0
  let bytes = 0
  let tail = Buffer.alloc(0)
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines++
      bytes += chunk.length
      tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES)
      progress.reached('Bytes', bytes, 0)
      done(null, chunk)
    },
  })
  try {
    await pipeline(Readable.fromWeb(response.body), counting, createWriteStream(part), { signal })
  } catch (error) {
    if (isDiskFault(error)) throw new StartError(`${part} cannot be written: ${messageOf(error)}.`)
    throw new ConnectionLost(`The export was interrupted (${messageOf(error)}).`)
  }
  return type === NDJSON ? verifiedRows(tail, lines) : verifiedEnd(tail)
}

/** The first line has the mode, the last one the number of rows between them. */
function verifiedRows(tail: Buffer, lines: number): number {
  const last = tail.toString('utf8').trimEnd().split('\n').at(-1) ?? ''
  const end = EndLine.safeParse(parsed(last))
  if (!end.success || end.data.data.rows !== lines - 2)
    throw new ConnectionLost('The export ended before it was complete.')
  return end.data.data.rows
}

function verifiedEnd(tail: Buffer): undefined {
  if (!tail.toString('utf8').endsWith('}')) throw new ConnectionLost('The export ended before it was complete.')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isDiskFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['ENOSPC', 'EACCES', 'ENOENT', 'EISDIR', 'EROFS', 'EDQUOT', 'EFBIG', 'EIO'].includes(code)
}
