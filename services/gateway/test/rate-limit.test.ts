import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { ErrorBody } from '@storefront/contracts'
import { manualClock, PUBLIC_CACHE_CONTROL } from '@storefront/chassis'
import { startRedis, type RunningServer } from '@storefront/tools/infrastructure'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { json, runGateway, startService, type TestGateway, type TestService } from './setup.ts'

let suite: Suite
let dataDir: string
let redis: RunningServer
let service: TestService
let one: TestGateway
let other: TestGateway
const clock = manualClock('2026-01-05T10:00:00.000Z')
const LIMITS = {
  RATE_LIMIT_GENERAL: '50',
  RATE_LIMIT_AUTH: '4',
  RATE_LIMIT_LOOKUP: '3',
  RATE_LIMIT_NEWSLETTER: '2',
  TRUST_PROXY: 'true',
}

beforeAll(async () => {
  suite = await createSuite()
  dataDir = await mkdtemp(join(tmpdir(), 'storefront-redis-'))
  redis = await startRedis({ dataDir, cacheDir: inject('servers').cacheDir, env: {}, say: () => {} })
  service = await startService((_request, response) =>
    json(response, 200, { ok: true }, { 'cache-control': PUBLIC_CACHE_CONTROL }),
  )
  const urls = { catalog: service.url, cart: service.url, orders: service.url, identity: service.url }
  const settings = { ...LIMITS, REDIS_URL: redis.url }
  one = await runGateway(suite, urls, settings, clock)
  other = await runGateway(suite, urls, settings, clock)
})

afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await service.stop()
  await redis.stop()
  await rm(dataDir, { recursive: true, force: true })
  await suite.stop()
})

let party = 0
beforeEach(() => {
  party++
})

async function visit(gateway: TestGateway, path: string, method = 'GET', address = `10.0.0.${party}`) {
  const response = await fetch(gateway.url + path, { method, headers: { 'x-forwarded-for': address } })
  const body: unknown = await response.json()
  const header = (name: string) => response.headers.get(name)
  return { status: response.status, body, header, remaining: Number(header('ratelimit-remaining')) }
}

async function statuses(count: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const found: number[] = []
  for (let round = 0; round < count; round++) found.push((await ask()).status)
  return found
}

describe('the general limit', () => {
  test('counts everything but preflights and health, and says where it stands', async () => {
    const first = await visit(one, '/products')
    expect([first.header('ratelimit-limit'), first.remaining]).toEqual(['50', 49])
    expect(Number(first.header('ratelimit-reset'))).toBeGreaterThan(0)
    expect((await visit(one, '/products')).remaining).toBe(48)
    expect((await visit(one, '/nowhere')).remaining).toBe(47)
    expect((await visit(one, '/carts/x')).remaining).toBe(46)
    expect((await visit(one, '/healthz')).header('ratelimit-limit')).toBeNull()
    await fetch(`${one.url}/products`, { method: 'OPTIONS', headers: { 'x-forwarded-for': `10.0.0.${party}` } })
    expect((await visit(one, '/carts/x')).remaining).toBe(45)
  })

  test('refuses what is beyond it until the minute is over, cached answers too', async () => {
    expect(await statuses(50, () => visit(one, '/products'))).toEqual(Array.from({ length: 50 }, () => 200))
    const refused = await visit(one, '/products')
    expect(refused.status).toBe(429)
    expect(ErrorBody.parse(refused.body).code).toBe('rate_limited')
    expect(Number(refused.header('retry-after'))).toBeGreaterThan(0)
    expect((await visit(one, '/carts/x')).status).toBe(429)
    expect((await visit(one, '/healthz')).status).toBe(200)
    expect((await visit(one, '/products', 'GET', '10.9.9.9')).status).toBe(200)
    clock.advance(60_000)
    expect((await visit(one, '/products')).status).toBe(200)
  })

  test('is one for all gateways', async () => {
    await statuses(30, () => visit(one, '/products'))
    await waitFor('the other gateway to know', async () => (await visit(other, '/products')).remaining < 20)
    await waitFor('the limit', async () => (await visit(other, '/products')).status === 429)
    await waitFor('the limit here as well', async () => (await visit(one, '/products')).status === 429)
  })

  test('counts a /64 of IPv6 as one', async () => {
    expect((await visit(one, '/products', 'GET', '2001:db8::1')).remaining).toBe(49)
    expect((await visit(one, '/products', 'GET', '2001:db8::2')).remaining).toBe(48)
    expect((await visit(one, '/products', 'GET', '2001:db8:0:1::1')).remaining).toBe(49)
  })
})

describe('a stricter limit', () => {
  test.each([
    ['/auth/login', 4],
    ['/auth/register', 4],
    ['/auth/password/forgot', 4],
    ['/admin/auth/login', 4],
    ['/orders/lookup', 3],
    ['/newsletter', 2],
  ])('holds %s to %i a minute, exactly, over all gateways', async (path, limit) => {
    const address = `10.1.${party}.${path.length}`
    const before = service.requests.length
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => visit(index % 2 === 0 ? one : other, path, 'POST', address)),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(limit)
    expect(service.requests.length - before).toBe(limit)
    const refused = answers.find((answer) => answer.status === 429)
    expect(refused?.header('ratelimit-limit')).toBe(String(limit))
    expect(Number(refused?.header('retry-after'))).toBeGreaterThan(0)
  })

  test('counts login and register together, and nothing else', async () => {
    expect(await statuses(2, () => visit(one, '/auth/login', 'POST'))).toEqual([200, 200])
    expect(await statuses(3, () => visit(one, '/auth/register', 'POST'))).toEqual([200, 200, 429])
    expect((await visit(one, '/auth/logout', 'POST')).status).toBe(200)
    expect((await visit(one, '/orders/lookup', 'POST')).status).toBe(200)
  })
})

test('without Redis each gateway keeps the limits by itself, and hands in its count when Redis is back', async () => {
  await redis.kill()
  await waitFor(
    'the loss to be noticed',
    async () => (await visit(one, '/auth/login', 'POST', '10.2.0.1')).status === 200,
  )
  expect(await statuses(5, () => visit(one, '/auth/login', 'POST', '10.2.0.2'))).toEqual([200, 200, 200, 200, 429])
  expect(await statuses(52, () => visit(one, '/products', 'GET', '10.2.0.3'))).toEqual([
    ...Array.from({ length: 50 }, () => 200),
    429,
    429,
  ])
  expect((await visit(other, '/products', 'GET', '10.2.0.3')).remaining).toBe(49)
  await redis.start()
  await waitFor('the counts to meet', async () => (await visit(other, '/products', 'GET', '10.2.0.3')).status === 429)
})
