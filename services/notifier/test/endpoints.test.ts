import { manualClock } from '@storefront/service/testing'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from 'kysely'
import { actorSigner } from '@storefront/service'
import { replyTo } from '@storefront/messaging'
import type { ResolveName } from '@storefront/http'
import { OrderPaid, ReadNotifierCredentials, SettingsUpdated } from '@storefront/contracts'
import { amount, waitFor } from '@storefront/tools/testing'
import { cleanUpEndpointsOnce } from '../src/endpoints/clean-up-endpoints.ts'
import type { RunningNotifier } from '../src/start.ts'
import {
  connect,
  createReceiver,
  createSetting,
  SECRET,
  type Received,
  type Receiver,
  type Setting,
} from './setting.ts'

const HOUR_MS = 3600 * 1000
const STOREFRONT = '/admin/webhooks/whe_storefront'

let setting: Setting
/** Replies that no merchant has set a credential. Without a reply notifier waits for five seconds at its start. */
let identity: Awaited<ReturnType<typeof connect>>
/** Receives the deliveries to the endpoint of a merchant. */
let receiver: Receiver
let storefront: Receiver
let clock: ReturnType<typeof manualClock>

beforeAll(async () => {
  setting = await createSetting()
  identity = await connect(setting.suite, 'identity')
  replyTo(identity, ReadNotifierCredentials, () => Promise.resolve({ credentials: [] }))
  await identity.messaging.connection().flush()
})
beforeEach(async () => {
  receiver = await createReceiver()
  storefront = await createReceiver()
  clock = manualClock(new Date())
})
afterEach(async () => {
  await receiver.stop()
  await storefront.stop()
  await setting.clear()
})
afterAll(async () => {
  await identity.messaging.close()
  await setting.stop()
})

const start = (more: Record<string, string> = {}, resolve?: ResolveName) =>
  setting.start({ STOREFRONT_URL: storefront.url, ...more }, clock, resolve)
const paid = (number: string) => ({ orderId: `order_${number}`, number })

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

async function call({ app }: RunningNotifier, method: Method, url: string, body?: object) {
  // The actor is signed with the clock of the test, because it is valid for a minute only.
  const actor = { kind: 'admin' as const, userId: 'user_test', permissions: ['webhooks:write' as const] }
  const headers = { 'x-actor': actorSigner(setting.suite.actorPrivateKey, clock)(actor) }
  const response = await app.inject({ method, url, headers, ...(body && { payload: body }) })
  return {
    status: response.statusCode,
    body: z.record(z.string(), z.unknown()).parse(response.json()),
    text: response.body,
  }
}

const Made = z.object({ id: z.string(), secret: z.string() })

async function register(
  notifier: RunningNotifier,
  more: object = {},
): Promise<{ id: string; secret: string; path: string }> {
  const response = await call(notifier, 'POST', '/admin/webhooks', { url: `${receiver.url}/hooks`, ...more })
  expect(response.status, response.text).toBe(200)
  const made = Made.parse(response.body)
  return { ...made, path: `/admin/webhooks/${made.id}` }
}

async function rotate(notifier: RunningNotifier, path: string, body?: object): Promise<string> {
  const response = await call(notifier, 'POST', `${path}/rotate`, body)
  expect(response.status, response.text).toBe(200)
  return Made.parse(response.body).secret
}

function isSignedWith({ headers, body }: Received, secret: string): boolean {
  const wanted = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  try {
    new Webhook(secret).verify(body, Object.fromEntries(wanted.map((name) => [name, String(headers[name])])))
    return true
  } catch {
    return false
  }
}

async function arrived(count: number, at = receiver): Promise<Received> {
  return waitFor(`${count} webhooks`, () => (at.received.length >= count ? at.received.at(-1) : undefined))
}

/** Waits until no replica uses the old cached state of an endpoint: it is cached for 50 ms. */
async function untilEndpointCacheExpires(): Promise<void> {
  const since = performance.now()
  await waitFor('the cached state to expire', () => performance.now() - since > 100)
}

interface Row {
  endpoint_id: string
  status: string
  attempts: number
  last_error: string | null
}
const rowsOf = (id: string) =>
  setting.suite.sql<Row>('select * from notifier.deliveries where endpoint_id = $1 order by seq', [id])

/** Waits until an event was consumed, which its delivery to another endpoint shows. */
async function delivered(eventId: string): Promise<void> {
  await waitFor('the event to be consumed', async () =>
    (await setting.deliveries()).some((delivery) => delivery.event_id === eventId),
  )
}

describe('an endpoint of a merchant', () => {
  test('receives every event, signed with its own secret, which is shown once', async () => {
    const notifier = await start({ SECRETS_KEY: 'a key of this shop alone' })
    const made = await call(notifier, 'POST', '/admin/webhooks', {
      url: `${receiver.url}/hooks?token=t`,
      description: 'ERP',
    })
    expect(made.body).toEqual({
      id: expect.stringMatching(/^whe_/),
      url: `${receiver.url}/hooks?token=t`,
      types: null,
      description: 'ERP',
      enabled: true,
      disabledReason: null,
      failingSince: null,
      pausedUntil: null,
      previousSecretUntil: null,
      createdAt: clock.now().toISOString(),
      updatedAt: clock.now().toISOString(),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const { secret, ...shown } = made.body
    expect((await call(notifier, 'GET', `/admin/webhooks/${String(shown['id'])}`)).body).toEqual(shown)
    const list = await call(notifier, 'GET', '/admin/webhooks')
    expect(list.body).toMatchObject({ total: 2, items: [{ id: 'whe_storefront', types: null }, shown] })
    expect(list.text).not.toContain('whsec_')

    await setting.publish(OrderPaid, paid('SF-1'))
    await setting.publish(SettingsUpdated, { version: 1 })
    const got = await arrived(2)
    expect(got.path).toBe('/hooks?token=t')
    expect(isSignedWith(got, String(secret))).toBe(true)
    expect(isSignedWith(got, SECRET)).toBe(false)
    expect(isSignedWith(await arrived(2, storefront), SECRET)).toBe(true)
    const tables = await setting.suite.sql('select * from notifier.endpoints')
    expect(JSON.stringify(tables)).not.toContain('whsec_')
  })

  test('receives the event types that it names and no others', async () => {
    const notifier = await start()
    const { id, path } = await register(notifier, { types: ['order.paid', 'order.paid'] })
    expect((await call(notifier, 'GET', path)).body['types']).toEqual(['order.paid'])
    const other = await setting.publish(SettingsUpdated, { version: 1 })
    await delivered(other)
    await setting.publish(OrderPaid, paid('SF-1'))
    expect((await arrived(1)).body).toContain('SF-1')
    expect(await rowsOf(id)).toHaveLength(1)
    await call(notifier, 'PATCH', path, { types: null })
    await setting.publish(SettingsUpdated, { version: 2 })
    expect((await arrived(2)).body).toContain('settings.updated')
  })

  test('is rejected with the name of the field when it would be useless or harmful', async () => {
    const notifier = await start({ WEBHOOK_ALLOW_PRIVATE: 'false' })
    const bodies = [
      [{}, 'url'],
      [{ url: 'ftp://shop.example' }, 'url'],
      [{ url: 'http://127.0.0.1:5432' }, 'url'],
      [{ url: 'http://localhost/hooks' }, 'url'],
      [{ url: 'https://1.1.1.1', types: ['order.eaten'] }, 'types.0'],
      [{ url: 'https://1.1.1.1', types: [] }, 'types'],
    ] as const
    for (const [body, path] of bodies) {
      const response = await call(notifier, 'POST', '/admin/webhooks', body)
      expect(response.status, response.text).toBe(422)
      expect(response.body).toMatchObject({ code: 'validation_failed', detail: { issues: [{ path }] } })
    }
    const made = await call(notifier, 'POST', '/admin/webhooks', { url: 'https://1.1.1.1/hooks' })
    expect(made.status).toBe(200)
    const moved = await call(notifier, 'PATCH', `/admin/webhooks/${String(made.body['id'])}`, {
      url: 'http://10.0.0.1',
    })
    expect(moved.status).toBe(422)
  })

  test('is rejected when there are fifty already, even when two are registered at once', async () => {
    const notifier = await start()
    await setting.suite.sql(
      `insert into notifier.endpoints (id, url, enabled) select 'whe_' || i, 'http://shop.example', false
       from generate_series(1, 48) i`,
    )
    const two = [1, 2].map(() => call(notifier, 'POST', '/admin/webhooks', { url: receiver.url }))
    const responses = await Promise.all(two)
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200, 422]))
    expect(responses.find((response) => response.status === 422)?.body).toMatchObject({ detail: { max: 50 } })
  })

  test('can be used only with the permission', async () => {
    const { app } = await start()
    const { headers } = setting.suite
    const routes: [Method, string][] = [
      ['GET', '/admin/webhooks'],
      ['POST', '/admin/webhooks'],
      ['GET', '/admin/webhooks/audit'],
      ['GET', STOREFRONT],
      ['PATCH', STOREFRONT],
      ['DELETE', STOREFRONT],
      ['POST', `${STOREFRONT}/enable`],
      ['POST', `${STOREFRONT}/disable`],
      ['POST', `${STOREFRONT}/rotate`],
      ['POST', `${STOREFRONT}/test`],
    ]
    for (const [method, url] of routes) {
      expect((await app.inject({ method, url })).statusCode).toBe(401)
      expect((await app.inject({ method, url, headers: headers.customer('cus_1') })).statusCode).toBe(403)
      expect((await app.inject({ method, url, headers: headers.admin(['settings:write']) })).statusCode).toBe(403)
    }
    expect(storefront.received).toEqual([])
  })

  test('that does not exist is not found', async () => {
    const notifier = await start()
    for (const [method, url] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/enable'],
      ['POST', '/disable'],
      ['POST', '/rotate'],
      ['POST', '/test'],
    ] as const) {
      const response = await call(
        notifier,
        method,
        `/admin/webhooks/whe_none${url}`,
        method === 'PATCH' ? {} : undefined,
      )
      expect(response.body['code'], `${method} ${url}`).toBe('not_found')
    }
  })
})

describe('an endpoint that is disabled', () => {
  test('receives no new event, and pending deliveries are sent when it is enabled again', async () => {
    const notifier = await start()
    const { id, path } = await register(notifier)
    receiver.answer = (response) => {
      response.statusCode = 500
      response.end()
    }
    await setting.publish(OrderPaid, paid('SF-open'))
    await waitFor('the failed attempt', async () => (await rowsOf(id))[0]?.status === 'waiting')
    const disabled = await call(notifier, 'POST', `${path}/disable`)
    expect(disabled.body).toMatchObject({ enabled: false, disabledReason: 'an admin disabled it' })
    expect(disabled.body['failingSince']).not.toBeNull()

    receiver.answer = (response) => response.end()
    clock.advance(HOUR_MS)
    await delivered(await setting.publish(OrderPaid, paid('SF-missed')))
    await arrived(2, storefront)
    expect(receiver.received).toHaveLength(1)

    await setting.suite.sql(`update notifier.endpoints set failures = 9, paused_until = now() where id = $1`, [id])
    const enabled = await call(notifier, 'PATCH', path, { enabled: true })
    expect(enabled.body).toMatchObject({ enabled: true, disabledReason: null, failingSince: null, pausedUntil: null })
    expect((await arrived(2)).body).toContain('SF-open')
    await waitFor('the delivery to be recorded', async () => (await rowsOf(id))[0]?.status === 'delivered')
    expect(await rowsOf(id)).toHaveLength(1)
    const [row] = await setting.suite.sql('select failures, disabled_by from notifier.endpoints where id = $1', [id])
    expect(row).toEqual({ failures: 0, disabled_by: null })
  })

  test('receives no delivery that a worker has claimed but not begun', async () => {
    const notifier = await start()
    const { id, path } = await register(notifier)
    const open: (() => void)[] = []
    receiver.answer = (response) => open.push(() => response.end())
    await Promise.all(Array.from({ length: 20 }, (_, index) => setting.publish(OrderPaid, paid(`SF-${index}`))))
    await waitFor('a full queue and claims on the remaining deliveries', async () => {
      const claimed = (await rowsOf(id)).filter((row) => row.status === 'sending')
      return open.length === 8 && claimed.length === 20
    })
    await call(notifier, 'POST', `${path}/disable`)
    await untilEndpointCacheExpires()
    receiver.answer = (response) => response.end()
    for (const finish of open) finish()
    await waitFor('the remaining deliveries to be released', async () => {
      const statuses = (await rowsOf(id)).map((row) => row.status)
      return statuses.filter((status) => status === 'waiting').length === 12 && !statuses.includes('sending')
    })
    expect(receiver.received).toHaveLength(8)
    await call(notifier, 'POST', `${path}/enable`)
    await arrived(20)
  })
})

describe('an endpoint that moves', () => {
  test('is not judged by a late response of its former address, and the new one gets the delivery', async () => {
    const notifier = await start()
    const { id, path } = await register(notifier)
    const open: (() => void)[] = []
    receiver.answer = (response) =>
      open.push(() => {
        response.statusCode = 410
        response.end()
      })
    await setting.publish(OrderPaid, paid('SF-moved'))
    await waitFor('the attempt at the former address', () => open.length === 1)
    await call(notifier, 'PATCH', path, { url: `${storefront.url}/moved` })
    for (const finish of open) finish()
    await waitFor('the delivery to the new address', async () => (await rowsOf(id))[0]?.status === 'delivered')
    expect(await rowsOf(id)).toMatchObject([{ attempts: 2, failures: 0 }])
    expect((await call(notifier, 'GET', path)).body).toMatchObject({ enabled: true, failingSince: null })
  })
})

describe('an endpoint that is deleted', () => {
  test('is not found, its open deliveries are given up, and their log is kept', async () => {
    const notifier = await start()
    const { id, path } = await register(notifier)
    receiver.answer = (response) => {
      response.statusCode = 503
      response.end()
    }
    await setting.publish(OrderPaid, paid('SF-1'))
    await waitFor('the failed attempt', async () => (await rowsOf(id))[0]?.status === 'waiting')
    expect(await call(notifier, 'DELETE', path)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await rowsOf(id)).toMatchObject([{ status: 'dead', last_error: 'the endpoint was deleted', attempts: 1 }])
    expect((await call(notifier, 'GET', path)).status).toBe(404)
    expect((await call(notifier, 'DELETE', path)).status).toBe(404)
    expect((await call(notifier, 'POST', `${path}/enable`)).status).toBe(404)
    expect((await call(notifier, 'GET', '/admin/webhooks')).body['total']).toBe(1)
    expect((await call(notifier, 'GET', '/admin/webhooks/deliveries')).text).toContain(id)
    expect(await setting.suite.sql('select secret from notifier.endpoints where id = $1', [id])).toEqual([
      { secret: null },
    ])

    await delivered(await setting.publish(OrderPaid, paid('SF-2')))
    expect(await rowsOf(id)).toHaveLength(1)
  })

  test('lets the deliveries in progress end, and leaves no delivery open', async () => {
    const notifier = await start()
    const { id, path } = await register(notifier)
    const open: (() => void)[] = []
    receiver.answer = (response) =>
      open.push(() => {
        response.statusCode = open.length === 1 ? 200 : 500
        response.end()
      })
    await Promise.all(Array.from({ length: 20 }, (_, index) => setting.publish(OrderPaid, paid(`SF-${index}`))))
    await waitFor('a full queue', () => open.length === 8)
    await call(notifier, 'DELETE', path)
    await untilEndpointCacheExpires()
    for (const finish of open) finish()
    await waitFor('the deliveries to end', async () => !(await rowsOf(id)).some((row) => row.status === 'sending'))
    await setting.withDatabase((db) => cleanUpEndpointsOnce({ db, clock }))
    expect(new Set((await rowsOf(id)).map((row) => row.status))).toEqual(new Set(['dead']))
    expect(receiver.received).toHaveLength(8)

    // The row of the endpoint is deleted when its log is.
    await setting.suite.sql('delete from notifier.deliveries where endpoint_id = $1', [id])
    clock.advance(2 * HOUR_MS)
    await setting.withDatabase((db) => cleanUpEndpointsOnce({ db, clock }))
    expect(await setting.suite.sql('select id from notifier.endpoints')).toEqual([{ id: 'whe_storefront' }])
  })
})

describe('a rotation', () => {
  test('returns a new secret at once, and the previous one signs too until it expires', async () => {
    const notifier = await start({ SECRETS_KEY: 'a key of this shop alone' })
    const replica = await start({ SECRETS_KEY: 'a key of this shop alone' })
    const { path, secret: first } = await register(notifier)
    const response = await call(replica, 'POST', `${path}/rotate`)
    const until = new Date(clock.now().getTime() + 24 * HOUR_MS).toISOString()
    expect(response.body).toMatchObject({ previousSecretUntil: until })
    const second = Made.parse(response.body).secret
    for (const index of [1, 2, 3, 4]) {
      await setting.publish(OrderPaid, paid(`SF-${index}`))
      const got = await arrived(index)
      expect(isSignedWith(got, first)).toBe(true)
      expect(isSignedWith(got, second)).toBe(true)
    }
    const third = await rotate(notifier, path, { overlapHours: 0.05 })
    await setting.publish(OrderPaid, paid('SF-5'))
    const both = await arrived(5)
    expect([first, second, third].map((secret) => isSignedWith(both, secret))).toEqual([false, true, true])
    // Three minutes is the limit: a receiver rejects a signature that is further ahead of its clock.
    clock.advance(0.05 * HOUR_MS)
    expect((await call(notifier, 'GET', path)).body['previousSecretUntil']).toBeNull()
    await setting.publish(OrderPaid, paid('SF-6'))
    const alone = await arrived(6)
    expect([second, third].map((secret) => isSignedWith(alone, secret))).toEqual([false, true])
  })

  test('without overlap ends the previous secret at once', async () => {
    const notifier = await start()
    const { path, secret: first } = await register(notifier)
    const second = await rotate(notifier, path, { overlapHours: 0 })
    await setting.publish(OrderPaid, paid('SF-1'))
    const got = await arrived(1)
    expect([first, second].map((secret) => isSignedWith(got, secret))).toEqual([false, true])
    for (const overlapHours of [-1, 169, 'long']) {
      expect((await call(notifier, 'POST', `${path}/rotate`, { overlapHours })).status).toBe(422)
    }
  })

  test('that happens twice at once leaves both of the new secrets valid', async () => {
    const notifier = await start()
    const { path, secret: first } = await register(notifier)
    const made = await Promise.all([rotate(notifier, path), rotate(notifier, path)])
    await setting.publish(OrderPaid, paid('SF-1'))
    const got = await arrived(1)
    expect(made.every((secret) => isSignedWith(got, secret))).toBe(true)
    expect(isSignedWith(got, first)).toBe(false)
  })
})

describe('SECRETS_KEY', () => {
  const [OLD, NEW] = ['the key of the last year', 'the key of this year!']

  test('can be added later and be replaced: secrets are encrypted again and sign as before', async () => {
    const without = await start()
    const { secret } = await register(without)
    await without.stop()
    const stored = async () =>
      (await setting.suite.sql<{ secret: string }>('select secret from notifier.endpoints where secret is not null'))[0]
        ?.secret
    expect(await stored()).toBe(secret)
    await (await start({ SECRETS_KEY: OLD })).stop()
    const encrypted = await stored()
    expect(encrypted).not.toContain('whsec_')
    await (await start({ SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD })).stop()
    expect(await stored()).not.toBe(encrypted)
    await start({ SECRETS_KEY: NEW })
    await setting.publish(OrderPaid, paid('SF-1'))
    expect(isSignedWith(await arrived(1), secret)).toBe(true)
  })

  test('that is lost stops deliveries only to its own endpoints, until they get a new secret', async () => {
    const before = await start({ SECRETS_KEY: OLD })
    const { id, path } = await register(before)
    await before.stop()
    const notifier = await start({ SECRETS_KEY: NEW })
    await setting.publish(OrderPaid, paid('SF-1'))
    await arrived(1, storefront)
    await setting.publish(OrderPaid, paid('SF-2'))
    await arrived(2, storefront)
    expect(await rowsOf(id)).toMatchObject([
      { status: 'queued', attempts: 0 },
      { status: 'queued', attempts: 0 },
    ])
    const tested = await call(notifier, 'POST', `${path}/test`)
    expect(tested.body['code']).toBe('conflict')
    const secret = await rotate(notifier, path)
    expect(isSignedWith(await arrived(2), secret)).toBe(true)
  })

  test('that is lost leaves the probe of an open circuit to a replica that has it', async () => {
    const before = await start({ SECRETS_KEY: OLD })
    const { id } = await register(before)
    await before.stop()
    await setting.suite.sql('update notifier.endpoints set failures = 10 where id = $1', [id])
    await start({ SECRETS_KEY: NEW })
    await setting.publish(OrderPaid, paid('SF-1'))
    await arrived(1, storefront)
    await setting.publish(OrderPaid, paid('SF-2'))
    await arrived(2, storefront)
    expect(await rowsOf(id)).toMatchObject([{ status: 'queued' }, { status: 'queued' }])
    expect(await setting.suite.sql('select paused_until from notifier.endpoints where id = $1', [id])).toEqual([
      { paused_until: null },
    ])
  })
})

describe('a test delivery', () => {
  test('is sent at once and signed, is in the log, and returns its result', async () => {
    const notifier = await start()
    const { id, secret, path } = await register(notifier)
    const response = await call(notifier, 'POST', `${path}/test`)
    expect(response.body).toEqual({
      delivered: true,
      status: 200,
      error: null,
      answer: 'thanks',
      durationMs: expect.any(Number),
      deliveryId: expect.stringMatching(/^dlv_/),
    })
    const got = await arrived(1)
    expect(isSignedWith(got, secret)).toBe(true)
    expect(JSON.parse(got.body)).toEqual({
      id: got.headers['webhook-id'],
      type: 'webhook.test',
      at: clock.now().toISOString(),
    })
    const log = await call(notifier, 'GET', '/admin/webhooks/deliveries')
    expect(log.body).toMatchObject({
      items: [
        { id: response.body['deliveryId'], type: 'webhook.test', status: 'delivered', attempts: 1, endpoint: { id } },
      ],
    })
    const attempts = await setting.suite.sql('select status, answer from notifier.attempts')
    expect(attempts).toEqual([{ status: 200, answer: 'thanks' }])
  })

  test('of a type has the fields of that type', async () => {
    const notifier = await start()
    const { path } = await register(notifier, { types: ['order.paid'] })
    await call(notifier, 'POST', `${path}/test`, { type: 'inventory.updated' })
    expect(JSON.parse((await arrived(1)).body)).toMatchObject({
      type: 'inventory.updated',
      slug: expect.any(String),
      variantId: expect.any(String),
      inventory: expect.any(Number),
      available: true,
    })
    await call(notifier, 'POST', `${path}/test`, { type: 'order.paid' })
    expect(JSON.parse((await arrived(2)).body)).toMatchObject({ type: 'order.paid', number: 'SF-0' })
    expect((await call(notifier, 'POST', `${path}/test`, { type: 'order.eaten' })).status).toBe(422)
  })

  test('that fails is reported, also for a disabled endpoint, and is neither repeated nor counted as a failure', async () => {
    const notifier = await start({ WEBHOOK_TIMEOUT_MS: '2000' })
    const { id, path } = await register(notifier)
    await call(notifier, 'POST', `${path}/disable`)
    receiver.answer = (response) => {
      response.statusCode = 410
      response.end('gone away')
    }
    const rejected = await call(notifier, 'POST', `${path}/test`)
    expect(rejected).toMatchObject({
      status: 200,
      body: { delivered: false, status: 410, error: 'the status is not 2xx', answer: 'gone away' },
    })
    receiver.answer = () => {}
    const hanging = await call(notifier, 'POST', `${path}/test`)
    expect(hanging.body).toMatchObject({ delivered: false, status: null, error: 'no response in time', answer: null })
    clock.advance(24 * HOUR_MS)
    expect((await call(notifier, 'POST', `${path}/enable`)).body).toMatchObject({ failingSince: null })
    receiver.answer = (response) => response.end()
    const deliveries = '/admin/webhooks/deliveries'
    const span = { from: '2000-01-01', to: '2100-01-01' }
    expect((await call(notifier, 'POST', `${deliveries}/replay`, span)).body).toMatchObject({ replayed: 0 })
    const { deliveryId } = z.object({ deliveryId: z.string() }).parse(hanging.body)
    const replayed = await call(notifier, 'POST', `${deliveries}/${deliveryId}/replay`)
    expect(replayed).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await setting.publish(OrderPaid, paid('SF-1'))
    expect((await arrived(3)).body).toContain('SF-1')
    await waitFor('the delivery to be recorded', async () => (await rowsOf(id))[2]?.status === 'delivered')
    expect((await rowsOf(id)).map((row) => row.status)).toEqual(['dead', 'dead', 'delivered'])
  })
})

describe('while two replicas deliver', () => {
  test('an endpoint is rotated, moved, disabled, enabled and tested, and each event arrives once and can be verified', async () => {
    // The leases are long, because a lease that ends on a busy machine would repeat deliveries.
    const env = { SECRETS_KEY: 'a key of this shop alone', CLAIM_LEASE_MS: '60000', WEBHOOK_TIMEOUT_MS: '60000' }
    const replicas = [await start(env), await start(env)] as const
    const { id, path, secret } = await register(replicas[0])
    /** The secrets of the endpoint, of which the receiver accepts the newest two. */
    const secrets = [secret]
    const unknown: string[] = []
    const open: (() => void)[] = []
    let isOver = false
    receiver.answer = (response, request) => {
      const isKnown = secrets.slice(-2).some((one) => isSignedWith(request, one))
      if (!isKnown) unknown.push(request.body)
      if (isOver || request.body.includes('webhook.test')) response.end()
      else open.push(() => response.end())
    }
    await Promise.all(Array.from({ length: 150 }, (_, index) => setting.publish(OrderPaid, paid(`SF-${index}`))))
    await waitFor('all deliveries to be queued, and two full queues', async () => {
      return open.length === 16 && (await rowsOf(id)).length === 150
    })

    let tests = 0
    for (const round of [0, 1, 2, 3, 4]) {
      const [one, other] = round % 2 === 0 ? replicas : ([replicas[1], replicas[0]] as const)
      // The receiver must get a delivery with the new secret before the next rotation.
      const pending = call(one, 'POST', `${path}/test`)
      await untilEndpointCacheExpires()
      expect((await pending).body).toMatchObject({ delivered: true })
      tests++
      secrets.push(await rotate(other, path))
      await call(one, 'PATCH', path, { url: `${receiver.url}/round-${round}` })
      await call(other, 'POST', `${path}/disable`)
      await call(one, 'POST', `${path}/enable`)
      for (const finish of open.splice(0)) finish()
    }
    isOver = true
    for (const finish of open.splice(0)) finish()
    await waitFor('all deliveries to succeed', async () =>
      (await rowsOf(id)).every((row) => row.status === 'delivered'),
    )
    expect(unknown).toEqual([])
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(150 + tests)
    expect(ids).toHaveLength(150 + tests)
    expect(receiver.received.some(({ path: at }) => at.startsWith('/round-'))).toBe(true)
  })

  test('an endpoint is deleted: no replica begins another delivery to it, and no delivery stays open', async () => {
    const replicas = [await start(), await start()] as const
    const { id, path } = await register(replicas[0])
    receiver.answer = (response) => void setTimeout(() => response.end(), 40)
    // More than both replicas deliver until the endpoint is deleted.
    const events = amount({ quick: 250, long: 400 })
    await Promise.all(Array.from({ length: events }, (_, index) => setting.publish(OrderPaid, paid(`SF-${index}`))))
    await arrived(20)
    const [deleted] = await Promise.all([
      call(replicas[1], 'DELETE', path),
      call(replicas[0], 'POST', `${path}/rotate`),
    ])
    expect(deleted.status).toBe(200)
    await untilEndpointCacheExpires()
    await waitFor('the deliveries to end', async () => !(await rowsOf(id)).some((row) => row.status === 'sending'))
    const count = receiver.received.length
    await delivered(await setting.publish(OrderPaid, paid('SF-after')))
    await setting.withDatabase((db) => cleanUpEndpointsOnce({ db, clock }))
    const statuses = (await rowsOf(id)).map((row) => row.status)
    expect(new Set(statuses)).toEqual(new Set(['delivered', 'dead']))
    expect(receiver.received).toHaveLength(count)
    expect(
      await setting.suite.sql('select secret, previous_secret from notifier.endpoints where id = $1', [id]),
    ).toEqual([{ secret: null, previous_secret: null }])
  })
})

describe('the audit of endpoints', () => {
  const audit = (notifier: RunningNotifier, query: string) => call(notifier, 'GET', `/admin/webhooks/audit?${query}`)

  test('shows which user made which change, and contains neither secrets nor possible secrets', async () => {
    const notifier = await start()
    const { id, path, secret } = await register(notifier, { url: `${receiver.url}/hooks?token=hush` })
    await call(notifier, 'PATCH', path, { url: `${storefront.url}/hush`, types: ['order.paid'], description: 'ERP' })
    await call(notifier, 'PATCH', path, { description: 'ERP', types: ['order.paid'] })
    const rotated = await rotate(notifier, path, { overlapHours: 1 })
    await call(notifier, 'POST', `${path}/disable`)
    await call(notifier, 'POST', `${path}/disable`)
    await call(notifier, 'DELETE', path)
    const until = new Date(clock.now().getTime() + HOUR_MS).toISOString()
    const entry = (action: string, before: object | null, after: object | null) => ({
      id: expect.any(Number),
      at: clock.now().toISOString(),
      actor: 'user_test',
      by: { kind: 'user', id: 'user_test', name: null },
      action,
      subject: { kind: 'webhook', id },
      before,
      after,
    })
    const [old, moved] = [`${receiver.url}/[left out]`, `${storefront.url}/[left out]`]
    const [types, left] = [['order.paid'], '[left out]']
    const first = { url: old, types: null, description: '', enabled: true, secret: left, previousSecretUntil: null }
    const last = { url: moved, types, description: 'ERP', enabled: false, secret: left, previousSecretUntil: until }
    const response = await audit(notifier, `id=${id}`)
    expect(response.body).toEqual({
      total: 5,
      page: 1,
      perPage: 25,
      items: [
        entry('delete', last, null),
        entry('update', { enabled: true }, { enabled: false }),
        entry('update', { secret: left, previousSecretUntil: null }, { secret: left, previousSecretUntil: until }),
        entry('update', { url: old, types: null, description: '' }, { url: moved, types, description: 'ERP' }),
        entry('create', null, first),
      ],
    })
    for (const hidden of [secret, rotated, 'hush']) expect(response.text).not.toContain(hidden)
    expect((await audit(notifier, `id=${id}&kind=&actor=`)).body).toEqual(response.body)
  })

  test('can be read in pages and by user and time, cannot be changed, and contains no rejected request', async () => {
    const notifier = await start()
    const { id, path } = await register(notifier)
    expect((await call(notifier, 'PATCH', path, { url: 'ftp://shop.example' })).status).toBe(422)
    expect((await call(notifier, 'POST', `${STOREFRONT}/rotate`)).status).toBe(409)
    clock.advance(HOUR_MS)
    await call(notifier, 'POST', `${path}/disable`)
    const second = await audit(notifier, `id=${id}&actor=user_test&per_page=1`)
    expect(second.body).toMatchObject({ total: 2, perPage: 1, items: [{ action: 'update' }] })
    const next = String(second.body['nextBeforeId'])
    const page = await audit(notifier, `id=${id}&per_page=1&before_id=${next}`)
    expect(page.body).toMatchObject({ total: 2, items: [{ action: 'create' }] })
    expect(page.body).not.toHaveProperty('nextBeforeId')
    expect((await audit(notifier, `id=${id}&to=${clock.now().toISOString()}`)).body['total']).toBe(1)
    expect((await audit(notifier, `id=${id}&actor=user_other`)).body['total']).toBe(0)
    await setting.withDatabase(async (db) => {
      await expect(sql`delete from audit_entries`.execute(db)).rejects.toThrow('permission denied')
    })
  })

  test('includes the entries of a replica of the previous version, which cannot delete them either', async () => {
    const notifier = await start()
    await setting.withDatabase(async (db) => {
      await sql`insert into endpoint_audit (at, actor, action, endpoint_id, before, after)
        values (now(), 'user_before', 'update', 'whe_before', '{"enabled": true}', '{"enabled": false}')`.execute(db)
      await expect(sql`delete from endpoint_audit`.execute(db)).rejects.toThrow('permission denied')
    })
    expect((await audit(notifier, 'id=whe_before')).body).toMatchObject({
      total: 1,
      items: [{ actor: 'user_before', subject: { kind: 'webhook', id: 'whe_before' }, after: { enabled: false } }],
    })
  })
})

describe("the storefront's endpoint", () => {
  test('can be disabled, enabled and tested, and is otherwise set by the configuration', async () => {
    const notifier = await start()
    const url = `${storefront.url}/api/revalidate`
    expect((await call(notifier, 'GET', STOREFRONT)).body).toMatchObject({ url, types: null, enabled: true })
    expect((await call(notifier, 'PATCH', STOREFRONT, { url, types: null, description: 'the cache' })).status).toBe(200)
    for (const rejected of [
      await call(notifier, 'PATCH', STOREFRONT, { url: receiver.url }),
      await call(notifier, 'PATCH', STOREFRONT, { types: ['order.paid'] }),
      await call(notifier, 'POST', `${STOREFRONT}/rotate`),
      await call(notifier, 'DELETE', STOREFRONT),
    ]) {
      expect(rejected).toMatchObject({ status: 409, body: { code: 'conflict' } })
      expect(rejected.body['message']).toContain('configuration')
    }
    expect((await call(notifier, 'POST', `${STOREFRONT}/test`)).body).toMatchObject({ delivered: true })
    expect(isSignedWith(await arrived(1, storefront), SECRET)).toBe(true)
  })

  test('stays disabled at a start when an admin disabled it, and is enabled when the service did', async () => {
    const first = await start()
    await call(first, 'POST', `${STOREFRONT}/disable`)
    await first.stop()
    const second = await start()
    expect((await call(second, 'GET', STOREFRONT)).body).toMatchObject({
      enabled: false,
      disabledReason: 'an admin disabled it',
    })
    await call(second, 'POST', `${STOREFRONT}/enable`)
    storefront.answer = (response) => {
      response.statusCode = 410
      response.end()
    }
    await setting.publish(OrderPaid, paid('SF-1'))
    await waitFor('410 to take effect', async () => (await call(second, 'GET', STOREFRONT)).body['enabled'] === false)
    await second.stop()
    const third = await start()
    expect((await call(third, 'GET', STOREFRONT)).body).toMatchObject({ enabled: true, disabledReason: null })
  })
})

describe('a host name', () => {
  test('that leads to a private address at the time of the connection is not connected to', async () => {
    let isMoved = false
    const resolve: ResolveName = (_hostname, _options, callback) => {
      callback(null, [{ address: isMoved ? '127.0.0.1' : '93.184.216.34', family: 4 }])
    }
    const notifier = await start({ WEBHOOK_ALLOW_PRIVATE: 'false' }, resolve)
    const { port } = new URL(receiver.url)
    const { id, path } = await register(notifier, { url: `http://rebound.example:${port}/hooks` })
    isMoved = true
    await setting.publish(OrderPaid, paid('SF-1'))
    await waitFor('the attempt', async () => (await rowsOf(id))[0]?.last_error?.includes('private address'))
    expect((await call(notifier, 'POST', `${path}/test`)).body).toMatchObject({
      delivered: false,
      error: expect.stringContaining('private address'),
    })
    expect(receiver.received).toEqual([])
  })
})
