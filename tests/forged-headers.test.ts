import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { decodeJwt } from 'jose'
import { z } from 'zod'
import {
  ACTOR_HEADER,
  EVENTS,
  eventSubject,
  inboxPrefix,
  PERMISSIONS,
  REQUESTS,
  requestSubject,
  SERVICE_NAMES,
  type Actor,
  type ServiceName,
} from '@storefront/contracts'
import { actorSigner, systemClock, type ActorSigner } from '@storefront/service'
import { amount } from '@storefront/tools/testing'
import { createActorKeys, manualClock } from '@storefront/service/testing'
import { sendToNats, publication } from './support/raw-nats.ts'
import { openRawClient, type RawClient } from './support/raw-request.ts'
import { openShop, type TestShop } from './support/shop.ts'
import { ORIGIN, type TestClient } from './support/test-client.ts'

/** In a quick run each protected route gets a fourth of the forgeries, the next route another fourth. */
const PARTS = amount({ quick: 4, long: 1 })
const SERVICES = SERVICE_NAMES.filter((name) => name !== 'gateway')

/** The description of a service; an operation without security is public. */
const Description = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ security: z.array(z.record(z.string(), z.unknown())).optional() })),
  ),
})

const Claims = z.object({ sub: z.string(), sid: z.string() })

interface Operation {
  service: ServiceName
  method: string
  path: string
  needs: 'customer' | 'admin'
}

type Headers = Record<string, string | string[]>

let shop: TestShop
let secrets: Record<string, string>
let customer: TestClient
let actors: { customer: Actor; admin: Actor }
let operations: Operation[]
let sign: ActorSigner
const clients = new Map<ServiceName, RawClient>()

beforeAll(async () => {
  shop = await openShop()
  secrets = z
    .record(z.string(), z.string())
    .parse(JSON.parse(await readFile(join(shop.dataDir, 'secrets.json'), 'utf8')))
  sign = actorSigner(secrets['actorPrivateKey'] ?? '', systemClock)
  customer = shop.client()
  await customer.register('customer@forged.example')
  const [buyer, owner] = [customer, shop.admin].map(({ token = '' }) => Claims.parse(decodeJwt(token)))
  actors = {
    customer: { kind: 'customer', customerId: buyer?.sub ?? '', sessionId: buyer?.sid ?? '' },
    admin: { kind: 'admin', userId: owner?.sub ?? '', sessionId: owner?.sid ?? '', permissions: [...PERMISSIONS] },
  }
  for (const name of SERVICE_NAMES) clients.set(name, openRawClient(shop.shop.services[name].url, 8))
  operations = (await Promise.all(SERVICES.map(operationsOf))).flat()
})

afterAll(async () => {
  for (const client of clients.values()) client.close()
  await shop.stop()
})

async function operationsOf(service: ServiceName): Promise<Operation[]> {
  const { text } = await send(service, 'GET', '/internal/openapi.json', {})
  return Object.entries(Description.parse(JSON.parse(text)).paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { security = [] }]): Operation[] => {
      const kinds = security.flatMap((one) => Object.keys(one))
      const needs = kinds.includes('admin') ? 'admin' : kinds.includes('customer') ? 'customer' : undefined
      if (needs === undefined) return []
      const operation = { service, path: path.replaceAll(/\{[^}]+\}/g, 'none'), needs } as const
      const methods = method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]
      return methods.map((one) => ({ ...operation, method: one }))
    }),
  )
}

/** The part of `all` that a route with this index gets. */
const part = <Value>(all: readonly Value[], index: number): Value[] =>
  all.filter((_value, position) => position % PARTS === index % PARTS)

/** The servers that all tests share have passwords of their own. */
const natsPasswordOf = (service: ServiceName) => new URL(inject('servers').natsUrls[service]).password

function send(service: ServiceName, method: string, path: string, headers: Headers) {
  const client = clients.get(service)
  if (!client) throw new Error(`${service} has no address`)
  return client.send({ method, path, headers })
}

/** Every way to claim an identity that the gateway has not verified. */
async function forgeries(actor: Actor): Promise<Record<string, Headers>> {
  const json = JSON.stringify({ actor, expiresAt: Date.now() + 60_000 })
  const payload = Buffer.from(json).toString('base64url')
  const past = manualClock(new Date(Date.now() - 10 * 60_000).toISOString())
  const expired = actorSigner(secrets['actorPrivateKey'] ?? '', past)(actor)
  const foreign = actorSigner(createActorKeys().privateKey, systemClock)(actor)
  const real = sign(actor)
  const dot = real.indexOf('.')
  const signature = real.slice(dot + 1)
  const other = sign({ kind: 'anonymous' })
  const carried = (...tokens: string[]) => ({ [ACTOR_HEADER]: tokens.length === 1 ? (tokens[0] ?? '') : tokens })
  const changedAt = (position: number) => {
    const letter = real[position] === 'A' ? 'B' : 'A'
    return carried(real.slice(0, position) + letter + real.slice(position + 1))
  }
  const stolen = [`Bearer ${customer.token}`, `Bearer ${shop.admin.token}`]
  const cookies = (await fetch(`${shop.shop.url}/carts`, { method: 'POST', headers: { origin: ORIGIN } })).headers
  const cookie = cookies.getSetCookie().map((line) => line.split(';', 1)[0] ?? '')
  expect(cookie.length).toBeGreaterThan(0)
  const id = actor.kind === 'admin' ? actor.userId : actor.kind === 'customer' ? actor.customerId : ''
  return {
    nothing: {},
    'unsigned JSON': carried(json),
    'the actor alone': carried(JSON.stringify(actor)),
    'base64 without a signature': carried(payload),
    'base64 and an empty signature': carried(`${payload}.`),
    'base64 and a signature of zeros': carried(`${payload}.${Buffer.alloc(64).toString('base64url')}`),
    'an actor and the signature of another': carried(`${payload}.${other.slice(other.indexOf('.') + 1)}`),
    'a JWT that is not signed': carried(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`),
    'an actor signed with another key': carried(foreign),
    'an expired actor': carried(expired),
    'the first byte changed': changedAt(0),
    'a byte of the actor changed': changedAt(dot >> 1),
    'the last byte of the actor changed': changedAt(dot - 1),
    'a byte of the signature changed': changedAt(dot + 40),
    'the last byte changed': changedAt(real.length - 1),
    'the actor cut off': carried(`${real.slice(1, dot)}.${signature}`),
    'the signature cut off': carried(real.slice(0, -1)),
    'a character that base64 does not have': carried(`${real.slice(0, 4)}~${real.slice(4)}`),
    'base64 with padding': carried(`${real.slice(0, dot)}=.${signature}`),
    'quotation marks': carried(`"${real}"`),
    'an actor with the scheme Bearer': carried(`Bearer ${real}`),
    'the same actor twice': carried(real, real),
    'two signed actors': carried(other, real),
    'a forged actor first': carried(foreign, real),
    'a forged actor last': carried(real, foreign),
    'a signed actor and an empty one': carried(real, ''),
    '10 kB': carried('A'.repeat(10_000)),
    '10 kB in front of it': carried('A'.repeat(10_000) + real),
    '10 kB behind it': carried(`${real}.${'A'.repeat(10_000)}`),
    'the signed actor elsewhere': { authorization: `Bearer ${real}`, 'x-actor-token': real, cookie: `x-actor=${real}` },
    'the token of a customer': { authorization: stolen[0] ?? '' },
    'the token of an admin': { authorization: stolen[1] ?? '' },
    'both tokens': { authorization: stolen },
    'a token in place of the actor': carried(customer.token ?? ''),
    'the token of an admin in place of the actor': carried(shop.admin.token ?? ''),
    'a password': {
      authorization: `Basic ${Buffer.from(`${shop.shop.adminEmail}:${shop.shop.adminPassword}`).toString('base64')}`,
    },
    'the cookies of another browser': { cookie: cookie.join('; ') },
    'headers of other proxies': {
      'x-forwarded-user': id,
      'x-forwarded-email': shop.shop.adminEmail,
      'x-user-id': id,
      'x-customer-id': id,
      'x-admin': 'true',
      'x-original-user': id,
      'remote-user': id,
      'x-remote-user': id,
      'x-auth-request-user': id,
      'x-permissions': PERMISSIONS.join(),
      'x-role': 'owner',
      forwarded: 'for=127.0.0.1;by=gateway;host=localhost;proto=https',
      'x-forwarded-for': '127.0.0.1',
      'x-real-ip': '127.0.0.1',
      'x-internal': '1',
      'x-http-method-override': 'GET',
      'x-original-url': '/healthz',
    },
  }
}

describe('a service that is reached without the gateway', () => {
  test('describes which routes are protected', () => {
    const protecting = new Set(operations.map(({ service }) => service))
    expect([...protecting]).toEqual(expect.arrayContaining(['catalog', 'orders', 'identity', 'notifier']))
    expect(operations.filter(({ needs }) => needs === 'customer').length).toBeGreaterThan(3)
    expect(operations.filter(({ needs }) => needs === 'admin').length).toBeGreaterThan(30)
  })

  test('accepts the actor that the gateway signed', async () => {
    const reading = operations.filter(({ method }) => method === 'GET')
    expect(reading.length).toBeGreaterThan(10)
    for (const { service, method, path, needs } of reading) {
      const { status } = await send(service, method, path, { [ACTOR_HEADER]: sign(actors[needs]) })
      expect([path, status]).not.toEqual([path, 401])
      expect([path, status]).not.toEqual([path, 403])
    }
  })

  test('rejects every forged, stolen or missing actor', async () => {
    const accepted: string[] = []
    const known = { customer: await forgeries(actors.customer), admin: await forgeries(actors.admin) }
    const attempts = operations
      .flatMap((operation, index) =>
        part(Object.entries(known[operation.needs]), index).map(([name, headers]) => ({ operation, name, headers })),
      )
      .values()
    const work = async () => {
      for (const { operation, name, headers } of attempts) {
        const { service, method, path } = operation
        const { status, text } = await send(service, method, path, headers)
        const output =
          method === 'HEAD' ? 'unauthenticated' : z.object({ code: z.string() }).safeParse(parsed(text)).data?.code
        if (status !== 401 || output !== 'unauthenticated')
          accepted.push(`${name}: ${method} ${service} ${path} → ${status} ${text}`)
      }
    }
    await Promise.all(Array.from({ length: 8 }, work))
    expect(accepted.slice(0, 50)).toEqual([])
  })

  test('treats a request with a forged actor as anonymous on public routes', async () => {
    const product = await shop.stockProduct('forged-shirt', 10)
    const order = await customer.buy(product.variants[0]?.id ?? '')
    const path = `/orders/${order.id}`
    expect((await send('orders', 'GET', path, { [ACTOR_HEADER]: sign(actors.customer) })).status).toBe(200)
    for (const [name, headers] of Object.entries(await forgeries(actors.customer))) {
      expect([name, (await send('orders', 'GET', path, headers)).status]).toEqual([name, 404])
    }
  })

  test('serves its health and its description without authentication, and no secret in them', async () => {
    const values = [
      ...Object.values(secrets),
      ...SERVICE_NAMES.map(natsPasswordOf),
      shop.shop.adminPassword,
      shop.shop.adminEmail,
      'postgres',
      'redis://',
      'nats://',
    ]
    for (const service of SERVICES) {
      for (const path of ['/internal/openapi.json', '/healthz', '/readyz']) {
        const { status, text } = await send(service, 'GET', path, {})
        expect([service, path, status]).toEqual([service, path, 200])
        expect(values.filter((value) => text.toLowerCase().includes(value.toLowerCase()))).toEqual([])
      }
      expect(JSON.parse((await send(service, 'GET', '/healthz', {})).text)).toEqual({ ok: true })
      expect(JSON.parse((await send(service, 'GET', '/readyz', {})).text)).toEqual({ ok: true })
      expect((await send('gateway', 'GET', '/internal/openapi.json', {})).status).toBe(404)
    }
  })
})

describe('the gateway', () => {
  test('drops an actor that a client sends, signed or not', async () => {
    const real = sign(actors.admin)
    const readable = operations.filter(({ method }) => method === 'GET')
    expect(readable.length).toBeGreaterThan(10)
    const given: Headers[] = [
      { [ACTOR_HEADER]: real },
      { [ACTOR_HEADER]: [real, real] },
      { 'X-ACTOR': real },
      { X_Actor: real },
      { [ACTOR_HEADER]: real, authorization: `Bearer ${real}` },
      { [ACTOR_HEADER]: real, connection: `keep-alive, ${ACTOR_HEADER}` },
      { cookie: `${ACTOR_HEADER}=${real}` },
    ]
    for (const [index, { method, path }] of readable.entries()) {
      for (const headers of part(given, index)) {
        expect([path, (await send('gateway', method, path, headers)).status]).toEqual([path, 401])
      }
    }
  })

  test('passes the actor on, even when the Connection header lists its header for removal', async () => {
    const authorization = `Bearer ${customer.token}`
    for (const connection of ['keep-alive', ACTOR_HEADER, `keep-alive, ${ACTOR_HEADER}, authorization`]) {
      const { status } = await send('gateway', 'GET', '/me', {
        authorization,
        connection,
        [ACTOR_HEADER]: sign(actors.admin),
      })
      expect([connection, status]).toEqual([connection, 200])
    }
  })
})

describe('NATS', () => {
  const sendAs = (service: ServiceName, lines: string[]) =>
    sendToNats(shop.shop.infrastructure.nats.url, { user: service, pass: natsPasswordOf(service) }, lines)

  test.each([
    ['a client without credentials', () => ({})],
    ['a user without a password', () => ({ user: 'catalog' })],
    ['a user with an empty password', () => ({ user: 'catalog', pass: '' })],
    ['a user with a wrong password', () => ({ user: 'catalog', pass: 'catalog' })],
    ['a user with the password of another', () => ({ user: 'catalog', pass: natsPasswordOf('cart') })],
    ['a user that does not exist', () => ({ user: 'root', pass: natsPasswordOf('cart') })],
  ])('rejects a connection without the password of its user: %s', async (_who, credentials) => {
    const output = await sendToNats(shop.shop.infrastructure.nats.url, credentials(), [])
    expect(output).toContain("-ERR 'Authorization Violation'")
    expect(output).not.toContain('PONG')
  })

  test.each(SERVICE_NAMES)('lets %s use its own subjects, and no others', async (service) => {
    const { namespace } = shop.shop
    const inbox = `${inboxPrefix(service)}.test`
    const own = await sendAs(service, [`SUB ${inbox} 1`, `SUB ${namespace}.rpc.${service}.test 2`])
    expect(own).toContain('PONG')
    expect(own).not.toContain('-ERR')

    const subjects = [
      ...EVENTS.filter((event) => event.from !== service).map((event) => eventSubject(namespace, event)),
      ...REQUESTS.filter((request) => !request.from.includes(service)).map((request) =>
        requestSubject(namespace, request),
      ),
      `${namespace}.dead.${service === 'catalog' ? 'cart' : 'catalog'}.x`,
      `${inboxPrefix(service === 'catalog' ? 'cart' : 'catalog')}.x`,
      '$JS.API.STREAM.LIST',
      `$JS.API.STREAM.DELETE.${namespace}_EVENTS`,
      `$JS.API.STREAM.PURGE.${namespace}_EVENTS`,
    ]
    // NATS reports each violation, and keeps the connection open.
    const forged = await sendAs(
      service,
      subjects.map((subject) => publication(subject, { forged: true })),
    )
    for (const subject of subjects) {
      expect(forged).toContain(`-ERR 'Permissions Violation for Publish to "${subject}"'`)
    }
    const others = SERVICE_NAMES.filter((name) => name !== service)
    const received = [
      '>',
      `${namespace}.>`,
      '_INBOX.>',
      ...others.flatMap((name) => [`${namespace}.rpc.${name}.>`, `${inboxPrefix(name)}.>`]),
    ]
    const listened = await sendAs(
      service,
      received.map((subject, index) => `SUB ${subject} ${index}`),
    )
    for (const subject of received) {
      expect(listened).toContain(`-ERR 'Permissions Violation for Subscription to "${subject}"'`)
    }
  })
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
