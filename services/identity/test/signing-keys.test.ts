import { manualClock } from '@storefront/service/testing'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { actorSigner, createEncryption } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import { subscribeToSignal, type Messaging } from '@storefront/messaging'
import { ACTOR_HEADER, SigningKeysChanged } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../src/database.ts'
import { createEncryptions } from '../src/secrets/encryptions.ts'
import { startIdentity, type RunningIdentity } from '../src/start.ts'
import { rotateOldSigningKey } from '../src/tokens/rotate-old-signing-key.ts'
import { rotateSigningKey } from '../src/tokens/rotate-signing-key.ts'
import { PublicJwk } from '../src/tokens/signing-key.ts'
import { ADMIN, configFor, openDatabase, PASSWORD } from './setting.ts'

const SECRETS_KEY = 'a secret of this shop alone'
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let suite: Suite
let db: Database
let running: RunningIdentity[]
let clock: ReturnType<typeof manualClock>

beforeAll(async () => {
  suite = await createSuite('identity')
  db = openDatabase(suite, 2)
})
afterAll(async () => {
  await db.destroy()
  await suite.stop()
})
beforeEach(() => {
  running = []
  clock = manualClock('2026-03-01T12:00:00.000Z')
})
// The next test starts like a new shop, maybe with another SECRETS_KEY.
afterEach(async () => {
  for (const identity of running) await identity.stop()
  await suite.sql('delete from identity.signing_keys')
  await suite.sql('delete from identity.mail_link_key')
})

async function start(changes: Record<string, string> = {}): Promise<RunningIdentity> {
  const identity = await startIdentity(configFor(suite, changes), suite.log, clock)
  running.push(identity)
  return identity
}

let customers = 0
async function tokenFrom({ app }: RunningIdentity): Promise<string> {
  const payload = { email: `customer${++customers}@mail.example`, password: PASSWORD }
  const response = await app.inject({ method: 'POST', url: '/auth/register', payload })
  return z.object({ token: z.string() }).parse(response.json()).token
}

async function publicKeys({ app }: RunningIdentity): Promise<PublicJwk[]> {
  const response = await app.inject({ method: 'GET', url: '/.well-known/jwks.json' })
  expect(response.headers['cache-control']).toBe('public, max-age=60')
  return z.strictObject({ keys: z.array(PublicJwk.strict()) }).parse(response.json()).keys
}

async function rotateAt({ app }: RunningIdentity, body?: { revokePrevious: boolean }) {
  const headers = suite.headers.admin(['admins:write'])
  const payload = body === undefined ? {} : { payload: body }
  const response = await app.inject({ method: 'POST', url: '/admin/signing-keys/rotate', headers, ...payload })
  return z.strictObject({ kid: z.string(), signsFrom: z.string() }).parse(response.json())
}

const verify = (token: string, keys: PublicJwk[]) =>
  jwtVerify(token, createLocalJWKSet({ keys }), { currentDate: clock.now(), audience: 'storefront' })

const privateKeys = () =>
  suite.sql<{ kid: string; private_key: string | null; sealed_with: string }>(
    'select kid, private_key, sealed_with from identity.signing_keys order by signs_from',
  )

describe('the signing key', () => {
  test('is created once, also when two replicas start at the same moment', async () => {
    const [one, other] = await Promise.all([start(), start()])
    const keys = await publicKeys(one)
    expect(keys).toHaveLength(1)
    expect(await publicKeys(other)).toEqual(keys)
    await verify(await tokenFrom(one), await publicKeys(other))
  })

  test('is encrypted under SECRETS_KEY, also when set later, and the service does not start with another', async () => {
    const plain = await start()
    const token = await tokenFrom(plain)
    expect(await privateKeys()).toMatchObject([
      { sealed_with: 'nothing', private_key: expect.stringMatching(/^MC4CAQ/) },
    ])

    const encrypted = await start({ SECRETS_KEY })
    const [stored] = await privateKeys()
    expect(stored).toMatchObject({ sealed_with: 'aes-256-gcm' })
    expect(stored?.private_key).not.toContain('MC4CAQ')
    expect(decodeProtectedHeader(await tokenFrom(encrypted)).kid).toBe(decodeProtectedHeader(token).kid)
    await verify(token, await publicKeys(encrypted))

    await expect(start()).rejects.toThrow('set SECRETS_KEY to the value they were encrypted under')
    await expect(start({ SECRETS_KEY: 'the wrong one, alas' })).rejects.toThrow('encrypted under another SECRETS_KEY')
  })

  test('stays the same when SECRETS_KEY is replaced, and then no longer needs the previous one', async () => {
    const token = await tokenFrom(await start({ SECRETS_KEY }))
    const NEXT = 'the next secret of this shop'
    await start({ SECRETS_KEY: NEXT, SECRETS_KEY_PREVIOUS: SECRETS_KEY })
    const later = await start({ SECRETS_KEY: NEXT })
    await verify(token, await publicKeys(later))
    expect(decodeProtectedHeader(await tokenFrom(later)).kid).toBe(decodeProtectedHeader(token).kid)
    await expect(start({ SECRETS_KEY })).rejects.toThrow('encrypted under another SECRETS_KEY')
  })

  test('still signs in a replica with the previous SECRETS_KEY that signs for the first time', async () => {
    const before = await start({ SECRETS_KEY })
    const after = await start({ SECRETS_KEY: 'the next secret of this shop', SECRETS_KEY_PREVIOUS: SECRETS_KEY })
    const { payload } = await verify(await tokenFrom(before), await publicKeys(after))
    expect(payload.aud).toBe('storefront')
  })

  test('keeps the form of the previous version under the same SECRETS_KEY, so that its replicas still work', async () => {
    const token = await tokenFrom(await start({ SECRETS_KEY }))
    // The previous version stored the same form without the name of the key.
    for (const table of ['signing_keys', 'mail_link_key']) {
      const column = table === 'signing_keys' ? 'private_key' : 'secret'
      await suite.sql(`update identity.${table} set ${column} = split_part(${column}, '.', 2)`)
    }
    const unnamed = await privateKeys()
    expect(unnamed[0]?.private_key).toMatch(/^[\w-]+$/)
    const links = await suite.sql('select secret from identity.mail_link_key')
    const again = await start({ SECRETS_KEY })
    expect(await privateKeys()).toEqual(unnamed)
    expect(await suite.sql('select secret from identity.mail_link_key')).toEqual(links)
    expect(decodeProtectedHeader(await tokenFrom(again)).kid).toBe(decodeProtectedHeader(token).kid)

    const NEXT = 'the next secret of this shop'
    await start({ SECRETS_KEY: NEXT, SECRETS_KEY_PREVIOUS: SECRETS_KEY })
    expect((await privateKeys())[0]?.private_key).toMatch(/^[\w-]{8}\./)
    await verify(await tokenFrom(await start({ SECRETS_KEY: NEXT })), await publicKeys(again))
  })

  test('can be replaced when SECRETS_KEY is lost, with the statements in docs/security.md', async () => {
    const before = await start({ SECRETS_KEY })
    const token = await tokenFrom(before)
    await rotateAt(before)
    const { app } = before
    const [owner] = await suite.sql<{ id: string }>('select id from identity.admin_users')
    const sign = actorSigner(suite.actorPrivateKey, clock)
    const permissions = ['admins:write' as const, 'catalog:read' as const]
    await app.inject({ method: 'POST', url: '/admin/auth/login', payload: ADMIN })
    const [session] = await suite.sql<{ id: string }>(
      'select id from identity.sessions where admin_user_id is not null',
    )
    const actor = { kind: 'admin' as const, userId: owner?.id ?? '', sessionId: session?.id ?? '', permissions }
    const headers = { [ACTOR_HEADER]: sign(actor) }
    const payload = { name: 'erp', permissions: ['catalog:read'] }
    const made = await app.inject({ method: 'POST', url: '/admin/api-keys', headers, payload })
    expect(made.statusCode).toBe(200)
    const OTHER = 'made after the first was lost'
    await expect(start({ SECRETS_KEY: OTHER })).rejects.toThrow('docs/security.md')

    const page = await readFile(join(import.meta.dirname, '../../../docs/security.md'), 'utf8')
    const [recovery = ''] = [...page.matchAll(/```sql\n(.*?)```/gs)].map(([, statements = '']) => statements)
    await before.stop()
    running = []
    const statements = recovery.split(';').filter((statement) => statement.trim() !== '')
    expect(statements).toHaveLength(2)
    // With the permissions of the service only.
    for (const statement of statements) await sql.raw(statement).execute(db)

    const after = await start({ SECRETS_KEY: OTHER })
    await verify(await tokenFrom(after), await publicKeys(after))
    await expect(verify(token, await publicKeys(after))).rejects.toThrow('no applicable key')
    expect(await suite.sql('select 1 from identity.api_keys where revoked_at is null')).toHaveLength(1)
    expect(await suite.sql('select sealed_with from identity.mail_link_key')).toEqual([{ sealed_with: 'aes-256-gcm' }])
  })

  test('can be rotated without signing out any customer', async () => {
    const identity = await start({ SECRETS_KEY })
    const rotate = () =>
      transaction(db, (tx) =>
        rotateSigningKey(tx, createEncryption({ SECRETS_KEY }, 'storefront identity signing keys'), clock.now()),
      )
    const before = await tokenFrom(identity)
    const cached = await publicKeys(identity)
    const { kid } = await rotate()

    // A client that caches the public keys for a minute gets the new key before it signs a token.
    const during = await tokenFrom(identity)
    expect(decodeProtectedHeader(during).kid).toBe(decodeProtectedHeader(before).kid)
    await verify(during, cached)
    const keys = await publicKeys(identity)
    expect(keys.map((key) => key.kid)).toContain(kid)

    clock.advance(2 * MINUTE_MS)
    const after = await tokenFrom(identity)
    expect(decodeProtectedHeader(after).kid).toBe(kid)
    for (const token of [before, during, after]) await verify(token, keys)

    // Until the last day of the last token that the old key signed.
    clock.advance(30 * DAY_MS - 3 * MINUTE_MS)
    await verify(during, await publicKeys(identity))
    await rotate()
    const stored = await privateKeys()
    expect(stored.map((key) => key.private_key === null)).toEqual([true, false, false])
    clock.advance(DAY_MS)
    await rotate()
    const kept = (await publicKeys(identity)).map((key) => key.kid)
    expect(kept).not.toContain(decodeProtectedHeader(before).kid)
    expect(kept).toHaveLength(3)
    await verify(await tokenFrom(identity), await publicKeys(identity))
  })

  test('is the same when a second rotation is requested before the new key signs, also at the same moment', async () => {
    const identity = await start()
    const other = await start()
    const responses = await Promise.all([rotateAt(identity), rotateAt(other), rotateAt(identity)])
    const signsFrom = new Date(clock.now().getTime() + 2 * MINUTE_MS).toISOString()
    expect(responses).toEqual(responses.map(() => ({ kid: responses[0]?.kid, signsFrom })))
    expect(await publicKeys(identity)).toHaveLength(2)
    clock.advance(2 * MINUTE_MS)
    expect((await rotateAt(identity)).kid).not.toBe(responses[0]?.kid)
  })

  test('that was revoked no longer verifies tokens, and the new one signs at once', async () => {
    const identity = await start()
    const before = await tokenFrom(identity)
    await rotateAt(identity)
    const { kid, signsFrom } = await rotateAt(identity, { revokePrevious: true })
    expect(signsFrom).toBe(clock.now().toISOString())
    expect((await publicKeys(identity)).map((key) => key.kid)).toEqual([kid])
    await expect(verify(before, await publicKeys(identity))).rejects.toThrow('no applicable key')
    const after = await tokenFrom(identity)
    await verify(after, await publicKeys(identity))
    // A replica whose clock is behind has no other key to sign with.
    clock.advance(-MINUTE_MS)
    expect(decodeProtectedHeader(await tokenFrom(identity)).kid).toBe(kid)
    await start()
    expect(await publicKeys(identity)).toHaveLength(1)
  })

  test('is published to the gateways when it changes', async () => {
    const identity = await start()
    const gateway = await suite.openMessaging('gateway')
    let received = 0
    subscribeToSignal({ messaging: gateway, log: suite.log }, SigningKeysChanged, () => received++)
    await (await gateway.opened).flush()
    await waitFor('the signal', async () => {
      await rotateAt(identity, { revokePrevious: true })
      return received > 0
    })
    expect(received).toBeGreaterThan(0)
  })

  test('is listed with its times, only for admins with the permission', async () => {
    const identity = await start()
    const first = clock.now()
    await rotateAt(identity)
    const nextSignsFrom = new Date(first.getTime() + 2 * MINUTE_MS).toISOString()
    const [createdAt, signsFrom] = [first.toISOString(), first.toISOString()]
    const headers = suite.headers.admin(['admins:write'])
    const { app } = identity
    const listed = await app.inject({ method: 'GET', url: '/admin/signing-keys', headers })
    expect(listed.json()).toEqual({
      items: [
        { kid: expect.any(String), createdAt, signsFrom: nextSignsFrom, retiredAt: null },
        { kid: expect.any(String), createdAt, signsFrom, retiredAt: nextSignsFrom },
      ],
      total: 2,
    })
    for (const [method, url] of [
      ['GET', '/admin/signing-keys'],
      ['POST', '/admin/signing-keys/rotate'],
    ] as const) {
      const rejected = [suite.headers.admin(['catalog:write']), suite.headers.customer('cus_1'), {}]
      const responses = await Promise.all(rejected.map((from) => app.inject({ method, url, headers: from })))
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([403, 403, 401])
    }
    expect(await publicKeys(identity)).toHaveLength(2)
  })
})

describe('an old signing key', () => {
  const context = (signingKeyDays: number): Parameters<typeof rotateOldSigningKey>[0] => ({
    db,
    encryptions: createEncryptions({}),
    messaging,
    signingKeyDays,
    clock,
    log: suite.log,
  })
  let messaging: Messaging
  beforeAll(async () => {
    messaging = await suite.openMessaging('identity')
  })

  const kids = async () => (await privateKeys()).map(({ kid }) => kid)

  test('is rotated by one of the replicas, after 90 days and not before', async () => {
    await start()
    const [first] = await kids()
    clock.advance(90 * DAY_MS - 1)
    await rotateOldSigningKey(context(90)).stop()
    expect(await kids()).toEqual([first])
    clock.advance(1)
    const replicas = [1, 2, 3].map(() => rotateOldSigningKey(context(90)))
    await Promise.all(replicas.map((replica) => replica.stop()))
    expect(await kids()).toEqual([first, expect.any(String)])
  })

  test('has its private key deleted when it has retired', async () => {
    await start()
    clock.advance(90 * DAY_MS)
    await rotateOldSigningKey(context(90)).stop()
    clock.advance(2 * MINUTE_MS)
    await rotateOldSigningKey(context(90)).stop()
    expect((await privateKeys()).map((key) => key.private_key === null)).toEqual([true, false])
  })

  test('is not rotated when the shop has switched rotation off', async () => {
    await start({ SIGNING_KEY_DAYS: '0' })
    clock.advance(3000 * DAY_MS)
    await start({ SIGNING_KEY_DAYS: '0' })
    await rotateOldSigningKey(context(0)).stop()
    expect(await kids()).toHaveLength(1)
  })

  test('is rotated by the service without a request', async () => {
    await start()
    const [old] = await kids()
    clock.advance(2 * DAY_MS)
    await start({ SIGNING_KEY_DAYS: '1' })
    await waitFor('the rotation', async () => (await kids()).length === 2)
    expect(await kids()).toContain(old)
  })
})
