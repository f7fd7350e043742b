import { createApp } from '@storefront/http'
import { PUBLIC_CACHE_CONTROL } from '@storefront/http/testing'
import { manualClock } from '@storefront/service/testing'
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ErrorBody } from '@storefront/contracts'
import { createSuite, startOwnRedis, waitFor, type OwnRedis, type Suite } from '@storefront/tools/testing'
import { json, runGateway, startService, type Handler, type TestGateway, type TestService } from './setup.ts'

let suite: Suite
let redis: OwnRedis
let service: TestService
let one: TestGateway
let other: TestGateway
const clock = manualClock('2026-01-05T10:00:00.000Z')
const LIMITS = {
  RATE_LIMIT_GENERAL: '50',
  RATE_LIMIT_AUTH: '4',
  RATE_LIMIT_RESET: '3',
  RATE_LIMIT_LOOKUP: '3',
  RATE_LIMIT_NEWSLETTER: '2',
  RATE_LIMIT_DISCOUNT: '6',
  RATE_LIMIT_CHECKOUT: '5',
  RATE_LIMIT_WEBHOOKS: '70',
  TRUST_PROXY: 'true',
}

beforeAll(async () => {
  suite = await createSuite()
  redis = await startOwnRedis()
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
  await redis.remove()
  await suite.stop()
})

let client = 0
beforeEach(() => {
  client++
})

async function request(gateway: TestGateway, path: string, method = 'GET', address = `10.0.0.${client}`) {
  const response = await fetch(gateway.url + path, { method, headers: { 'x-forwarded-for': address } })
  const body: unknown = await response.json()
  const header = (name: string) => response.headers.get(name)
  return { status: response.status, body, header, remaining: Number(header('ratelimit-remaining')) }
}

async function statuses(count: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const found: number[] = []
  for (let round = 0; round < count; round++) found.push((await send()).status)
  return found
}

describe('the limit of payment providers', () => {
  test('replaces the general limit for webhooks, and the two count separately', async () => {
    const send = () => request(one, '/webhooks/stripe', 'POST')
    const responses = await statuses(71, send)
    expect(responses.filter((status) => status === 200)).toHaveLength(70)
    const rejected = await send()
    expect([rejected.status, rejected.header('ratelimit-limit')]).toEqual([429, '70'])
    expect(Number(rejected.header('retry-after'))).toBeGreaterThan(0)
    const shopper = await request(one, '/carts/x')
    expect([shopper.status, shopper.header('ratelimit-limit'), shopper.remaining]).toEqual([200, '50', 49])
    expect((await request(one, '/webhooks/stripe')).remaining).toBe(48)
  })
})

test.each(['/auth/login', '/admin/auth/login', '/auth/password/forgot', '/orders/lookup', '/carts/x/discount'])(
  'the limit of %s counts needlessly encoded requests as well',
  async (path) => {
    const start = path.lastIndexOf('/') + 1
    const encoded = path
      .slice(start)
      .split('')
      .map((letter, index) => {
        const code = letter.charCodeAt(0).toString(16)
        return `${path.slice(0, start + index)}%${code}${path.slice(start + index + 1)}`
      })
    const limit = Number((await request(one, path, 'POST')).header('ratelimit-limit'))
    expect(limit).toBeLessThan(7)
    let sent = 1
    for (const form of encoded.slice(0, limit - 1)) {
      expect((await request(one, form, 'POST')).remaining).toBe(limit - ++sent)
    }
    while (sent++ < limit) await request(one, path, 'POST')
    for (const form of encoded) expect((await request(one, form, 'POST')).status, form).toBe(429)
  },
)

/** Other forms of one letter of a path, as an attacker would try them. */
function otherLetters(letter: string): string[] {
  const code = letter.charCodeAt(0)
  const encoded = (character: string) => `%${character.charCodeAt(0).toString(16)}`
  const [high, low] = [encoded(letter).charAt(1), encoded(letter).charAt(2)]
  return [
    // Encoded twice, in whole or in part.
    `%%${encoded(high).slice(1)}${low}`,
    `%${encoded(high)}${low}`,
    `%${high}${encoded(low)}`,
    `%${encoded(high)}${encoded(low)}`,
    `%${encoded(letter)}`,
    `%25${high}${low}`,
    `%25${encoded(high)}${encoded(low)}`,
    `%%32%35${high}${low}`,
    `%u00${high}${low}`,
    // Overlong UTF-8, a full-width letter, and bytes that are not UTF-8.
    `%c1%${(code + 0x40).toString(16)}`,
    `%ef%bd%${(code + 0x20).toString(16)}`,
    String.fromCharCode(code + 0x80),
    `%ff${letter}`,
    `%ed%a0%80${letter}`,
    letter.toUpperCase(),
  ]
}

const OTHER_SLASHES = [
  '%2f',
  '%2F',
  '//',
  '/%2f',
  '/./',
  '/%2e/',
  '/x/../',
  '/x/%2e%2e/',
  '/..%2f',
  '\\',
  '%5c',
  '/%5c',
]
const OTHER_ENDS = [
  String.raw`/ // %2f /. /%2e /.. %2e \ %5c ; ;a=b %3b %3ba=b ? ?a=b %3f %3fa=b # #a %23 %23a ?# % %2`,
  '%00 %09 %0d%0a %20 %c2%a0 %ff %c0%af',
].flatMap((ends) => ends.split(' '))
const OTHER_STARTS = ['/', '//localhost', '/.', '/x/..', '%2f', '/%2f', '/%2e', 'http://localhost']

function otherForms(path: string): string[] {
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => index)
  return [
    ...slashes.flatMap((slash) => {
      const [before, after] = [path.slice(0, slash), path.slice(slash + 1)]
      const letters = otherLetters(after.charAt(0)).map((letter) => `${before}/${letter}${after.slice(1)}`)
      return slash === 0 ? letters : [...letters, ...OTHER_SLASHES.map((other) => before + other + after)]
    }),
    ...OTHER_ENDS.map((end) => path + end),
    ...OTHER_STARTS.map((start) => start + path),
    path.toUpperCase(),
  ]
}

/** The router of a service: the response names the route that it chose. */
async function serviceRouter(paths: readonly string[]): Promise<Handler> {
  const app = await createApp({ log: suite.log, verifyActor: one.verifyActor, checkReady: async () => {} })
  for (const path of paths) {
    app.post(path, { config: { access: 'public' }, schema: {} }, ({ routeOptions }) => ({ ran: routeOptions.url }))
  }
  await app.ready()
  return (request, response) => app.routing(request, response)
}

/** Sends a path unchanged: `fetch` would resolve dots and backslashes. */
async function post(path: string, address: string) {
  const { hostname, port } = new URL(one.url)
  const headers = { 'x-forwarded-for': address }
  return new Promise<{ limit: unknown; body: string }>((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, method: 'POST', headers }, (response) => {
      text(response).then((body) => resolve({ limit: response.headers['ratelimit-limit'], body }), reject)
    })
    sent.on('error', reject).end()
  })
}

test.each([
  '/auth/login',
  '/auth/register',
  '/auth/password/forgot',
  '/auth/email/verify',
  '/admin/auth/login',
  '/admin/console/session',
  '/orders/lookup',
  '/newsletter',
  '/carts/:id/discount',
  '/carts/:id/checkout',
  '/checkout/sessions',
])('no other spelling of %s reaches its service without the limit', async (route) => {
  const { respond } = service
  service.respond = await serviceRouter([route])
  try {
    const path = route.replace(':id', 'x')
    const ran = JSON.stringify({ ran: route })
    const { limit, body } = await post(path, `10.5.${client}.1`)
    expect(body).toBe(ran)
    expect(Number(limit)).toBeLessThan(7)
    const outside: string[] = []
    for (const [index, form] of otherForms(path).entries()) {
      // Each from another address, so that no limit ends the attempts.
      const found = await post(form, `10.5.${client}.${index + 2}`)
      if (found.body === ran && found.limit !== limit) outside.push(form)
    }
    expect(outside).toEqual([])
  } finally {
    service.respond = respond
  }
})

describe('the general limit', () => {
  test('counts everything but preflights and health checks, and returns its state', async () => {
    const first = await request(one, '/products')
    expect([first.header('ratelimit-limit'), first.remaining]).toEqual(['50', 49])
    expect(Number(first.header('ratelimit-reset'))).toBeGreaterThan(0)
    expect((await request(one, '/products')).remaining).toBe(48)
    expect((await request(one, '/nowhere')).remaining).toBe(47)
    expect((await request(one, '/carts/x')).remaining).toBe(46)
    expect((await request(one, '/healthz')).header('ratelimit-limit')).toBeNull()
    await fetch(`${one.url}/products`, { method: 'OPTIONS', headers: { 'x-forwarded-for': `10.0.0.${client}` } })
    expect((await request(one, '/carts/x')).remaining).toBe(45)
  })

  test('rejects requests beyond it until the end of the minute, also for cached responses', async () => {
    expect(await statuses(50, () => request(one, '/products'))).toEqual(Array.from({ length: 50 }, () => 200))
    const rejected = await request(one, '/products')
    expect(rejected.status).toBe(429)
    expect(ErrorBody.parse(rejected.body).code).toBe('rate_limited')
    expect(Number(rejected.header('retry-after'))).toBeGreaterThan(0)
    expect((await request(one, '/carts/x')).status).toBe(429)
    expect((await request(one, '/healthz')).status).toBe(200)
    expect((await request(one, '/products', 'GET', '10.9.9.9')).status).toBe(200)
    clock.advance(60_000)
    expect((await request(one, '/products')).status).toBe(200)
  })

  test('is shared by all gateways', async () => {
    await statuses(30, () => request(one, '/products'))
    let sent = 0
    const sendToOther = async () => {
      sent++
      return request(other, '/products')
    }
    await waitFor('the other gateway to have the count', async () => (await sendToOther()).remaining < 20)
    await waitFor('the limit at the other gateway', async () => (await sendToOther()).status === 429)
    // Alone it would accept fifty.
    expect(sent).toBeLessThan(50)
    await waitFor('the limit at the first gateway', async () => (await request(one, '/products')).status === 429)
    expect((await request(other, '/products', 'GET', '10.9.9.8')).status).toBe(200)
  })

  test('counts a /64 network of IPv6 as one client', async () => {
    expect((await request(one, '/products', 'GET', '2001:db8::1')).remaining).toBe(49)
    expect((await request(one, '/products', 'GET', '2001:db8::2')).remaining).toBe(48)
    expect((await request(one, '/products', 'GET', '2001:db8:0:1::1')).remaining).toBe(49)
  })
})

describe('a stricter limit', () => {
  test.each([
    ['/auth/login', 4],
    ['/auth/register', 4],
    ['/admin/auth/login', 4],
    ['/auth/password/forgot', 3],
    ['/auth/email/verify', 3],
    ['/orders/lookup', 3],
    ['/newsletter', 2],
    ['/carts/cart_1/discount', 6],
    ['/carts/cart_1/checkout', 5],
    ['/checkout/sessions', 5],
  ])('limits %s to exactly %i requests a minute over all gateways', async (path, limit) => {
    const address = `10.1.${client}.${path.length}`
    // Not all requests: a gateway may fetch the signing keys at any time.
    const received = () => service.requests.filter(({ url }) => url === path).length
    const before = received()
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => request(index % 2 === 0 ? one : other, path, 'POST', address)),
    )
    expect(responses.filter((response) => response.status === 200)).toHaveLength(limit)
    expect(received() - before).toBe(limit)
    const rejected = responses.find((response) => response.status === 429)
    expect(ErrorBody.parse(rejected?.body).code).toBe('rate_limited')
    expect(rejected?.header('ratelimit-limit')).toBe(String(limit))
    expect(rejected?.header('ratelimit-remaining')).toBe('0')
    expect(Number(rejected?.header('ratelimit-reset'))).toBeGreaterThan(0)
    expect(Number(rejected?.header('retry-after'))).toBeGreaterThan(0)
  })

  test('counts requests with the same effect together, for any cart and any page', async () => {
    const paths = ['/carts/cart_1/checkout', '/checkout/sessions', '/carts/cart_2/checkout']
    for (const path of paths) await statuses(2, () => request(one, path, 'POST'))
    expect((await request(one, '/carts/cart_3/checkout', 'POST')).status).toBe(429)
    expect((await request(one, '/carts/cart_1/discount', 'POST')).remaining).toBe(5)
    expect((await request(other, '/carts/cart_2/discount', 'POST')).remaining).toBe(4)
    expect((await request(one, '/auth/password/forgot', 'POST')).remaining).toBe(2)
    expect((await request(one, '/auth/email/verify', 'POST')).remaining).toBe(1)
    // The removal of a code is not a guess, so only the general limit counts it.
    expect((await request(one, '/carts/cart_1/discount', 'DELETE')).header('ratelimit-limit')).toBe('50')
  })

  test('counts login and register together, and nothing else', async () => {
    expect(await statuses(2, () => request(one, '/auth/login', 'POST'))).toEqual([200, 200])
    expect(await statuses(3, () => request(one, '/auth/register', 'POST'))).toEqual([200, 200, 429])
    expect((await request(one, '/auth/logout', 'POST')).status).toBe(200)
    expect((await request(one, '/orders/lookup', 'POST')).status).toBe(200)
  })
})

test('without Redis each gateway enforces the limits alone, and sends its counts when Redis is back', async () => {
  const path = '/carts/cart_1/discount'
  expect(await statuses(4, () => request(other, path, 'POST', '10.2.0.4'))).toEqual([200, 200, 200, 200])
  await redis.kill()
  await waitFor(
    'the outage to be noticed',
    async () => (await request(one, '/auth/login', 'POST', '10.2.0.1')).status === 200,
  )
  expect(await statuses(5, () => request(one, '/auth/login', 'POST', '10.2.0.2'))).toEqual([200, 200, 200, 200, 429])
  expect(await statuses(6, () => request(one, '/carts/x/checkout', 'POST', '10.2.0.2'))).toEqual([
    ...Array.from({ length: 5 }, () => 200),
    429,
  ])
  // Counts from before Redis went down still apply.
  expect(await statuses(3, () => request(other, path, 'POST', '10.2.0.4'))).toEqual([200, 200, 429])
  expect(await statuses(3, () => request(one, '/newsletter', 'POST', '10.2.0.5'))).toEqual([200, 200, 429])
  expect(await statuses(52, () => request(one, '/products', 'GET', '10.2.0.3'))).toEqual([
    ...Array.from({ length: 50 }, () => 200),
    429,
    429,
  ])
  expect((await request(other, '/products', 'GET', '10.2.0.3')).remaining).toBe(49)
  await redis.start()
  let sent = 0
  await waitFor('shared counts', async () => {
    sent++
    return (await request(other, '/products', 'GET', '10.2.0.3')).status === 429
  })
  // Alone it would accept 49 more.
  expect(sent).toBeLessThan(50)
  // `one` counted these alone during the outage. Its next request sends the count to Redis, so `other` applies it too.
  expect((await request(one, '/newsletter', 'POST', '10.2.0.5')).status).toBe(429)
  expect((await request(other, '/newsletter', 'POST', '10.2.0.5')).status).toBe(429)
})

test('a Redis that hangs delays requests only briefly, and soon not at all', async ({ skip }) => {
  const { pid } = redis
  if (pid === undefined) {
    skip('Redis runs in a container and cannot be stopped from here')
    return
  }
  const path = '/auth/login'
  const took = async (address: string) => {
    const startedMs = performance.now()
    expect((await request(one, path, 'POST', address)).status).toBe(200)
    return performance.now() - startedMs
  }
  await waitFor('both gateways to use Redis', async () => {
    const before = await request(one, path, 'POST', `10.3.${client}.1`)
    client++
    return before.remaining === 3 && (await request(other, path, 'POST', `10.3.${client - 1}.1`)).remaining === 2
  })
  process.kill(pid, 'SIGSTOP')
  try {
    await Promise.all(Array.from({ length: 20 }, (_, index) => took(`10.4.0.${index}`)))
    await waitFor('the gateway to continue without Redis', async () => (await took(`10.4.1.${client++}`)) < 200)
    expect(await statuses(5, () => request(one, path, 'POST', '10.4.2.1'))).toEqual([200, 200, 200, 200, 429])
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  // Each time from another address, because the other gateway alone would reject the fifth request of one.
  await waitFor('shared counts', async () => {
    const address = `10.4.3.${client++}`
    await statuses(4, () => request(one, path, 'POST', address))
    return (await request(other, path, 'POST', address)).status === 429
  })
  expect((await request(one, path, 'POST', '10.4.2.1')).status).toBe(429)
  expect((await request(other, path, 'POST', '10.4.2.1')).status).toBe(429)
})
