import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exportFile } from './export-file.ts'
import { describeResult, importFile } from './import-file.ts'
import { readTransferArguments, typeOfFile, type TransferArguments } from './transfer-arguments.ts'
import { describeTransfer } from './transfer-progress.ts'

let folder: string
let closeServer: () => Promise<void> = async () => {}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storefront-transfer-'))
})
afterEach(async () => {
  await closeServer()
  await rm(folder, { recursive: true, force: true })
})

/** Stands in for a shop on the other side of an unreliable line. */
async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeServer = () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

const given = (file: string, url: string): TransferArguments => ({
  file,
  url,
  mode: undefined,
  dryRun: false,
  key: 'sk_test',
  email: '',
  password: undefined,
})
const silent = (signal = new AbortController().signal) => ({
  progress: { reached: () => {}, say: () => {}, end: () => {} },
  signal,
})

const zero = { created: 0, updated: 0, deleted: 0, unchanged: 0 }
const counts = {
  products: { ...zero, created: 3 },
  categories: zero,
  collections: zero,
  sizeCharts: zero,
  reviews: zero,
  library: zero,
  discounts: zero,
}
const result = { ok: true as const, mode: 'merge' as const, counts, settingsChanged: false, durationMs: 1234 }
const job = (status: string) => ({
  id: 'imp_1',
  status,
  mode: 'merge',
  dryRun: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  progress: { rowsRead: 3, rowsChecked: 3, rowsApplied: 1, rowsPerSecond: 1 },
  ...(status === 'done' && { result }),
})

test('an upload that breaks off is begun anew, and an answer that is lost while waiting asked for again', async () => {
  const file = join(folder, 'shop.ndjson')
  await writeFile(file, '{"type":"product"}\n')
  const uploads: string[] = []
  let polls = 0
  const url = await serve((request, response) => {
    if (request.method === 'POST') {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        uploads.push(`${request.headers['content-type']} ${request.headers.authorization} ${body}`)
        if (uploads.length === 1) request.socket.destroy()
        else response.writeHead(202).end(JSON.stringify(job('queued')))
      })
    } else if (++polls === 1) request.socket.destroy()
    else if (polls === 2) response.writeHead(503).end('{}')
    else response.end(JSON.stringify(job(polls === 3 ? 'applying' : 'done')))
  })
  expect(await importFile(given(file, url), silent())).toEqual(result)
  expect(uploads).toEqual(Array(2).fill('application/x-ndjson Bearer sk_test {"type":"product"}\n'))
})

test('what the shop refuses is said with its rows, and not tried again', async () => {
  const file = join(folder, 'shop.csv')
  await writeFile(file, 'a')
  let uploads = 0
  const url = await serve((request, response) => {
    uploads++
    request.resume()
    const detail = { issues: [{ path: 'line 2', message: 'is odd' }], total: 7 }
    response.writeHead(422).end(JSON.stringify({ message: 'Nothing was imported.', detail }))
  })
  await expect(importFile(given(file, url), silent())).rejects.toThrow(
    '422 Nothing was imported.\n  line 2: is odd\n  … 6 more',
  )
  expect(uploads).toBe(1)
})

test('giving up while the shop works takes the import back', async () => {
  const file = join(folder, 'shop.json')
  await writeFile(file, '{}')
  const stopping = new AbortController()
  const asked: string[] = []
  const url = await serve((request, response) => {
    request.resume()
    asked.push(`${request.method} ${request.url}`)
    if (request.method === 'GET') stopping.abort()
    response.end(JSON.stringify(request.method === 'DELETE' ? { ok: true } : job('applying')))
  })
  await expect(importFile(given(file, url), silent(stopping.signal))).rejects.toThrow('Given up. Nothing was changed.')
  expect(asked.at(-1)).toBe('DELETE /admin/import/imp_1')
})

test('an export that comes without its end is fetched again, and its file is whole or not there', async () => {
  const file = join(folder, 'shop.ndjson')
  const whole =
    '{"type":"import","data":{"mode":"replace"}}\n{"type":"settings","data":{}}\n{"type":"end","data":{"rows":1}}\n'
  let attempts = 0
  const seen: string[][] = []
  const url = await serve((_request, response) => {
    void readdir(folder).then((names) => {
      seen.push(names)
      if (++attempts === 1) response.end(whole.slice(0, 80))
      else response.end(whole)
    })
  })
  expect(await exportFile(given(file, url), silent())).toBe(1)
  expect(attempts).toBe(2)
  expect(seen.flat()).not.toContain('shop.ndjson')
  expect(await readFile(file, 'utf8')).toBe(whole)
  expect(await readdir(folder)).toEqual(['shop.ndjson'])
})

test('arguments are read, and wrong ones explained', () => {
  const read = (...args: string[]) => readTransferArguments(args, { STOREFRONT_KEY: 'sk_env' })
  expect(read('shop.json', '--mode', 'replace', '--dry-run')).toMatchObject({
    mode: 'replace',
    dryRun: true,
    key: 'sk_env',
  })
  expect(read()).toBeUndefined()
  expect(read('-h', 'shop.json')).toBe('help')
  expect(() => read('a.json', '--mode', 'both')).toThrow('--mode is merge or replace')
  expect(() => read('a.json', 'b.json')).toThrow('One file at a time')
  expect(() => read('a.json', '--nonsense')).toThrow('--nonsense')
  expect(() => typeOfFile('shop.xlsx', ['application/json', 'text/csv'])).toThrow('must end in .json, .csv')
})

test('progress and results are readable', () => {
  expect(describeTransfer('Applying', 500, 1000, 2000)).toBe(
    'Applying  ████████████░░░░░░░░░░░░ 50 %  500 of 1,000, 250/s, 2 s left',
  )
  expect(describeResult(result)).toContain('products              3          0          0          0')
})
