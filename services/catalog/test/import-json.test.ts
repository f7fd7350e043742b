import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { amount, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { ImportResult } from '@storefront/contracts'
import type { RunningCatalog } from '../src/start.ts'
import { fill, shirt, startTestCatalog, usd } from './catalog.ts'

const MIB = 1024 * 1024
/** More than an ordinary body and than a row may have: only its parts are held in memory. */
const LARGE_MB = amount({ quick: 10, long: 40 })
/** The default is 256. */
const MAX_MIB = amount({ quick: 12, long: 256 })
const MB_OF_A_PRODUCT = 0.019

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, { IMPORT_JSON_MAX_MIB: String(MAX_MIB) })
})
afterAll(() => suite.stop())
beforeEach(async () => {
  await fill(catalog.app, suite, { mode: 'replace', settings: {} })
  await suite.sql('delete from catalog.import_jobs')
})

const ResponseBody = z.object({
  code: z.string().optional(),
  message: z.string().optional(),
  detail: z.looseObject({ issues: z.array(z.object({ path: z.string(), message: z.string() })).optional() }).optional(),
})

async function send(payload: string | Buffer, query = '', headers: Record<string, string> = {}) {
  return catalog.app.inject({
    method: 'POST',
    url: `/admin/import${query}`,
    headers: { ...suite.headers.admin(), 'content-type': 'application/json', ...headers },
    payload,
  })
}

function startSending(headers: Record<string, string> = {}): ClientRequest {
  const sending = request({
    port: new URL(catalog.url).port,
    method: 'POST',
    path: '/admin/import',
    headers: { ...suite.headers.admin(), 'content-type': 'application/json', ...headers },
  })
  sending.on('error', () => {})
  return sending
}

async function responseTo(sending: ClientRequest) {
  const [response]: IncomingMessage[] = await once(sending, 'response')
  if (!response) throw new Error('there was no response')
  return { status: response.statusCode, ...ResponseBody.parse(await json(response)) }
}

/** Sends pieces as fast as the server reads them. */
function sendAll(sending: ClientRequest, pieces: Iterable<string | Buffer>): void {
  Readable.from(pieces).pipe(sending)
}

const issuesOf = ({ detail }: z.output<typeof ResponseBody>) =>
  (detail?.issues ?? []).map(({ path, message }) => `${path}: ${message}`)
const stagedRows = () => suite.sql('select 1 from catalog.import_rows limit 1')
const jobs = () =>
  suite.sql<{ status: string; failure: string }>('select status, failure from catalog.import_jobs order by created_at')
const products = (count: number) => Array.from({ length: count }, (_, index) => shirt(`s${index}`))

test('a document may name its members in any order, and has the same effect as its rows as NDJSON', async () => {
  const members = {
    reviews: [{ product: 'linen', author: 'Ada', rating: 5 }],
    products: [shirt('linen', { title: 'Linen ☀ \u{1F9F5}', categories: ['shirts'] })],
    library: {
      attributes: [{ key: 'origin', label: 'Origin', values: ['Portugal'] }],
      assurances: [{ icon: 'package', label: 'Free returns' }],
    },
    settings: { store: { name: 'Loom' } },
    collections: [{ slug: 'summer', title: 'Summer', products: ['linen'] }],
    categories: [{ slug: 'shirts', name: 'Shirts' }],
    sizeCharts: [{ id: 'tops', unit: 'cm', columns: ['Size'], rows: [['S']] }],
    discounts: [],
    mode: 'merge',
  }
  const response = await send(JSON.stringify(members, undefined, 3), '', {
    'content-type': 'Application/JSON; charset=utf-8',
  })
  expect(response.statusCode, response.payload).toBe(200)
  const created = (count: number) => ({ created: count, updated: 0, deleted: 0, unchanged: 0 })
  expect(ImportResult.parse(response.json())).toMatchObject({
    mode: 'merge',
    settingsChanged: true,
    counts: {
      products: created(1),
      categories: created(1),
      collections: created(1),
      sizeCharts: created(1),
      reviews: created(1),
      library: created(2),
    },
  })
  const page = await catalog.app.inject({ url: '/products/linen' })
  expect(page.json()).toMatchObject({ title: 'Linen ☀ \u{1F9F5}', categories: ['shirts'], rating: { count: 1 } })
  expect(await stagedRows()).toEqual([])
})

test('lists the settings that the configuration does not declare, which it stores', async () => {
  const settings = { decoration: 'dark', store: { motto: 'Slow', name: 'Loom' } }
  const unknownSettings = ['decoration', 'store.motto']
  for (const mode of ['dry', 'first', 'again']) {
    const response = await send(JSON.stringify({ mode: 'merge', dry_run: mode === 'dry', settings }))
    expect(response.json(), mode).toMatchObject({ ok: true, unknownSettings, settingsChanged: mode !== 'again' })
  }
  expect((await catalog.app.inject({ url: '/storefront' })).json()).toMatchObject(settings)
  const known = await send(JSON.stringify({ mode: 'replace', settings: { store: { name: 'Loom' } } }))
  expect(known.json()).not.toHaveProperty('unknownSettings')
})

test('takes the prices of shipping methods in the currency of the shop, and in no other', async () => {
  const priced = (currency: string) => {
    const shippingMethods = [{ id: 'post', label: 'Post', price: { amount: 500, currency } }]
    return { commerce: { shippingMethods } }
  }
  const merge = (settings: object) => send(JSON.stringify({ mode: 'merge', settings }))
  expect((await merge({ pricing: { currency: 'EUR' } })).statusCode).toBe(200)
  const foreign = await merge(priced('USD'))
  expect(foreign.statusCode).toBe(422)
  expect(issuesOf(ResponseBody.parse(foreign.json()))).toEqual([
    'settings.commerce.shippingMethods.0.price: must be a whole number of minor units in the currency of the shop',
  ])
  expect((await merge(priced('EUR'))).statusCode).toBe(200)
  const { shippingMethods } = (await catalog.app.inject({ url: '/storefront' })).json().commerce
  expect(shippingMethods).toEqual([{ id: 'post', label: 'Post', price: 500 }])
  expect((await merge({ pricing: { currency: 'JPY' }, ...priced('JPY') })).statusCode).toBe(200)
  const replaced = await send(JSON.stringify({ mode: 'replace', settings: priced('USD') }))
  expect(replaced.statusCode).toBe(200)
})

test('names every field that does not exist, with the nearest that does, and changes nothing', async () => {
  const [good] = products(1)
  const response = await send(
    JSON.stringify({
      mode: 'merge',
      dryrun: true,
      settings: { freeshippingOver: 9000, store: { nam: 'Linen' }, ours: { kept: true } },
      products: [
        { ...good, handle: 's0', rating: { average: 5, count: 1 }, variants: [{ ...good?.variants[0], qty: 3 }] },
      ],
      categories: [{ slug: 'shirts', name: 'Shirts', count: 3, titel: 'Shirts' }],
      library: { features: [{ icon: 'leaf', title: 'Linen', body: '', headline: 'x' }] },
    }),
  )
  expect(response.statusCode).toBe(422)
  expect(ResponseBody.parse(response.json())).toMatchObject({
    code: 'unknown_field',
    message: 'Nothing was imported: 7 errors to fix. Unknown field `dryrun`. Did you mean `dry_run`?',
  })
  expect(issuesOf(ResponseBody.parse(response.json())).toSorted()).toEqual([
    'categories.0.titel: Unknown field `titel`. Valid here: `slug`, `name`, `parent`, `blurb`, `image`.',
    'dryrun: Unknown field `dryrun`. Did you mean `dry_run`?',
    'library.features.0.headline: Unknown field `library.features.0.headline`. Did you mean `library.features.0.title`?',
    'products.0.handle: Unknown field `handle`. Did you mean `slug`?',
    'products.0.variants.0.qty: Unknown field `variants.0.qty`. Did you mean `variants.0.inventory`?',
    'settings.freeshippingOver: Unknown field `freeshippingOver`. Did you mean `commerce.freeShippingOver`?',
    'settings.store.nam: Unknown field `store.nam`. Did you mean `store.name`?',
  ])
  expect((await catalog.app.inject({ url: '/products/s0' })).statusCode).toBe(404)
  const byLine = await send(
    `{"type":"import","data":{"mode":"merge","dry-run":true}}\n{"type":"product","data":{},"x":1}\n`,
    '',
    {
      'content-type': 'application/x-ndjson',
    },
  )
  const named = issuesOf(ResponseBody.parse(byLine.json()))
  expect(named).toContain('line 1: data.dry-run: Unknown field `data.dry-run`. Did you mean `data.dry_run`?')
  expect(named).toContain('line 2: x: Unknown field `x`. Valid here: `type`, `data`.')
})

test('reports the errors of every row by its path, and changes nothing', async () => {
  const [good] = products(1)
  const response = await send(
    JSON.stringify({
      mode: 'merge',
      products: [good, { ...good, price: usd(1.5) }, 'shirt', { ...good, slug: 'nul', title: 'a\u0000b' }],
      categories: {},
      library: { attributes: [{ label: 'Origin' }] },
      discounts: [{ code: 'TEN', kind: 'percent', value: 101 }],
    }),
  )
  expect(response.statusCode).toBe(422)
  expect(response.json()).toMatchObject({ code: 'validation_failed', detail: { total: 6 } })
  expect(issuesOf(ResponseBody.parse(response.json()))).toEqual([
    'products.1.price.amount: must be a whole number',
    'products.2: must be an object, not a string',
    'products.3: must not contain NUL characters, lone surrogates or more than 100 levels',
    'categories: must be an array, not an object',
    'library.attributes.0.key: is missing',
    'discounts.0.value: must be a whole percent from 1 to 100',
  ])
  expect(await suite.sql('select 1 from catalog.products')).toEqual([])
})

describe('a body that is not a document is rejected, and leaves nothing', () => {
  test.each([
    ['a truncated document', (text: string) => text.slice(0, -1)],
    ['a document with text after its end', (text: string) => `${text}]`],
    ['a document with an unquoted string', (text: string) => text.replace('"s590"', 's590')],
  ])('%s', async (_what, broken) => {
    const response = await send(broken(JSON.stringify({ mode: 'merge', products: products(600) })))
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'bad_json', message: 'The request could not be read.' })
    expect(await stagedRows()).toEqual([])
    expect(await jobs()).toEqual([{ status: 'failed', failure: 'The request could not be read.' }])
  })

  test.each([
    ['', ': must be given'],
    ['null', ': must be given'],
    ['[]', ': must be an object, not an array'],
    ['{}', 'mode: must be one of "merge", "replace"'],
    ['{"mode":"merge","mode":"replace"}', 'mode: occurs twice in this document'],
  ])('%j', async (payload, issue) => {
    for (const query of ['', '?mode=merge&async=1']) {
      const response = await send(payload, query)
      expect(response.statusCode).toBe(422)
      expect(issuesOf(ResponseBody.parse(response.json()))).toEqual([issue])
    }
  })

  test('other content types', async () => {
    expect((await send('{}', '', { 'content-type': 'text/plain' })).statusCode).toBe(415)
    const nothing = await catalog.app.inject({ method: 'POST', url: '/admin/import', headers: suite.headers.admin() })
    expect(issuesOf(ResponseBody.parse(nothing.json()))).toEqual([': must be given'])
  })
})

test('other routes still read their JSON', async () => {
  const response = await catalog.app.inject({
    method: 'POST',
    url: '/admin/products',
    headers: suite.headers.admin(),
    payload: { title: 'Linen', price: usd(100) },
  })
  expect(response.statusCode, response.payload).toBe(200)
})

test(`a document of ${LARGE_MB} MB is read to its last product, with one error in it, and nothing of it stays`, async () => {
  const count = Math.ceil(LARGE_MB / MB_OF_A_PRODUCT)
  const sending = startSending()
  const responding = responseTo(sending)
  const words = 'x'.repeat(MB_OF_A_PRODUCT * 1_000_000)
  function* pieces() {
    yield '{"mode":"merge","products":['
    for (let index = 0; index < count; index++) yield `${JSON.stringify(shirt(`s${index}`, { description: words }))},`
    yield `${JSON.stringify({ ...shirt('last'), price: usd(-1) })}]}`
  }
  sendAll(sending, pieces())
  const response = await responding
  expect(response.status).toBe(422)
  expect(issuesOf(response)).toEqual([`products.${count}.price.amount: must be at least 0`])
  expect(await stagedRows()).toEqual([])
})

describe('a document of more than the limit is rejected', () => {
  test('by its declared length', async () => {
    const sending = startSending({ 'content-length': String(MAX_MIB * MIB + 1) })
    sending.write('{')
    expect(await responseTo(sending)).toEqual({
      status: 413,
      code: 'payload_too_large',
      message: `The file is too large: JSON can have at most ${MAX_MIB} MB. Send a larger shop as NDJSON.`,
    })
    sending.destroy()
    expect(await jobs()).toEqual([])
  })

  test('when more bytes arrive', async () => {
    const sending = startSending()
    const responding = responseTo(sending)
    const spaces = Buffer.alloc(MIB, ' ')
    function* pieces() {
      yield `{"mode":"merge","products":[${products(600)
        .map((each) => JSON.stringify(each))
        .join(',')}`
      for (let part = 0; part < MAX_MIB; part++) yield spaces
      yield ']}'
    }
    sendAll(sending, pieces())
    expect(await responding).toMatchObject({ status: 413, code: 'payload_too_large' })
    expect(await stagedRows()).toEqual([])
    expect(await jobs()).toEqual([
      {
        status: 'failed',
        failure: `The file is too large: JSON can have at most ${MAX_MIB} MB. Send a larger shop as NDJSON.`,
      },
    ])
  })
})

test('a few long rows do not wait in memory for many others', async () => {
  const long = JSON.stringify(shirt('long', { enrichment: { specs: { story: 'x'.repeat(2.5 * MIB) } } }))
  const sending = startSending()
  sending.write(`{"mode":"merge","products":[${long},`)
  await waitFor('the row to arrive', async () => (await stagedRows()).length > 0)
  sending.destroy()
  await waitFor('the row to be deleted', async () => (await stagedRows()).length === 0)
})

describe('an upload that does not reach its end leaves no row', () => {
  const START = `{"mode":"merge","products":[${products(600)
    .map((each) => JSON.stringify(each))
    .join(',')},{"title":"caf`

  test('when the client disconnects', async () => {
    const sending = startSending({ 'content-length': '9000000' })
    sending.write(START)
    await waitFor('rows to arrive', async () => (await stagedRows()).length > 0)
    sending.destroy()
    const job = await waitFor('the failure', async () => (await jobs()).find(({ status }) => status === 'failed'))
    expect(job.failure).toBe('The file did not arrive completely. Nothing was changed.')
    await waitFor('the rows to be deleted', async () => (await stagedRows()).length === 0)
  })

  test('when it stalls and is canceled', async () => {
    const sending = startSending()
    const responding = responseTo(sending)
    sending.write(START)
    await waitFor('rows to arrive', async () => (await stagedRows()).length > 0)
    const [job] = await suite.sql<{ id: string }>('select id from catalog.import_jobs')
    const url = `/admin/import/${job?.id}`
    const cancelled = await catalog.app.inject({ method: 'DELETE', url, headers: suite.headers.admin() })
    expect(cancelled.statusCode, cancelled.payload).toBe(200)
    sending.end('\u00e9"}]}')
    expect(await responding).toMatchObject({ status: 409, code: 'conflict' })
    expect(await stagedRows()).toEqual([])
    expect(await suite.sql('select 1 from catalog.products')).toEqual([])
  })
})
