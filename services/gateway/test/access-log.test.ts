import { request as httpRequest } from 'node:http'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manualClock } from '@storefront/service/testing'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { json, runGateway, startService, type TestGateway, type TestService } from './setup.ts'

const LIMIT = 8

let suite: Suite
let service: TestService
let gateway: TestGateway
const lines: Record<string, unknown>[] = []

beforeAll(async () => {
  suite = await createSuite()
  service = await startService((request, response) => {
    // This request gets no response, because its client aborts it first.
    if (request.url === '/carts/slow') return
    // The response waits for the whole body, so that the gateway can reject a long body before the response arrives.
    request
      .resume()
      .once('end', () =>
        json(response, 200, {}, { 'cache-control': 'public, max-age=60', 'surrogate-key': 'products' }),
      )
  })
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(
        ...chunk
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      )
      done()
    },
  })
  const log = pino({ formatters: { level: (label) => ({ level: label }) } }, sink)
  const settings = { RATE_LIMIT_GENERAL: String(LIMIT), UPSTREAM_TIMEOUT_MS: '20000' }
  // The limit counts from zero again with each minute of the clock.
  const clock = manualClock('2026-01-05T10:00:00.000Z')
  gateway = await runGateway({ ...suite, log }, { catalog: service.url, cart: service.url }, settings, clock)
})

afterAll(async () => {
  await gateway.stop()
  await service.stop()
  await suite.stop()
})

const responses = () => lines.filter((line) => line['msg'] === 'request completed')
const linesOf = (requestId: string) => responses().filter((line) => line['requestId'] === requestId)

test('every request writes one log line: fetched, cached, preflight, unmatched, aborted and rate-limited', async () => {
  const send = (id: string, path: string, method = 'GET') =>
    fetch(`${gateway.url}${path}`, { method, headers: { 'x-request-id': id } }).then((response) => response.text())
  await send('req-fetched', '/products/linen')
  await send('req-cached', '/products/linen')
  await send('req-preflight', '/products/linen', 'OPTIONS')
  await send('req-lost', '/nowhere/at/all')
  await send('req-method', '/products/linen', 'PROPFIND')
  await abort('req-aborted', '/carts/slow')
  await sendTooMuch('req-too-much', '/carts')
  for (let more = 0; more < LIMIT; more++) await send(`req-more-${more}`, '/products/linen')

  const expected = {
    'req-fetched': { method: 'GET', route: '/products/**', status: 200, cache: 'MISS' },
    'req-cached': { method: 'GET', route: '/products/**', status: 200, cache: 'HIT' },
    'req-preflight': { method: 'OPTIONS', route: '/products/**', status: 204 },
    'req-lost': { method: 'GET', route: 'unmatched', status: 404 },
    'req-method': { method: 'PROPFIND', route: '/products/**', status: 405 },
    'req-aborted': { method: 'GET', route: '/carts/**', status: 499 },
    'req-too-much': { method: 'POST', route: '/carts/**', status: 413 },
    [`req-more-${LIMIT - 1}`]: { method: 'GET', route: '/products/**', status: 429 },
  }
  for (const [requestId, fields] of Object.entries(expected)) {
    await waitFor(`the log line of ${requestId}`, () => linesOf(requestId).length > 0)
    expect(linesOf(requestId)).toEqual([
      expect.objectContaining({ ...fields, level: 'info', ms: expect.any(Number), actor: 'anonymous' }),
    ])
  }
  expect(responses()).toHaveLength(7 + LIMIT)
  // A body without a Content-Length turns out too large on its way to the service, which is not at fault.
  expect(linesOf('req-too-much')[0]).not.toHaveProperty('fault')
})

async function sendTooMuch(id: string, path: string): Promise<void> {
  const body = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < 20; sent++) controller.enqueue(new Uint8Array(64 * 1024).fill(32))
      controller.close()
    },
  })
  const headers = { 'x-request-id': id, 'content-type': 'application/json' }
  await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body, duplex: 'half' }).then((response) =>
    response.text(),
  )
}

/** Sends a request, and disconnects once the service has received it. */
async function abort(id: string, path: string): Promise<void> {
  const request = httpRequest(`${gateway.url}${path}`, { headers: { 'x-request-id': id } })
  request.on('error', () => {})
  request.end()
  await waitFor('the service to receive the request', () => service.requests.some(({ url }) => url === path))
  request.destroy()
}
