import { Agent, request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HttpError } from '@storefront/service'
import type { App } from '@storefront/http'
import { amount } from '@storefront/tools/testing'
import { openApp } from './open-app.ts'

const MIB = 1024 * 1024
/** A body is larger than what a connection keeps unread, and than the largest that is parsed. */
const BODIES_MIB = amount({ quick: [2, 4], long: [2, 4, 10] })

let app: App
let url: string

beforeAll(async () => {
  app = await openApp()
  const config = { access: 'public' } as const
  app.get('/next', { config, schema: {} }, async () => ({ ok: true }))
  app.post('/parsed', { config, schema: {} }, async () => ({ ok: true }))
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null, undefined))
    scope.post('/unread', { config, schema: {} }, async () => ({ ok: true }))
    scope.post('/begun', { config, schema: {} }, async ({ raw }) => {
      await raw.iterator({ destroyOnReturn: false }).next()
      throw new HttpError('conflict', 'That is enough.')
    })
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(() => app.close())

test.each([
  { path: '/parsed', expected: 413 },
  { path: '/unread', expected: 200 },
  { path: '/begun', expected: 409 },
])('a body that $path does not read to its end leaves its connection usable for the next request', async (given) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sockets = new Set<unknown>()
  const send = (method: string, path: string, body?: Buffer): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = body ? { 'content-type': 'application/json', 'content-length': body.length } : {}
      const request = httpRequest(url + path, { agent, method, headers, timeout: 10_000 }, (response) => {
        response.on('end', () => resolve(response.statusCode ?? 0)).on('error', reject)
        response.resume()
        if (body) request.end(body.subarray(body.length / 2))
      })
      request.on('socket', (socket) => sockets.add(socket)).on('error', reject)
      request.on('timeout', () => request.destroy(new Error('no response')))
      if (body) request.write(body.subarray(0, body.length / 2))
      else request.end()
    })
  for (const megabytes of BODIES_MIB) {
    expect(await send('POST', given.path, Buffer.alloc(megabytes * MIB, 'x'))).toBe(given.expected)
    expect(await send('GET', '/next')).toBe(200)
  }
  expect(sockets.size).toBe(1)
  agent.destroy()
})
