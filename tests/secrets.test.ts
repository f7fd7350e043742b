import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Redis } from 'ioredis'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { waitFor } from '@storefront/tools/testing'
import { openMailTaker, type MailTaker } from './support/mail-taker.ts'
import { linkToken, plain } from './support/mails.ts'
import { openShop, type TestShop } from './support/shop.ts'
import type { Visitor } from './support/visitor.ts'

/** Every secret of this shop is a word that stands nowhere else: then everything the shop wrote is searched for them. */
const word = (): string => `canary${randomBytes(12).toString('hex')}`

const SECRETS_KEY = word()
const CREDENTIALS = {
  razorpayKeySecret: word(),
  razorpayWebhookSecret: word(),
  stripeSecretKey: word(),
  stripeWebhookSecret: word(),
  smtpPassword: word(),
  storefrontWebhookSecret: `whsec_${randomBytes(24).toString('base64')}`,
}
const PASSWORDS = { first: word(), wrong: word(), reset: word(), admin: word(), owner: word() }
/** What was said where it does not belong, and must be forgotten with the refusal. */
const MISPLACED = {
  unknownKey: word(),
  nested: word(),
  brokenJson: word(),
  badShape: `whsec_${word()}!`,
  setting: word(),
}
const EMAIL = `ada.${randomBytes(4).toString('hex')}@mail.example`
const REQUEST_ID = `request-${randomBytes(8).toString('hex')}`

/** Known only after the shop has made them. */
const made: Record<string, string> = {}
/** Everything the shop answered, but for the few answers that are there to hand a secret over. */
const answers: string[] = []

let mailTaker: MailTaker
let shop: TestShop

const Token = z.object({ token: z.string() })

async function say(
  visitor: Visitor,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; text: string }> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await visitor.exchange(method, path, text, { 'x-request-id': REQUEST_ID })
  answers.push(answer.text)
  return answer
}

/** For the answers that hand a secret over. */
async function given<Schema extends z.ZodType>(
  schema: Schema,
  visitor: Visitor,
  path: string,
  body: unknown,
): Promise<z.output<Schema>> {
  const answer = await visitor.post(path, body)
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200)
  return schema.parse(answer.body)
}

beforeAll(async () => {
  mailTaker = await openMailTaker(() => CREDENTIALS.smtpPassword)
  shop = await openShop({
    env: {
      SECRETS_KEY,
      ADMIN_PASSWORD: PASSWORDS.owner,
      LOG_LEVEL: 'trace',
      SMTP_URL: `smtp://shop:not-the-password@127.0.0.1:${mailTaker.port}`,
    },
  })
  await handOver()
  await misplace()
  await useAccounts()
  await useAdmins()
  await buy()
})

afterAll(async () => {
  await shop.stop()
  await mailTaker.stop()
})

async function handOver(): Promise<void> {
  const saved = await say(shop.admin, 'POST', '/admin/credentials', CREDENTIALS)
  expect(saved.status).toBe(200)
  shop.receiver.useSecret(CREDENTIALS.storefrontWebhookSecret)
  await say(shop.admin, 'GET', '/admin/credentials')
}

async function misplace(): Promise<void> {
  const { admin } = shop
  const refused = [
    await say(admin, 'POST', '/admin/credentials', { paypalSecret: MISPLACED.unknownKey }),
    await say(admin, 'POST', '/admin/credentials', { smtpPassword: { value: [MISPLACED.nested] } }),
    await say(admin, 'POST', '/admin/credentials', `{"smtpPassword": "${MISPLACED.brokenJson}"`),
    await say(admin, 'POST', '/admin/credentials', { storefrontWebhookSecret: MISPLACED.badShape }),
    await say(admin, 'PATCH', '/admin/storefront', { store: { smtpPassword: MISPLACED.setting } }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 400, 422, 422])
}

/** The token of the only mail so far with a link to this page. */
const mailedToken = (page: string) =>
  waitFor(`the mail with the link to ${page}`, () =>
    mailTaker.mails.map((mail) => linkToken(mail, page)).find((token) => token !== undefined),
  )

async function useAccounts(): Promise<void> {
  const visitor = shop.visitor()
  const registered = await given(Token, visitor, '/auth/register', { email: EMAIL, password: PASSWORDS.first })
  made['customer token'] = registered.token
  await say(visitor, 'POST', '/auth/login', { email: EMAIL, password: PASSWORDS.wrong })
  await say(visitor, 'POST', '/auth/login', { email: PASSWORDS.wrong, password: EMAIL })
  await say(visitor, 'POST', '/auth/password/forgot', { email: EMAIL })
  const token = await mailedToken('/auth/password/reset')
  made['reset token'] = token
  made['verification token'] = await mailedToken('/auth/email/verify')
  await say(visitor, 'POST', '/auth/password/reset', { token: `${token}x`, password: PASSWORDS.reset })
  expect((await say(visitor, 'POST', '/auth/password/reset', { token, password: PASSWORDS.reset })).status).toBe(200)
  visitor.token = Token.parse(
    (await visitor.post('/auth/login', { email: EMAIL, password: PASSWORDS.reset })).body,
  ).token
  for (const path of ['/me', '/me/export']) expect((await say(visitor, 'GET', path)).status).toBe(200)
}

async function useAdmins(): Promise<void> {
  const email = 'merchant@mail.example'
  const user = { email, name: 'Merchant', role: 'owner', password: PASSWORDS.admin, currentPassword: PASSWORDS.owner }
  expect((await say(shop.admin, 'POST', '/admin/users', user)).status).toBe(200)
  const merchant = shop.visitor()
  merchant.token = (await given(Token, merchant, '/admin/auth/login', { email, password: PASSWORDS.admin })).token
  made['admin token'] = merchant.token
  const Prepared = z.object({ secret: z.string() })
  const { secret } = await given(Prepared, merchant, '/admin/auth/totp', { password: PASSWORDS.admin })
  made['second factor'] = secret
  const code = new TOTP({ secret }).generate()
  const Confirmed = z.object({ recoveryCodes: z.array(z.string()) })
  const { recoveryCodes } = await given(Confirmed, merchant, '/admin/auth/totp/confirm', { code })
  recoveryCodes.forEach((recovery, index) => (made[`recovery code ${index}`] = recovery))
  const [recovery = ''] = recoveryCodes
  await given(Token, shop.visitor(), '/admin/auth/login', { email, password: PASSWORDS.admin, code: recovery })
  const Key = z.object({ key: z.string() })
  made['secret key'] = (
    await given(Key, merchant, '/admin/api-keys', { name: 'erp', permissions: ['catalog:read'] })
  ).key
  const erp = shop.visitor()
  erp.token = made['secret key']
  expect((await say(erp, 'GET', '/admin/products')).status).toBe(200)
  expect((await say(erp, 'GET', '/admin/orders')).status).toBeGreaterThanOrEqual(400)
  await say(erp, 'GET', `/products?q=${made['secret key']}`)
}

async function buy(): Promise<void> {
  const visitor = shop.visitor()
  const { variants } = await shop.stockProduct('secret-shirt', 5)
  const order = await visitor.buy(variants[0]?.id ?? '')
  made['order token'] = order.accessToken ?? ''
  expect((await say(visitor, 'GET', `/orders/${order.id}`)).status).toBe(200)
  await waitFor('the webhook', () => shop.receiver.received.some(({ type }) => type === 'order.paid'))
  await waitFor('the mail', () => mailTaker.mails.map(plain).some((mail) => mail.includes(order.number)))
}

/**
 * A secret as it is, and as something may have encoded it. Within a longer text base64 writes it in one of three ways, as
 * many bytes stand before it: what its neighbours have a part in is left out at both ends.
 */
function forms(secret: string): Buffer[] {
  const bytes = Buffer.from(secret)
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const end = (before + bytes.length) % 3 === 0 ? text.length : text.length - 1
    return text.slice(before === 0 ? 0 : before + 1, end)
  })
  const texts = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    bytes.toString('hex'),
  ]
  return [...new Set(texts)].map((text) => Buffer.from(text))
}

function secrets(): [string, string][] {
  const all = { SECRETS_KEY, ...CREDENTIALS, ...PASSWORDS, ...MISPLACED, ...made }
  return Object.entries(all)
}

function found(places: readonly { name: string; bytes: Buffer }[], wanted: readonly [string, string][]): string[] {
  return wanted.flatMap(([what, secret]) =>
    forms(secret).flatMap((form) =>
      places.filter(({ bytes }) => bytes.includes(form)).map(({ name }) => `${what} in ${name}`),
    ),
  )
}

async function filesBelow(folder: string): Promise<{ name: string; bytes: Buffer }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = await Promise.all(
    files.map(async (path) => ({
      name: relative(folder, path),
      bytes: await readFile(path).catch(() => Buffer.alloc(0)),
    })),
  )
  // What the launcher itself made and needs for the next start; readable by its owner alone.
  return read.filter(({ name }) => name !== 'secrets.json')
}

/** Every row of every table of the shop, as text. */
async function rowsOfAllTables(): Promise<{ name: string; bytes: Buffer }[]> {
  const tables = await shop.sql<{ name: string }>(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)
  expect(tables.length).toBeGreaterThan(40)
  const found: { name: string; bytes: Buffer }[] = []
  for (const { name } of tables) {
    const rows = await shop.sql<{ line: string }>(`select t::text as line from ${name} t`)
    found.push({ name, bytes: Buffer.from(rows.map(({ line }) => line).join('\n')) })
  }
  return found
}

async function everythingInRedis(): Promise<{ name: string; bytes: Buffer }[]> {
  const redis = new Redis(shop.shop.infrastructure.redis.url)
  try {
    const keys = await redis.keys('*')
    const values = await Promise.all(
      keys.map(async (key) => {
        const type = await redis.type(key)
        if (type === 'string') return redis.get(key)
        if (type === 'hash') return JSON.stringify(await redis.hgetall(key))
        if (type === 'set') return JSON.stringify(await redis.smembers(key))
        if (type === 'zset') return JSON.stringify(await redis.zrange(key, '0', '-1'))
        throw new Error(`nobody looks into the ${type} ${key}`)
      }),
    )
    return [{ name: 'Redis', bytes: Buffer.from([...keys, ...values].join('\n')) }]
  } finally {
    redis.disconnect()
  }
}

describe('a secret', () => {
  test.each(['base64', 'base64url'] as const)('is found in %s, wherever it stands in the text', (encoding) => {
    for (const secret of ['canary', 'canary7', 'canary78', 'canary~~~???ÿÿÿ']) {
      for (let before = 0; before < 6; before++) {
        for (const after of ['', 'x', 'yz', '?~?']) {
          const text = `${'{"a?~'.slice(0, before)}${secret}${after}`
          const place = { name: text, bytes: Buffer.from(Buffer.from(text).toString(encoding)) }
          expect(new Set(found([place], [['it', secret]]))).toEqual(new Set([`it in ${text}`]))
          expect(found([place], [['another', `${secret}other`]])).toEqual([])
        }
      }
    }
  })
})

describe('a secret that the shop was told, or made,', () => {
  test('was used: mails were sent with the password, webhooks signed with the secret', () => {
    expect(mailTaker.signIns).toContainEqual({ user: 'shop', password: CREDENTIALS.smtpPassword })
    expect(mailTaker.mails.length).toBeGreaterThan(2)
    expect(shop.receiver.received.length).toBeGreaterThan(0)
    expect(Object.values(made).filter((secret) => secret.length < 8)).toEqual([])
    expect(Object.keys(made).length).toBeGreaterThan(15)
  })

  test('stands in no file that the shop writes: databases, their logs of changes, event streams, logs', async () => {
    await shop.sql('checkpoint')
    const files = await filesBelow(shop.dataDir)
    // What is no secret is found in all of them: this looks in the right places.
    const placesOf = (text: string) => files.filter(({ bytes }) => bytes.includes(text)).map(({ name }) => name)
    expect(placesOf(EMAIL).some((name) => name.startsWith('postgres'))).toBe(true)
    expect(placesOf(EMAIL).some((name) => name.startsWith('nats'))).toBe(true)
    expect(placesOf(REQUEST_ID).filter((name) => name.startsWith('logs')).length).toBeGreaterThan(1)
    expect(found(files, secrets())).toEqual([])
  })

  test('stands in no table', async () => {
    const tables = await rowsOfAllTables()
    expect(tables.some(({ bytes }) => bytes.includes(EMAIL))).toBe(true)
    expect(found(tables, secrets())).toEqual([])
  })

  test('stands nowhere in Redis', async () => {
    const [all] = await everythingInRedis()
    expect(all?.bytes.length).toBeGreaterThan(1000)
    expect(found(all ? [all] : [], secrets())).toEqual([])
  })

  test('is in no answer and no export, whoever asks', async () => {
    for (const path of [
      '/admin/export',
      '/admin/audit',
      '/admin/auth/audit',
      '/admin/users',
      '/admin/api-keys',
      '/admin/credentials',
      '/admin/storefront',
      '/admin/webhooks/deliveries',
      '/storefront',
      '/bootstrap',
      '/openapi.json',
    ]) {
      expect((await say(shop.admin, 'GET', path)).status, path).toBe(200)
    }
    expect(answers.some((text) => text.includes(EMAIL))).toBe(true)
    expect(found([{ name: 'an answer', bytes: Buffer.from(answers.join('\n')) }], secrets())).toEqual([])
  })

  test('stands in no mail but for the link that a mail is about, and in no webhook', () => {
    const mails = mailTaker.mails.map((mail) => ({ name: 'a mail', bytes: Buffer.from(plain(mail)) }))
    const webhooks = shop.receiver.received.map((payload) => ({
      name: 'a webhook',
      bytes: Buffer.from(JSON.stringify(payload)),
    }))
    const notLinks = secrets().filter(([what]) => what !== 'reset token' && what !== 'verification token')
    expect(found(mails, notLinks)).toEqual([])
    expect(found(webhooks, secrets())).toEqual([])
  })
})
