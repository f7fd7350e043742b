import { gzipSync } from 'node:zlib'
import { request as httpRequest } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '@storefront/service'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { OrdersConfig } from '../src/config.ts'
import { startOrders, type RunningOrders } from '../src/start.ts'
import { errorOf } from './shop.ts'
import { DEMO_SECRET, keptEvents, signed } from './webhooks.ts'

const MIB = 1024 * 1024
const BODY = '{"type": "payment.captured",  "session_id": "pay_of_somebody_else", "payment": "demo_pay_1"}'

let suite: Suite
let orders: RunningOrders

beforeAll(async () => {
  suite = await createSuite('orders')
  orders = await start({ DEMO_WEBHOOK_SECRET: DEMO_SECRET })
})
afterAll(async () => {
  await orders.stop()
  await suite.stop()
})
beforeEach(async () => void (await suite.sql('delete from orders.provider_events')))

function start(env: Record<string, string>): Promise<RunningOrders> {
  return startOrders(readConfig(OrdersConfig, { ...suite.env('orders'), PORT: '0', ...env }), suite.log)
}

/** Over a real connection: the received bytes must be the sent ones. */
function send(
  body: Buffer | string,
  headers: Record<string, string> = signed(body),
  { path = '/webhooks/demo', chunked = false, to = orders } = {},
): Promise<{ status: number; body: unknown }> {
  const bytes = Buffer.from(body)
  return new Promise((resolve, reject) => {
    const length = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes.length) }
    const request = httpRequest(to.url + path, { method: 'POST', headers: { ...length, ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
    })
    request.on('error', reject)
    request.end(bytes)
  })
}

const RECEIVED = { status: 200, body: { received: true } }

describe('a webhook that is signed', () => {
  test('is stored with its bytes, and accepted', async () => {
    expect(await send(BODY, signed(BODY, { id: 'evt_first' }))).toEqual(RECEIVED)
    const [event, ...others] = await keptEvents(suite)
    expect(others).toEqual([])
    expect(event).toMatchObject({ provider: 'demo', event_id: 'evt_first', type: 'payment.captured' })
    expect(event?.payload.toString()).toBe(BODY)
  })

  test.each([
    ['no content type', {}],
    ['JSON', { 'content-type': 'application/json' }],
    ['JSON in another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a multipart form', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['an unknown type', { 'content-type': 'application/vnd.somebody+cbor' }],
  ])('is read as bytes with the content type %s, whole or in chunks', async (_what, type) => {
    expect(await send(BODY, { ...type, ...signed(BODY) })).toEqual(RECEIVED)
    expect(await send(BODY, { ...type, ...signed(BODY) }, { chunked: true })).toEqual(RECEIVED)
    expect((await keptEvents(suite)).map(({ payload }) => payload.toString())).toEqual([BODY, BODY])
  })

  test('is not decompressed: the signature is that of the sent bytes', async () => {
    const compressed = gzipSync(BODY)
    const response = await send(compressed, { 'content-encoding': 'gzip', ...signed(compressed) })
    // The signature is valid and the body is not JSON, because this provider does not compress.
    expect(errorOf(response)).toMatchObject({ status: 400, code: 'bad_json' })
  })

  test('counts once when it is repeated, and when it arrives ten times at once', async () => {
    const headers = signed(BODY, { id: 'evt_again' })
    expect(await send(BODY, headers)).toEqual(RECEIVED)
    await suite.sql(`update orders.provider_events set status = 'done', attempts = 3, last_error = 'kept'`)
    const before = await keptEvents(suite)
    expect(await send(BODY, headers)).toEqual(RECEIVED)
    const other = '{"type":"payment.failed"}'
    expect(await send(other, signed(other, { id: 'evt_again' }))).toEqual(RECEIVED)
    expect(await keptEvents(suite)).toEqual(before)

    const many = signed(BODY, { id: 'evt_crowd' })
    const responses = await Promise.all(Array.from({ length: 10 }, () => send(BODY, many)))
    expect(responses).toEqual(Array.from({ length: 10 }, () => RECEIVED))
    expect((await keptEvents(suite)).map((event) => event.event_id)).toEqual(['evt_again', 'evt_crowd'])
  })
})

describe('a webhook is rejected, and nothing of it is stored,', () => {
  const old = new Date(Date.now() - 6 * 60_000)
  const future = new Date(Date.now() + 6 * 60_000)
  const right = signed(BODY)
  const cases: [string, string, Record<string, string>][] = [
    ['without a signature', BODY, {}],
    ['with an empty signature', BODY, { ...right, 'webhook-signature': '' }],
    ['with a signature of another secret', BODY, signed(BODY, { secret: `whsec_${'A'.repeat(44)}` })],
    ['with a signature of another time', BODY, { ...right, 'webhook-timestamp': '1700000000' }],
    ['with a signature of another id', BODY, { ...right, 'webhook-id': 'evt_other' }],
    ['with a signature of another kind', BODY, { ...right, 'webhook-signature': right['webhook-signature'].slice(3) }],
    ['when it is old', BODY, signed(BODY, { at: old })],
    ['when its time is in the future', BODY, signed(BODY, { at: future })],
    ['with the same JSON in other bytes', JSON.stringify(JSON.parse(BODY)), right],
    ['with one more line', `${BODY}\n`, right],
    ['with an empty body', '', right],
  ]
  test.each(cases)('%s', async (_what, body, headers) => {
    expect(errorOf(await send(body, headers))).toMatchObject({ status: 400, code: 'bad_signature' })
    expect(await keptEvents(suite)).toEqual([])
  })

  test('when no secret is configured, whatever it is signed with', async () => {
    const keyless = await start({})
    for (const headers of [signed(BODY), signed(BODY, { secret: 'whsec_' }), signed(BODY, { secret: 'undefined' })]) {
      expect(errorOf(await send(BODY, headers, { to: keyless }))).toMatchObject({ status: 400, code: 'bad_signature' })
    }
    await keyless.stop()
    expect(await keptEvents(suite)).toEqual([])
  })

  test.each(['paypal', 'constructor', '__proto__', '%2e%2e', 'DEMO'])('from the unknown provider %s', async (name) => {
    expect(errorOf(await send(BODY, signed(BODY), { path: `/webhooks/${name}` }))).toMatchObject({
      status: 404,
      code: 'not_found',
    })
    expect(await keptEvents(suite)).toEqual([])
  })

  test('when it is one byte larger than 1 MiB, with or without a declared length', async () => {
    const most = JSON.stringify({ type: 'payment.captured', filling: '' }).padEnd(MIB, ' ')
    expect(most.length).toBe(MIB)
    expect(await send(most)).toEqual(RECEIVED)
    for (const chunked of [false, true]) {
      const more = `${most} `
      expect(errorOf(await send(more, signed(more), { chunked }))).toMatchObject({
        status: 413,
        code: 'payload_too_large',
      })
    }
    expect(await keptEvents(suite)).toHaveLength(1)
  })
})

test('a webhook that cannot be stored gets an error: the provider sends it again', async () => {
  const connection = await interruptibleConnection(suite.databaseUrl('orders'))
  const cutOff = await start({ DEMO_WEBHOOK_SECRET: DEMO_SECRET, DATABASE_URL: connection.url })
  const headers = signed(BODY, { id: 'evt_late' })
  connection.cut()
  expect(errorOf(await send(BODY, headers, { to: cutOff }))).toMatchObject({ status: 503, code: 'service_unavailable' })
  connection.repair()
  expect(await send(BODY, headers, { to: cutOff })).toEqual(RECEIVED)
  await cutOff.stop()
  await connection.stop()
  expect((await keptEvents(suite)).map((event) => event.event_id)).toEqual(['evt_late'])
})

/** A connection to the database that the test can interrupt. */
async function interruptibleConnection(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(Number(target.port || 5432), target.hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => other.destroy())
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('not listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${address.port}`
  return {
    url: url.href,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    repair: () => (isCut = false),
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
