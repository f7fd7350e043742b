import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exportFile } from './export-file.ts'
import { describeResult, importFile } from './import-file.ts'
import { readTransferArguments, typeOfFile, type TransferArguments } from './transfer-arguments.ts'
import { showTransferProgress } from './transfer-progress.ts'

let folder: string
let closeServer: () => Promise<void> = async () => {}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storefront-transfer-'))
})
afterEach(async () => {
  await closeServer()
  await rm(folder, { recursive: true, force: true })
})

/** Simulates a shop behind an unreliable connection. */
async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void, port = 0): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
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
  keepsPictureLinks: false,
  columns: undefined,
  key: 'sk_test',
  email: '',
  password: undefined,
})
const silent = (signal = new AbortController().signal) => ({
  progress: { reached: () => {}, print: () => {}, end: () => {} },
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
const result = {
  ok: true as const,
  mode: 'merge' as const,
  products: 3,
  counts,
  settingsChanged: false,
  durationMs: 1234,
}
const job = (status: string) => ({
  id: 'imp_1',
  status,
  mode: 'merge',
  dryRun: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  progress: { rowsRead: 3, rowsChecked: 3, rowsApplied: 1, rowsPerSecond: 1 },
  ...(status === 'done' && { result }),
})

test('an interrupted upload starts again, and a response that is lost while waiting is requested again', async () => {
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

test('rows that the shop rejects are printed, and not retried', async () => {
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

test('an abort while the shop imports cancels the import', async () => {
  const file = join(folder, 'shop.json')
  await writeFile(file, '{}')
  const stopping = new AbortController()
  const requested: string[] = []
  const url = await serve((request, response) => {
    request.resume()
    requested.push(`${request.method} ${request.url}`)
    if (request.method === 'GET') stopping.abort()
    response.end(JSON.stringify(request.method === 'DELETE' ? { ok: true } : job('applying')))
  })
  await expect(importFile(given(file, url), silent(stopping.signal))).rejects.toThrow('Canceled. Nothing was changed.')
  expect(requested.at(-1)).toBe('DELETE /admin/import/imp_1')
})

test('an incomplete export is fetched again, and its file is either complete or missing', async () => {
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

test('a missing shop is reported at once, with what to do', async () => {
  const file = join(folder, 'shop.ndjson')
  await writeFile(file, '{"type":"product"}\n')
  const url = await serve(() => {})
  await closeServer()
  const message = new RegExp(
    String.raw`^No shop listens at ${url} \(ECONNREFUSED\)\. Start it with npm start, or .*--url.*PORT\.$`,
  )
  const credentials = [{ key: 'sk_test' }, { key: undefined, email: 'ada@example.com', password: 'secret' }]
  for (const login of credentials) {
    const output: string[] = []
    const watched = { ...silent(), progress: { ...silent().progress, print: (line: string) => void output.push(line) } }
    await expect(importFile({ ...given(file, url), ...login }, watched)).rejects.toThrow(message)
    await expect(exportFile({ ...given(join(folder, 'out.json'), url), ...login }, watched)).rejects.toThrow(message)
    // A name with two addresses, such as localhost.
    const named = url.replace('127.0.0.1', 'localhost')
    await expect(importFile({ ...given(file, named), ...login }, watched)).rejects.toThrow('No shop listens at')
    expect(output).toEqual([])
  }
})

test('an import waits for a shop that goes down and comes back', async () => {
  const file = join(folder, 'shop.ndjson')
  await writeFile(file, '{"type":"product"}\n')
  const output: string[] = []
  const url = await serve((request, response) => {
    request.resume()
    request.on('end', () => {
      response.writeHead(202, { connection: 'close' }).end(JSON.stringify(job('queued')), () => void closeServer())
    })
  })
  const progress = {
    ...silent().progress,
    print: (line: string) => {
      output.push(line)
      if (output.length > 1) return
      void serve((_request, response) => response.end(JSON.stringify(job('done'))), Number(new URL(url).port))
    },
  }
  expect(await importFile(given(file, url), { ...silent(), progress })).toEqual(result)
  expect(output[0]).toMatch(/Next attempt in/)
})

test('arguments are read, and invalid ones are errors', () => {
  const read = (...args: string[]) => readTransferArguments('import', args, { SHOP_API_KEY: 'sk_env' })
  expect(read('shop.json', '--mode', 'replace', '--dry-run')).toMatchObject({
    mode: 'replace',
    dryRun: true,
    key: 'sk_env',
  })
  expect(read()).toBeUndefined()
  expect(read('-h', 'shop.json')).toBe('help')
  expect(() => read('a.json', '--mode', 'both')).toThrow('--mode must be merge or replace')
  expect(() => read('a.json', 'b.json')).toThrow('b.json is an unknown argument: see npm run import -- --help.')
  expect(() => read('a.json', '--nonsense')).toThrow('--nonsense is an unknown argument: see npm run import -- --help.')
  expect(read('shop.csv', '--keep-picture-links')).toMatchObject({ keepsPictureLinks: true, dryRun: false })
  expect(read('shop.csv', '--columns', '{"Preis":"Variant Price"}')).toMatchObject({
    columns: '{"Preis":"Variant Price"}',
  })
  const urlWith = (env: Record<string, string>, ...args: string[]) => {
    const read = readTransferArguments('import', ['shop.csv', ...args], env)
    return typeof read === 'object' ? read.url : read
  }
  expect(urlWith({})).toBe('http://localhost:8080')
  expect(urlWith({ PORT: '9090' })).toBe('http://localhost:9090')
  expect(urlWith({ PORT: '9090', PUBLIC_BASE_PATH: '/v1' })).toBe('http://localhost:9090/v1')
  expect(urlWith({ PORT: '9090', SHOP_URL: 'https://api.example/' })).toBe('https://api.example')
  expect(urlWith({ PORT: '9090' }, '--url', 'https://shop.example')).toBe('https://shop.example')
  for (const PORT of ['eighty', '0', '70000']) expect(() => urlWith({ PORT })).toThrow('PORT must be a number from 1')
  expect(() => typeOfFile('shop.xlsx', ['application/json', 'text/csv'])).toThrow('must end in .json, .csv')
})

test('the key of the API has a name of its own, and options take precedence over the environment', () => {
  const keyWith = (env: Record<string, string>, ...args: string[]) => {
    const read = readTransferArguments('import', ['shop.csv', ...args], env)
    return typeof read === 'object' ? read.key : read
  }
  const SHOP_API_KEY = 'sk_env'
  expect(keyWith({ SHOP_API_KEY, STOREFRONT_KEY: 'sk_former' })).toBe('sk_env')
  expect(keyWith({ STOREFRONT_KEY: 'secret-of-the-storefront' })).toBeUndefined()
  expect(() => keyWith({ STOREFRONT_KEY: 'sk_former' })).toThrow('put the key of the API into SHOP_API_KEY.')
  expect(keyWith({ STOREFRONT_KEY: 'sk_former' }, '--key', 'sk_given')).toBe('sk_given')
  expect(keyWith({ SHOP_API_KEY }, '--email', 'ada@example.com')).toBeUndefined()
  expect(keyWith({ SHOP_API_KEY }, '--password', 'secret')).toBeUndefined()
})

test('progress and results are readable', () => {
  let nowMs = 0
  const shown: string[] = []
  const progress = showTransferProgress({ write: (text) => shown.push(text) > 0 }, () => nowMs)
  progress.reached('Applying', 0, 1000)
  nowMs = 10_000
  progress.reached('Applying', 500, 1000)
  expect(shown.at(-1)).toBe('Applying  ████████████░░░░░░░░░░░░ 50 %  500 of 1,000, 50/s, 10 s left\n')
  expect(describeResult(result)).toContain('products              3          0          0          0')
  const csv = { ...result, pictures: 1200, columnsNotTaken: ['Variant Barcode', 'SEO Title'] }
  expect(describeResult(csv)).toMatch(
    /Pictures fetched into the shop: 1,200\nIgnored, because products have no field for these columns:\n {2}Variant Barcode\n {2}SEO Title\n$/,
  )
  expect(describeResult({ ...result, unknownSettings: ['theme', 'store.motto'] })).toMatch(
    /Stored, although the storefront has no settings of these names:\n {2}theme\n {2}store\.motto\n$/,
  )
  expect(describeResult({ ...csv, dryRun: true })).toContain('Pictures that can be fetched: 1,200\n')
})
