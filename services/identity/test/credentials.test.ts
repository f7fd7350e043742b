import { followRule } from '@storefront/postgres/testing'
import { manualClock } from '@storefront/service/testing'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { createEncryption } from '@storefront/service'
import { CREDENTIALS_PURPOSE } from '@storefront/credentials'
import {
  CREDENTIAL_KEYS,
  CREDENTIAL_READERS,
  CredentialsChanged,
  ReadNotifierCredentials,
  ReadOrdersCredentials,
  signalSubject,
  type CredentialKey,
} from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { RETENTION } from '../src/retention.ts'
import { startIdentity, type RunningIdentity } from '../src/start.ts'
import { configFor, errorOf, openDatabase, type TestResponse } from './setting.ts'

const SECRETS_KEY = 'a secret of this shop alone'
const NEXT_KEY = 'the next secret of this shop'
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const NEXT_WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const PATH = '/admin/credentials'

let suite: Suite
let running: RunningIdentity[]
let clock: ReturnType<typeof manualClock>

beforeAll(async () => {
  suite = await createSuite('identity')
})
afterAll(() => suite.stop())
beforeEach(() => {
  running = []
  // The clock starts at the real time, because actors are signed with it and must be neither stale nor from the future.
  clock = manualClock(new Date())
})
// The next test may start with another SECRETS_KEY.
afterEach(async () => {
  await loseOwnKeys()
  await suite.sql('delete from identity.credentials')
})

async function start(changes: Record<string, string> = { SECRETS_KEY }): Promise<RunningIdentity> {
  const identity = await startIdentity(configFor(suite, changes), suite.log, clock)
  running.push(identity)
  return identity
}

async function stopAll(): Promise<void> {
  for (const identity of running.splice(0)) await identity.stop()
}

/** Deletes the shop's own keys, which prevent its start if they cannot be decrypted. */
async function loseOwnKeys(): Promise<void> {
  await stopAll()
  await suite.sql('delete from identity.signing_keys')
  await suite.sql('delete from identity.mail_link_key')
}

async function call(
  { app }: RunningIdentity,
  method: 'GET' | 'POST',
  body?: object,
  headers?: object,
): Promise<TestResponse> {
  const response = await app.inject({
    method,
    url: PATH,
    headers: { ...(headers ?? suite.headers.admin(['credentials:write'])) },
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status: response.statusCode, headers: response.headers, body: response.json<unknown>() }
}

const show = (identity: RunningIdentity) => call(identity, 'GET')
const setCredentials = (identity: RunningIdentity, body: object) => call(identity, 'POST', body)

/** The list with these keys set since then. */
function list(set: Partial<Record<CredentialKey, { set: boolean; updatedAt: string }>>, storesSecrets = true) {
  return {
    items: CREDENTIAL_KEYS.map((key) => ({ key, ...(set[key] ?? { set: false, updatedAt: null }) })),
    storesSecrets,
  }
}

const encrypted = () =>
  suite.sql<{ key: string; sealed: string | null }>('select key, sealed from identity.credentials order by key')

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const tables = await suite.sql<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  expect(tables.map(({ name }) => name)).toContain('identity.credentials')
  const parts: unknown[] = []
  for (const { name } of tables) parts.push(await suite.sql(`select * from ${name}`))
  return JSON.stringify(parts)
}

describe('the credentials', () => {
  test('are listed by name, and their values are never shown', async () => {
    const identity = await start()
    expect(await show(identity)).toMatchObject({ status: 200, body: list({}) })
    const now = clock.now().toISOString()
    const response = await setCredentials(identity, {
      stripeSecretKey: ' sk_live_1 ',
      storefrontWebhookSecret: WEBHOOK_SECRET,
    })
    const both = {
      stripeSecretKey: { set: true, updatedAt: now },
      storefrontWebhookSecret: { set: true, updatedAt: now },
    }
    expect(response).toMatchObject({ status: 200, body: list(both) })

    clock.advance(1000)
    const later = clock.now().toISOString()
    // An unchanged value publishes nothing, and neither does the removal of one that was never set.
    await setCredentials(identity, { stripeSecretKey: ' sk_live_1 ', smtpPassword: '' })
    expect((await show(identity)).body).toEqual(list(both))
    const cleared = await setCredentials(identity, { stripeSecretKey: '' })
    expect(cleared.body).toEqual(list({ ...both, stripeSecretKey: { set: false, updatedAt: later } }))
    expect((await encrypted())[1]).toEqual({ key: 'stripeSecretKey', sealed: null })
    for (const { body } of [response, cleared]) expect(JSON.stringify(body)).not.toMatch(/sk_live|whsec_/)

    await setCredentials(identity, { smtpPassword: 'the password' })
    clock.advance(1000)
    const again = await setCredentials(identity, { smtpPassword: 'the password' })
    // The new time shows notifier that the password is for the host that is configured now.
    expect(again.body).toMatchObject({
      items: expect.arrayContaining([{ key: 'smtpPassword', set: true, updatedAt: clock.now().toISOString() }]),
    })
  })

  test('are for admins who may write them', async () => {
    const identity = await start()
    for (const method of ['GET', 'POST'] as const) {
      const code = async (headers: object) => errorOf(await call(identity, method, undefined, headers)).code
      expect(await code({})).toBe('unauthenticated')
      expect(await code(suite.headers.customer('cus_1'))).toBe('forbidden')
      expect(await code(suite.headers.admin(['settings:write', 'admins:write']))).toBe('forbidden')
    }
  })

  test('are in no table as plain text, and can be decrypted under their own name only', async () => {
    const identity = await start()
    const values = Object.fromEntries(
      CREDENTIAL_KEYS.map((key) => [key, key === 'storefrontWebhookSecret' ? WEBHOOK_SECRET : `value of ${key}`]),
    )
    expect((await setCredentials(identity, values)).status).toBe(200)
    const text = await everything()
    for (const value of Object.values(values)) {
      expect(text).not.toContain(value)
      expect(text).not.toContain(Buffer.from(value).toString('base64url'))
    }
    const encryption = createEncryption({ SECRETS_KEY }, CREDENTIALS_PURPOSE)
    const stored = await encrypted()
    expect(stored).toHaveLength(CREDENTIAL_KEYS.length)
    for (const one of stored) {
      expect(encryption?.decrypt(one.sealed ?? '', one.key)).toBe(values[one.key])
      for (const { key } of stored.filter((other) => other !== one)) {
        expect(() => encryption?.decrypt(one.sealed ?? '', key)).toThrow()
      }
    }
  })
})

describe('a request to set credentials', () => {
  let identity: RunningIdentity

  beforeAll(async () => {
    identity = await startIdentity(configFor(suite, { SECRETS_KEY }), suite.log)
  })
  afterAll(async () => {
    await identity.stop()
    await loseOwnKeys()
  })

  test('is rejected with the names of unknown credentials, and stores nothing', async () => {
    const response = await setCredentials(identity, { smtpPassword: 'secret-1', paypalSecret: 'secret-2', toString: 3 })
    expect(errorOf(response)).toEqual({ status: 422, code: 'unknown_credential' })
    expect(response.body).toMatchObject({ detail: { keys: ['paypalSecret', 'toString'] } })
    expect(JSON.stringify(response.body)).not.toContain('secret-')
    expect(await encrypted()).toEqual([])
  })

  test.each([
    ['two lines', 'smtpPassword', 'secret\nvalue'],
    ['a carriage return', 'smtpPassword', 'secret\rvalue'],
    ['NUL', 'smtpPassword', 'secret\u0000value'],
    ['a line separator', 'smtpPassword', 'secret\u2028value'],
    ['more than 4,096 characters', 'smtpPassword', 'secret'.repeat(700)],
    ['a value that is not a string', 'smtpPassword', { secret: 'secret' }],
    ['null', 'smtpPassword', null],
    ['a secret without whsec_', 'storefrontWebhookSecret', 'secret'],
    ['a secret that is too short', 'storefrontWebhookSecret', `whsec_${Buffer.from('secret').toString('base64')}`],
  ])('with %s is rejected as a whole, and the error does not repeat the value', async (_what, key, value) => {
    const response = await setCredentials(identity, { razorpayKeySecret: 'good', [key]: value })
    expect(errorOf(response)).toEqual({ status: 422, code: 'validation_failed' })
    expect(JSON.stringify(response.body).replaceAll('storefrontWebhookSecret', '')).not.toMatch(/secret|c2Vjcm/)
    expect(await encrypted()).toEqual([])
  })

  test('may be empty, or contain a value of the maximum length', async () => {
    expect((await setCredentials(identity, {})).body).toEqual(list({}))
    expect((await setCredentials(identity, { smtpPassword: 'ü'.repeat(4096) })).status).toBe(200)
    expect((await call(identity, 'POST')).status).toBe(422)
  })
})

describe('a shop without SECRETS_KEY', () => {
  test('stores only that a value was sent, and does not claim to have it when it gets a key', async () => {
    const plain = await start({})
    const now = clock.now().toISOString()
    const set = { smtpPassword: { set: true, updatedAt: now } }
    const response = await setCredentials(plain, { smtpPassword: 'a plain value', stripeSecretKey: '' })
    expect(response.body).toEqual(list(set, false))
    expect(await encrypted()).toEqual([{ key: 'smtpPassword', sealed: null }])
    expect(await everything()).not.toContain('a plain value')

    const keeping = await start()
    expect((await show(keeping)).body).toEqual(list({ smtpPassword: { set: false, updatedAt: now } }))
    await setCredentials(keeping, { smtpPassword: 'a plain value' })
    expect((await show(keeping)).body).toEqual(list(set))
  })
})

describe('a new SECRETS_KEY', () => {
  test('encrypts everything again, and the previous one is no longer needed', async () => {
    const before = await start()
    await setCredentials(before, { smtpPassword: 'kept', stripeSecretKey: 'kept as well', razorpayKeySecret: '' })
    const shown = (await show(before)).body
    const [one, other] = await Promise.all(
      [1, 2].map(() => start({ SECRETS_KEY: NEXT_KEY, SECRETS_KEY_PREVIOUS: SECRETS_KEY })),
    )
    for (const identity of [one, other]) expect(identity && (await show(identity)).body).toEqual(shown)
    const encryption = createEncryption({ SECRETS_KEY: NEXT_KEY }, CREDENTIALS_PURPOSE)
    const open = (await encrypted()).map(({ key, sealed: text }) => [key, text && encryption?.decrypt(text, key)])
    expect(open).toEqual([
      ['smtpPassword', 'kept'],
      ['stripeSecretKey', 'kept as well'],
    ])
    await start({ SECRETS_KEY: NEXT_KEY })
  })

  test('without the previous one starts the service, and values that cannot be decrypted count as not set', async () => {
    const before = await start()
    await setCredentials(before, { smtpPassword: 'kept', storefrontWebhookSecret: WEBHOOK_SECRET })
    await setCredentials(before, { storefrontWebhookSecret: NEXT_WEBHOOK_SECRET })
    const shown = (await show(before)).body
    const now = clock.now().toISOString()
    const kept = await encrypted()
    const unset = {
      smtpPassword: { set: false, updatedAt: now },
      storefrontWebhookSecret: { set: false, updatedAt: now },
    }
    for (const [keys, storesSecrets] of [
      [{ SECRETS_KEY: NEXT_KEY }, true],
      [{}, false],
    ] as const) {
      await loseOwnKeys()
      const identity = await start(keys)
      expect((await show(identity)).body).toEqual(list(unset, storesSecrets))
      expect(await encrypted()).toEqual(kept)
    }
    await loseOwnKeys()
    const withFirstKey = await start()
    expect((await show(withFirstKey)).body).toEqual(shown)
    const withBothKeys = await start({ SECRETS_KEY: NEXT_KEY, SECRETS_KEY_PREVIOUS: SECRETS_KEY })
    const set = { smtpPassword: { set: true, updatedAt: now }, storefrontWebhookSecret: { set: true, updatedAt: now } }
    expect((await show(withBothKeys)).body).toEqual(list(set))
  })

  test('without the previous one can be used at once for new values', async () => {
    await setCredentials(await start(), { storefrontWebhookSecret: WEBHOOK_SECRET })
    await loseOwnKeys()
    const identity = await start({ SECRETS_KEY: NEXT_KEY })
    await setCredentials(identity, { storefrontWebhookSecret: NEXT_WEBHOOK_SECRET })
    const now = clock.now().toISOString()
    expect((await show(identity)).body).toEqual(list({ storefrontWebhookSecret: { set: true, updatedAt: now } }))
    // The previous one could not be decrypted.
    const reply = await sendRequest(await suite.openMessaging('notifier'), ReadNotifierCredentials, {})
    expect(reply).toMatchObject({ credentials: [{}], replaced: [] })
  })
})

describe('a webhook secret that was replaced', () => {
  const DAY_MS = 24 * 3600 * 1000
  const responded = async (messaging: Messaging, secretsKey = SECRETS_KEY) => {
    // After a restart it takes a moment until identity replies.
    const { credentials, replaced = [] } = await waitFor('a reply', () =>
      sendRequest(messaging, ReadNotifierCredentials, {}).catch(() => undefined),
    )
    const encryption = createEncryption({ SECRETS_KEY: secretsKey }, CREDENTIALS_PURPOSE)
    return {
      now: credentials.map(({ key, sealed: text }) => [key, encryption?.decrypt(text, key)]),
      before: replaced.map(({ key, sealed: text, replacedAt }) => [key, encryption?.decrypt(text, key), replacedAt]),
    }
  }
  const KEY = 'storefrontWebhookSecret'

  test('is sent for a day beside its successor, also by a replica that was restarted with another SECRETS_KEY', async () => {
    const identity = await start()
    const notifier = await suite.openMessaging('notifier')
    await setCredentials(identity, { [KEY]: WEBHOOK_SECRET })
    expect(await responded(notifier)).toEqual({ now: [[KEY, WEBHOOK_SECRET]], before: [] })
    clock.advance(1000)
    await setCredentials(identity, { [KEY]: NEXT_WEBHOOK_SECRET })
    const replacedAt = clock.now().toISOString()
    const both = { now: [[KEY, NEXT_WEBHOOK_SECRET]], before: [[KEY, WEBHOOK_SECRET, replacedAt]] }
    expect(await responded(notifier)).toEqual(both)
    clock.advance(1000)
    await setCredentials(identity, { [KEY]: NEXT_WEBHOOK_SECRET })
    expect(await responded(notifier)).toEqual(both)

    await stopAll()
    await start({ SECRETS_KEY: NEXT_KEY, SECRETS_KEY_PREVIOUS: SECRETS_KEY })
    expect(await responded(notifier, NEXT_KEY)).toEqual(both)

    clock.advance(DAY_MS - 1001)
    expect((await responded(notifier, NEXT_KEY)).before).toHaveLength(1)
    clock.advance(1)
    expect(await responded(notifier, NEXT_KEY)).toEqual({ now: both.now, before: [] })

    const db = openDatabase(suite)
    await followRule(RETENTION['replaced credentials'], { db, clock })
    await db.destroy()
    const rows = await suite.sql('select previous_sealed, replaced_at from identity.credentials')
    expect(rows).toEqual([{ previous_sealed: null, replaced_at: null }])
  })

  test('is also sent after it was removed, and is deleted when the next one is set', async () => {
    const identity = await start()
    const notifier = await suite.openMessaging('notifier')
    await setCredentials(identity, { [KEY]: WEBHOOK_SECRET })
    await setCredentials(identity, { [KEY]: '' })
    const replacedAt = clock.now().toISOString()
    expect(await responded(notifier)).toEqual({ now: [], before: [[KEY, WEBHOOK_SECRET, replacedAt]] })
    await setCredentials(identity, { [KEY]: NEXT_WEBHOOK_SECRET })
    // Between the removal and the next secret, the secret in the environment was used.
    expect(await responded(notifier)).toEqual({ now: [[KEY, NEXT_WEBHOOK_SECRET]], before: [] })
  })

  test('is the only kind that is kept: any other credential is deleted at once', async () => {
    const identity = await start()
    await setCredentials(identity, { smtpPassword: 'first', stripeSecretKey: 'first' })
    await setCredentials(identity, { smtpPassword: 'second', stripeSecretKey: '' })
    const rows = await suite.sql('select distinct previous_sealed from identity.credentials')
    expect(rows).toEqual([{ previous_sealed: null }])
  })
})

describe('a service that uses credentials', () => {
  const readers = { orders: ReadOrdersCredentials, notifier: ReadNotifierCredentials }

  test.each(['orders', 'notifier'] as const)('gets its own, encrypted: %s', async (reader) => {
    const identity = await start()
    await setCredentials(identity, {
      ...Object.fromEntries(CREDENTIAL_KEYS.map((key) => [key, WEBHOOK_SECRET])),
      razorpayKeySecret: '',
    })
    const { credentials } = await sendRequest(await suite.openMessaging(reader), readers[reader], {})
    const own = CREDENTIAL_KEYS.filter((key) => CREDENTIAL_READERS[key] === reader && key !== 'razorpayKeySecret')
    expect(credentials.map(({ key }) => key).toSorted()).toEqual(own.toSorted())
    const encryption = createEncryption({ SECRETS_KEY }, CREDENTIALS_PURPOSE)
    for (const { key, sealed: text, updatedAt } of credentials) {
      expect(encryption?.decrypt(text, key)).toBe(WEBHOOK_SECRET)
      expect(updatedAt).toBe(clock.now().toISOString())
    }
  })

  test('cannot request those of another service', async () => {
    const identity = await start()
    await setCredentials(identity, { smtpPassword: 'of the notifier' })
    const orders = await suite.openMessaging('orders')
    await expect(sendRequest(orders, ReadNotifierCredentials, {}, { timeoutMs: 300 })).rejects.toThrow()
    expect(await sendRequest(orders, ReadOrdersCredentials, {})).toEqual({ credentials: [], replaced: [] })
  })

  test('is notified of a change by a signal without content', async () => {
    const identity = await start()
    const notifier = await suite.openMessaging('notifier')
    const received: unknown[] = []
    const connection = await notifier.opened
    connection.subscribe(signalSubject(suite.namespace, CredentialsChanged), {
      callback: (_error, message) => void received.push(message.json()),
    })
    await connection.flush()
    await setCredentials(identity, { nothing: 'known' })
    await setCredentials(identity, { smtpPassword: 'new' })
    await waitFor('the signal', () => received.length > 0)
    expect(received).toEqual([{}])
  })
})
