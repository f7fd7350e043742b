import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { actorVerifier, systemClock, HttpError } from '@storefront/service'
import { createApp, type App } from './http-app.ts'
import { actorHeaders, createActorKeys, waitFor } from '@storefront/service/testing'

const keys = createActorKeys()
const lines: Record<string, unknown>[] = []
let app: App
let url: string

beforeAll(async () => {
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()))
      done()
    },
  })
  const log = pino({ level: 'debug', formatters: { level: (label) => ({ level: label }) } }, sink)
  app = await createApp({ log, verifyActor: actorVerifier(keys.publicKey, systemClock), checkReady: async () => {} })
  const schema = { params: z.object({ id: z.string() }) }
  app.get('/things/:id', { config: { access: 'public' }, schema }, async () => ({ ok: true }))
  app.get('/rejected', { config: { access: 'public' }, schema: {} }, async () => {
    throw new HttpError('conflict', 'Someone else was faster.')
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(() => app.close())

test('every request to a service writes one log line, with its route and not its path', async () => {
  const send = (requestId: string, path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers: { ...headers, 'x-request-id': requestId } }).then((response) => response.text())
  await send('req-found', '/things/cart_secret?token=secret')
  await send('req-customer', '/things/1', actorHeaders(keys).customer('cus_1'))
  await send('req-rejected', '/rejected')
  await send('req-lost', '/nowhere')

  const responses = () => lines.filter((line) => line['msg'] === 'request completed')
  await waitFor('the last log line', () => responses().some((each) => each['requestId'] === 'req-lost'))
  const line = { level: 'debug', method: 'GET', ms: expect.any(Number), actor: 'anonymous' }
  expect(responses()).toMatchObject([
    { ...line, requestId: 'req-found', route: '/things/:id', status: 200 },
    { ...line, requestId: 'req-customer', route: '/things/:id', status: 200, actor: 'customer' },
    { ...line, requestId: 'req-rejected', route: '/rejected', status: 409 },
    { ...line, requestId: 'req-lost', status: 404 },
  ])
  expect(JSON.stringify(responses())).not.toContain('secret')
})
