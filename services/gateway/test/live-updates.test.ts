import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  CatalogChanged,
  OrdersChanged,
  ROLE_PERMISSIONS,
  revokedKey,
  SessionsEnded,
  type AdminRole,
} from '@storefront/contracts'
import { sendSignal, type Messaging } from '@storefront/messaging'
import { systemClock } from '@storefront/service'
import { manualClock } from '@storefront/service/testing'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { TIMEOUTS } from '../src/front/timeouts.ts'
import { markRevocationsComplete, runGateway, startIdentity, type Identity, type TestGateway } from './setup.ts'

const UPDATES = { ...TIMEOUTS.updates, heartbeatMs: 100, pauseMs: 50 }

let suite: Suite
let redis: Redis
let identity: Identity
let gateway: TestGateway
let orders: Messaging
let catalog: Messaging
let accounts: Messaging
let opened: Stream[] = []

beforeAll(async () => {
  suite = await createSuite()
  redis = new Redis(suite.redisUrl)
  await markRevocationsComplete(suite)
  identity = await startIdentity()
  gateway = await startGateway()
  orders = await suite.openMessaging('orders')
  catalog = await suite.openMessaging('catalog')
  accounts = await suite.openMessaging('identity')
})

afterEach(() => {
  for (const stream of opened) stream.close()
  opened = []
})

afterAll(async () => {
  await Promise.all([orders.close(), catalog.close(), accounts.close(), gateway.stop()])
  await identity.service.stop()
  redis.disconnect()
  await suite.stop()
})

function startGateway(updates: Partial<typeof UPDATES> = {}): Promise<TestGateway> {
  return runGateway(suite, { identity: identity.service.url }, {}, systemClock, {
    updates: { ...UPDATES, ...updates },
  })
}

interface Stream {
  status: number
  headers: Headers
  topics: string[]
  heartbeats: number
  ended: boolean
  close: () => void
}

let people = 0

interface Person {
  userId?: string
  sessionId?: string
  role?: AdminRole
}

async function cookieOf({ userId = `usr_${++people}`, sessionId = `sess_${userId}`, role = 'owner' }: Person = {}) {
  const claims = { aud: 'console', sub: userId, sid: sessionId, perms: ROLE_PERMISSIONS[role] }
  return `console_session=${await identity.sign(claims)}`
}

async function open(person?: Person, at = gateway): Promise<Stream> {
  return openWith({ cookie: await cookieOf(person), 'x-console': '1' }, at)
}

async function openWith(headers: Record<string, string>, at = gateway): Promise<Stream> {
  const controller = new AbortController()
  const response = await fetch(`${at.url}/admin/console/updates`, { headers, signal: controller.signal })
  const stream: Stream = {
    status: response.status,
    headers: response.headers,
    topics: [],
    heartbeats: 0,
    ended: false,
    close: () => controller.abort(),
  }
  opened.push(stream)
  void read(stream, response).catch(() => {})
  return stream
}

async function read(stream: Stream, { body }: Response): Promise<void> {
  let unread = ''
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const messages = (unread + text).split('\n\n')
    unread = messages.pop() ?? ''
    for (const message of messages) {
      const topic = /^data: (.+)$/m.exec(message)?.[1]
      if (topic === undefined) stream.heartbeats++
      else stream.topics.push(topic)
    }
  }
  stream.ended = true
}

test('a person receives the topics that their role may read, and no others', async () => {
  const [owner, merchandiser] = [await open({ role: 'owner' }), await open({ role: 'merchandiser' })]
  sendSignal(orders, OrdersChanged, { topics: ['orders', 'attention'] })
  await waitFor('the orders', async () => owner.topics.length === 2)
  sendSignal(catalog, CatalogChanged, { topics: ['stock', 'a topic of a newer version'] })
  await waitFor('the stock', async () => merchandiser.topics.length > 0 && owner.topics.length === 3)
  expect(owner.topics).toEqual(['orders', 'attention', 'stock'])
  expect(merchandiser.topics).toEqual(['stock'])
})

test('a response is an event stream that no proxy stores, compresses or holds back', async () => {
  const { status, headers } = await openWith({
    cookie: await cookieOf(),
    'x-console': '1',
    'accept-encoding': 'br, gzip',
  })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(headers.get('cache-control')).toBe('private, no-store, no-transform')
  expect(headers.get('x-accel-buffering')).toBe('no')
  expect(headers.get('content-encoding')).toBeNull()
  expect(headers.get('x-request-id')).toMatch(/^req_/)
})

test('only the console itself is admitted: with its cookie and its header', async () => {
  const cookie = await cookieOf()
  const claims = { aud: 'admin', perms: ROLE_PERMISSIONS.owner, sub: 'usr_bearer', sid: 'sess_bearer' }
  const authorization = `Bearer ${await identity.sign(claims)}`
  for (const headers of [{}, { cookie }, { 'x-console': '1' }, { authorization, 'x-console': '1' }]) {
    expect((await openWith(headers)).status).toBe(401)
  }
  const crossSite = await openWith({ cookie, 'x-console': '1', 'sec-fetch-site': 'same-site' })
  expect(crossSite.status).toBe(401)
  expect((await fetch(`${gateway.url}/admin/console/updates`, { method: 'POST' })).status).toBe(405)
})

test('many changes of a topic within its pause are one message', async () => {
  // Longer than fifty signals take to arrive on a busy machine.
  const slow = await startGateway({ pauseMs: 2000 })
  const owner = await open({}, slow)
  const change = (topic: string) => sendSignal(orders, OrdersChanged, { topics: [topic] })
  for (let round = 0; round < 50; round++) change('orders')
  await waitFor('the end of the pause', async () => owner.topics.length === 2)
  change('attention')
  await waitFor('the other topic', async () => owner.topics.includes('attention'))
  expect(owner.topics).toEqual(['orders', 'orders', 'attention'])
  await slow.stop()
})

test('a change just before the connection is sent as well', async () => {
  const slow = await startGateway({ pauseMs: 10_000 })
  const first = await open({}, slow)
  sendSignal(orders, OrdersChanged, { topics: ['orders'] })
  await waitFor('the message', async () => first.topics.length === 1)
  const second = await open({}, slow)
  await waitFor('the same message', async () => second.topics.length === 1)
  expect(second.topics).toEqual(['orders'])
  await slow.stop()
})

test('the connection ends when the session does: at the signal of identity, and without it at the next heartbeat', async () => {
  const signaled = await open({ sessionId: 'sess_signaled' })
  const unsignaled = await open({ sessionId: 'sess_unsignaled' })
  const other = await open()
  sendSignal(accounts, SessionsEnded, { ids: ['sess_signaled'] })
  await waitFor('the end', async () => signaled.ended)
  expect(unsignaled.ended).toBe(false)
  await redis.set(revokedKey(suite.namespace, 'sess_unsignaled'), '1')
  await waitFor('the end', async () => unsignaled.ended)
  expect(other.ended).toBe(false)
  expect((await open({ sessionId: 'sess_signaled' })).status).toBe(401)
})

test('the connection ends when its token expires', async () => {
  const own = manualClock(new Date())
  const urls = { identity: identity.service.url }
  const aging = await runGateway(suite, urls, {}, own, { updates: UPDATES })
  const owner = await open({}, aging)
  await waitFor('heartbeats', async () => owner.heartbeats > 2)
  own.advance(62 * 60_000)
  await waitFor('the end', async () => owner.ended)
  expect(owner.topics).toEqual([])
  await aging.stop()
})

test('the connections of a user and of a gateway are limited, and one that ends makes room for another', async () => {
  const small = await startGateway({ perUser: 2, inAll: 3 })
  const person = { userId: 'usr_many' }
  const [first] = [await open(person, small), await open(person, small)]
  const third = await open(person, small)
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '30'])
  expect((await open({}, small)).status).toBe(200)
  expect((await open({}, small)).status).toBe(503)
  first?.close()
  await waitFor('a free place', async () => (await open(person, small)).status === 200)
  await small.stop()
})

test('each of several gateways receives every signal, and one that stops ends its connections', async () => {
  const other = await startGateway()
  const [here, there] = [await open({}), await open({}, other)]
  sendSignal(orders, OrdersChanged, { topics: ['orders'] })
  await waitFor('both', async () => here.topics.length === 1 && there.topics.length === 1)
  await other.stop()
  await waitFor('the end', async () => there.ended)
  const again = await open({})
  sendSignal(catalog, CatalogChanged, { topics: ['imports'] })
  await waitFor('the message', async () => again.topics.includes('imports') && here.topics.includes('imports'))
  expect(there.topics).toEqual(['orders'])
})

test('connections take no slots from other requests, and are not counted among them', async () => {
  const tiny = await runGateway(suite, { identity: identity.service.url }, {}, systemClock, {
    updates: UPDATES,
    requestsUnderWay: 1,
  })
  for (const stream of [await open({}, tiny), await open({}, tiny)]) expect(stream.status).toBe(200)
  expect((await fetch(`${tiny.url}/auth/none`)).status).toBe(200)
  await tiny.stop()
})
