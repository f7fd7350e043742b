import { followRule } from '@storefront/postgres/testing'
import { manualClock } from '@storefront/service/testing'
import { transaction } from '@storefront/postgres'
import { createEncryption } from '@storefront/service'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { requestConfirmation } from '../src/confirmations/request-confirmation.ts'
import { RETENTION } from '../src/retention.ts'
import { prepareLinkKey } from '../src/confirmations/prepare-link-key.ts'
import type { Database } from '../src/database.ts'
import { startIdentity, type RunningIdentity } from '../src/start.ts'
import { openMailbox, type Mailbox } from './mailbox.ts'
import { configFor, emailAddress, openDatabase, PASSWORD } from './setting.ts'

const SECRETS_KEY = 'a secret of this shop alone'
const DAY_MS = 24 * 3600 * 1000

let suite: Suite
let db: Database
let mailbox: Mailbox
let clock: ReturnType<typeof manualClock>
let running: RunningIdentity[]

beforeEach(async () => {
  suite = await createSuite('identity')
  db = openDatabase(suite, 4)
  mailbox = await openMailbox(suite)
  clock = manualClock('2026-03-01T12:00:00.000Z')
  running = []
})
afterEach(async () => {
  for (const identity of running) await identity.stop()
  await mailbox.close()
  await db.destroy()
  await suite.stop()
})

async function start(changes: Record<string, string> = {}): Promise<RunningIdentity> {
  const identity = await startIdentity(configFor(suite, changes), suite.log, clock)
  running.push(identity)
  return identity
}

async function post({ app }: RunningIdentity, url: string, payload: object): Promise<number> {
  return (await app.inject({ method: 'POST', url, payload })).statusCode
}

const register = (identity: RunningIdentity, email: string) =>
  post(identity, '/auth/register', { email, password: PASSWORD, firstName: 'Ada' })

describe('the link of a mail', () => {
  test('is sent only to notifier, leads to the shop, and keeps its secret in the fragment', async () => {
    const identity = await start({ PUBLIC_URL: 'https://shop.example/v1/' })
    await register(identity, 'ada@mail.example')
    const mail = await mailbox.mail('emailVerification', 'ada@mail.example')
    expect(mail).toEqual({
      kind: 'emailVerification',
      to: 'ada@mail.example',
      customerId: expect.stringMatching(/^cus_/),
      confirmationId: expect.stringMatching(/^conf_/),
      unproven: { senders: [expect.stringMatching(/^address:/)] },
      name: 'Ada',
    })
    const link = await mailbox.linkOf(mail.confirmationId ?? '')
    const url = new URL(link.url ?? '')
    expect(url.origin + url.pathname + url.search).toBe('https://shop.example/v1/auth/email/verify')
    expect(url.hash).toMatch(new RegExp(`^#token=${mail.confirmationId}\\.[\\w-]{43}$`))
    expect(link.expiresAt).toBe('2026-03-08T12:00:00.000Z')
    expect(await mailbox.linkOf(mail.confirmationId ?? '')).toEqual(link)

    const kept = await suite.sql(`select to_jsonb(c) from identity.confirmations c`)
    const secret = url.hash.split('.')[1] ?? ''
    expect(secret).toHaveLength(43)
    expect(JSON.stringify([kept, mail])).not.toContain(secret)
  })

  test('leads to the pages of the storefront if it has some', async () => {
    const identity = await start({ ACCOUNT_URL: 'https://www.shop.example/account' })
    await post(identity, '/newsletter', { email: 'ada@mail.example' })
    const { confirmationId = '' } = await mailbox.mail('newsletterConfirmation', 'ada@mail.example')
    const { url } = await mailbox.linkOf(confirmationId)
    expect(url).toMatch(/^https:\/\/www\.shop\.example\/account\/newsletter\/confirm#token=conf_/)
  })

  test('is invalid when it was used, has expired or does not exist', async () => {
    const identity = await start()
    await register(identity, 'ada@mail.example')
    await register(identity, 'grace@mail.example')
    const ada = await mailbox.mail('emailVerification', 'ada@mail.example')
    const grace = await mailbox.mail('emailVerification', 'grace@mail.example')
    const token = await mailbox.token('emailVerification', 'ada@mail.example')
    expect(await post(identity, '/auth/email/verify', { token })).toBe(200)
    expect(await mailbox.linkOf(ada.confirmationId ?? '')).toEqual({})
    expect(await mailbox.linkOf('conf_none')).toEqual({})
    clock.advance(7 * DAY_MS - 1)
    expect(await mailbox.linkOf(grace.confirmationId ?? '')).toHaveProperty('url')
    clock.advance(1)
    expect(await mailbox.linkOf(grace.confirmationId ?? '')).toEqual({})
  })

  test('is deleted a day after its expiry, and not before', async () => {
    const identity = await start()
    await register(identity, 'ada@mail.example')
    const count = async () => (await suite.sql('select 1 from identity.confirmations')).length
    clock.advance(8 * DAY_MS)
    await followRule(RETENTION['old confirmations'], { db, clock })
    expect(await count()).toBe(1)
    clock.advance(1)
    await followRule(RETENTION['old confirmations'], { db, clock })
    expect(await count()).toBe(0)
  })
})

test('recipients of mails are counted for a day, and then deleted', async () => {
  const identity = await start()
  const counted = async () => {
    await followRule(RETENTION['old recipients of mails'], { db, clock })
    return (await suite.sql('select 1 from identity.recipient_mails')).length
  }
  await register(identity, 'ada@mail.example')
  clock.advance(DAY_MS / 2)
  await register(identity, 'grace@mail.example')
  clock.advance(DAY_MS / 2)
  expect(await counted()).toBe(2)
  clock.advance(1)
  expect(await counted()).toBe(1)
  clock.advance(DAY_MS / 2)
  expect(await counted()).toBe(0)
})

test('concurrent mails to one address stay within the limit', async () => {
  const requests = await Promise.all(
    Array.from({ length: 8 }, (_, index) => {
      const email = emailAddress(index % 2 ? 'one+a@mail.example' : 'ONE@Mail.example')
      return transaction(db, (tx) =>
        requestConfirmation(tx, { purpose: 'newsletter', email, senders: [] }, clock.now()),
      )
    }),
  )
  expect(requests.filter(Boolean)).toHaveLength(3)
  expect(await suite.sql('select 1 from identity.confirmations')).toHaveLength(3)
})

describe('the key of the links', () => {
  const encryptionOf = (keys: { SECRETS_KEY: string; SECRETS_KEY_PREVIOUS?: string }) =>
    createEncryption(keys, 'storefront identity mail links')
  const stored = async () => (await suite.sql('select secret, sealed_with from identity.mail_link_key'))[0]

  test('is created once, also when several replicas start at the same moment', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, () => prepareLinkKey(db, undefined, clock)))
    expect(keys[0]).toHaveLength(32)
    for (const key of keys) expect(key).toEqual(keys[0])
  })

  test('makes the links of one replica work in the other, and after a restart under another SECRETS_KEY', async () => {
    const [one, other] = await Promise.all([start({ SECRETS_KEY }), start({ SECRETS_KEY })])
    await register(one, 'ada@mail.example')
    await register(one, 'grace@mail.example')
    const ada = await mailbox.token('emailVerification', 'ada@mail.example')
    const grace = await mailbox.token('emailVerification', 'grace@mail.example')
    expect(await post(other, '/auth/email/verify', { token: ada })).toBe(200)
    const later = await start({ SECRETS_KEY: 'the next secret of this shop', SECRETS_KEY_PREVIOUS: SECRETS_KEY })
    expect(await post(later, '/auth/email/verify', { token: grace })).toBe(200)
  })

  test('is encrypted when a SECRETS_KEY is set, again when it is replaced, and cannot be decrypted under another', async () => {
    const key = await prepareLinkKey(db, undefined, clock)
    expect(await stored()).toEqual({ secret: key.toString('base64url'), sealed_with: 'nothing' })

    expect(await prepareLinkKey(db, encryptionOf({ SECRETS_KEY }), clock)).toEqual(key)
    const encrypted = await stored()
    expect(encrypted).toMatchObject({ sealed_with: 'aes-256-gcm' })
    expect(JSON.stringify(encrypted)).not.toContain(key.toString('base64url'))
    expect(await prepareLinkKey(db, encryptionOf({ SECRETS_KEY }), clock)).toEqual(key)
    expect(await stored()).toEqual(encrypted)

    const NEXT = 'the next secret of this shop'
    expect(
      await prepareLinkKey(db, encryptionOf({ SECRETS_KEY: NEXT, SECRETS_KEY_PREVIOUS: SECRETS_KEY }), clock),
    ).toEqual(key)
    expect(await prepareLinkKey(db, encryptionOf({ SECRETS_KEY: NEXT }), clock)).toEqual(key)
    await expect(prepareLinkKey(db, encryptionOf({ SECRETS_KEY }), clock)).rejects.toThrow('under another SECRETS_KEY')
    await expect(prepareLinkKey(db, undefined, clock)).rejects.toThrow('set SECRETS_KEY')
  })
})
