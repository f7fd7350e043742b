import { createHmac, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join, relative } from 'node:path'
import { Redis } from 'ioredis'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Order } from '@storefront/contracts'
import {
  createFakeRazorpay,
  createFakeStripe,
  sendWebhooks,
  waitFor,
  type FakeRazorpay,
  type FakeStripe,
  type FakeWebhook,
} from '@storefront/tools/testing'
import { openMailReceiver, type MailReceiver } from './support/mail-receiver.ts'
import { linkToken, orderToken, plain } from './support/mails.ts'
import { openOtlpReceiver, type OtlpReceiver } from './support/otlp-receiver.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'
import { ADDRESS, type TestClient } from './support/test-client.ts'
import { tracingTo } from './tracing/settings.ts'
import { testTracing } from './tracing/with-collector.ts'

/** Every secret of this shop is a unique word, so that everything the shop wrote can be searched for it. */
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
/** Secrets of the operator in the environment; those of the merchant take precedence over most of them. */
const OPERATOR = {
  DEMO_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
  RAZORPAY_KEY_SECRET: word(),
  RAZORPAY_WEBHOOK_SECRET: word(),
  STRIPE_SECRET_KEY: word(),
  STRIPE_WEBHOOK_SECRET: word(),
}
const PASSWORDS = { first: word(), wrong: word(), reset: word(), admin: word(), owner: word() }
/** Secrets in the wrong places, which must not be stored with the rejected request. */
const MISPLACED = {
  unknownKey: word(),
  nested: word(),
  brokenJson: word(),
  badShape: `whsec_${word()}!`,
  setting: word(),
  address: word(),
}
const EMAIL = `ada.${randomBytes(4).toString('hex')}@mail.example`
const REQUEST_ID = `request-${randomBytes(8).toString('hex')}`

/** Secrets that the shop creates. */
const made: Record<string, string> = {}
/**
 * Ids that give access to something. They are stored in rows and events, but must not be in a log or visible to an
 * outsider.
 */
const keyIds: Record<string, string> = {}
/** Every response of the shop, except those whose purpose is to return a secret. */
const responses: string[] = []

/** A receiver of webhooks beside the storefront, and the signatures that it received. */
let erp: Server
const signatures: string[] = []
let mailReceiver: MailReceiver
let stripe: FakeStripe
let razorpay: FakeRazorpay
let collector: OtlpReceiver
let shop: TestShop

const Token = z.object({ token: z.string() })

async function send(
  client: TestClient,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; text: string }> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const response = await client.exchange(method, path, text, { 'x-request-id': REQUEST_ID })
  responses.push(response.text)
  return response
}

/** Sends a request whose response contains a secret. */
async function receiveSecret<Schema extends z.ZodType>(
  schema: Schema,
  client: TestClient,
  path: string,
  body: unknown,
): Promise<z.output<Schema>> {
  const response = await client.post(path, body)
  expect(response.status, `${path}: ${JSON.stringify(response.body)}`).toBe(200)
  return schema.parse(response.body)
}

beforeAll(async () => {
  mailReceiver = await openMailReceiver(() => CREDENTIALS.smtpPassword)
  stripe = await createFakeStripe()
  stripe.secretKey = CREDENTIALS.stripeSecretKey
  stripe.webhookSecret = CREDENTIALS.stripeWebhookSecret
  razorpay = await createFakeRazorpay()
  razorpay.keySecret = CREDENTIALS.razorpayKeySecret
  razorpay.webhookSecret = CREDENTIALS.razorpayWebhookSecret
  collector = await openOtlpReceiver()
  shop = await openShopOfProcesses({
    ownServers: true,
    env: {
      ...OPERATOR,
      ...tracingTo(collector),
      STRIPE_BASE_URL: stripe.url,
      RAZORPAY_BASE_URL: razorpay.url,
      SECRETS_KEY,
      ADMIN_PASSWORD: PASSWORDS.owner,
      LOG_LEVEL: 'trace',
      SMTP_URL: `smtp://shop:not-the-password@127.0.0.1:${mailReceiver.port}`,
    },
  })
  await saveCredentials()
})

afterAll(async () => {
  await shop.stop()
  await collector.close()
  await stripe.stop()
  await razorpay.stop()
  await mailReceiver.stop()
  await new Promise((resolve) => {
    erp.close(resolve)
    erp.closeAllConnections()
  })
})

async function saveCredentials(): Promise<void> {
  const saved = await send(shop.admin, 'POST', '/admin/credentials', CREDENTIALS)
  expect(saved.status).toBe(200)
  shop.receiver.useSecret(CREDENTIALS.storefrontWebhookSecret)
  await send(shop.admin, 'GET', '/admin/credentials')
}

async function sendMisplaced(): Promise<void> {
  const { admin } = shop
  const rejected = [
    await send(admin, 'POST', '/admin/credentials', { paypalSecret: MISPLACED.unknownKey }),
    await send(admin, 'POST', '/admin/credentials', { smtpPassword: { value: [MISPLACED.nested] } }),
    await send(admin, 'POST', '/admin/credentials', `{"smtpPassword": "${MISPLACED.brokenJson}"`),
    await send(admin, 'POST', '/admin/credentials', { storefrontWebhookSecret: MISPLACED.badShape }),
    await send(admin, 'PATCH', '/admin/storefront', { store: { smtpPassword: MISPLACED.setting } }),
  ]
  expect(rejected.map(({ status }) => status)).toEqual([422, 422, 400, 422, 422])
}

/** Registers an endpoint, rotates its secret and has both sign; its address contains a secret of the receiver. */
async function useEndpoint(): Promise<void> {
  erp = createServer((request, response) => {
    signatures.push(String(request.headers['webhook-signature']))
    response.end()
  })
  await new Promise<void>((resolve) => erp.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.int() }).parse(erp.address())
  const { admin } = shop
  const Made = z.object({ id: z.string(), secret: z.string().startsWith('whsec_') })
  const bytesOf = (secret: string) => secret.slice('whsec_'.length)
  keyIds['the address of an endpoint'] = word()
  const url = `http://127.0.0.1:${port}/hooks?key=${keyIds['the address of an endpoint']}`
  const { id, secret } = await receiveSecret(Made, admin, '/admin/webhooks', { url })
  made['first secret of an endpoint'] = bytesOf(secret)
  const path = `/admin/webhooks/${id}`
  made['second secret of an endpoint'] = bytesOf((await receiveSecret(Made, admin, `${path}/rotate`, {})).secret)
  const tested = await send(admin, 'POST', `${path}/test`)
  expect(JSON.parse(tested.text)).toMatchObject({ delivered: true })
  expect(signatures.map((signature) => signature.split(' ').length)).toEqual([2])
  const rejected = await send(admin, 'PATCH', path, { url: `https://ada:${MISPLACED.address}@shop.example` })
  expect(rejected.status).toBe(422)
  expect((await send(admin, 'PATCH', path, { description: 'ERP' })).status).toBe(200)
  for (const at of ['/admin/webhooks', path]) expect((await send(admin, 'GET', at)).status).toBe(200)
}

/** The token of the only mail to the buyer so far with a link to this page. */
const mailedToken = (page: string) =>
  waitFor(`the mail with the link to ${page}`, () =>
    mailReceiver.mails
      .filter((mail) => mail.includes(EMAIL))
      .map((mail) => linkToken(mail, page))
      .find((token) => token !== undefined),
  )

async function useAccounts(): Promise<void> {
  const client = shop.client()
  const registered = await receiveSecret(Token, client, '/auth/register', { email: EMAIL, password: PASSWORDS.first })
  made['customer token'] = registered.token
  await send(client, 'POST', '/auth/login', { email: EMAIL, password: PASSWORDS.wrong })
  await send(client, 'POST', '/auth/login', { email: PASSWORDS.wrong, password: EMAIL })
  await send(client, 'POST', '/auth/password/forgot', { email: EMAIL })
  const token = await mailedToken('/auth/password/reset')
  made['reset token'] = token
  made['verification token'] = await mailedToken('/auth/email/verify')
  await send(client, 'POST', '/auth/password/reset', { token: `${token}x`, password: PASSWORDS.reset })
  expect((await send(client, 'POST', '/auth/password/reset', { token, password: PASSWORDS.reset })).status).toBe(200)
  client.token = Token.parse((await client.post('/auth/login', { email: EMAIL, password: PASSWORDS.reset })).body).token
  for (const path of ['/me', '/me/export']) expect((await send(client, 'GET', path)).status).toBe(200)
}

async function useAdmins(): Promise<void> {
  const email = 'merchant@mail.example'
  const user = { email, name: 'Merchant', role: 'owner', password: PASSWORDS.admin, currentPassword: PASSWORDS.owner }
  expect((await send(shop.admin, 'POST', '/admin/users', user)).status).toBe(200)
  const merchant = shop.client()
  const signedIn = await receiveSecret(Token, merchant, '/admin/auth/login', { email, password: PASSWORDS.admin })
  merchant.token = signedIn.token
  made['admin token'] = merchant.token
  const Prepared = z.object({ secret: z.string() })
  const { secret } = await receiveSecret(Prepared, merchant, '/admin/auth/totp', { password: PASSWORDS.admin })
  made['second factor'] = secret
  const code = new TOTP({ secret }).generate()
  const Confirmed = z.object({ recoveryCodes: z.array(z.string()) })
  const { recoveryCodes } = await receiveSecret(Confirmed, merchant, '/admin/auth/totp/confirm', { code })
  recoveryCodes.forEach((recovery, index) => (made[`recovery code ${index}`] = recovery))
  const [recovery = ''] = recoveryCodes
  await receiveSecret(Token, shop.client(), '/admin/auth/login', { email, password: PASSWORDS.admin, code: recovery })
  const Key = z.object({ key: z.string() })
  made['secret key'] = (
    await receiveSecret(Key, merchant, '/admin/api-keys', { name: 'erp', permissions: ['catalog:read'] })
  ).key
  const erp = shop.client()
  erp.token = made['secret key']
  expect((await send(erp, 'GET', '/admin/products')).status).toBe(200)
  expect((await send(erp, 'GET', '/admin/orders')).status).toBeGreaterThanOrEqual(400)
  await send(erp, 'GET', `/products?q=${made['secret key']}`)
}

async function buy(): Promise<void> {
  const client = shop.client()
  const { variants } = await shop.stockProduct('secret-shirt', 5)
  const order = await client.buy(variants[0]?.id ?? '')
  made['order token'] = order.accessToken ?? ''
  expect((await send(client, 'GET', `/orders/${order.id}`)).status).toBe(200)
  await waitFor('the webhook', () =>
    shop.receiver.received.some((event) => event.type === 'order.paid' && event['orderId'] === order.id),
  )
  made['token in the link of a mail'] = await waitFor(
    'the link to the order',
    () => mailReceiver.mails.flatMap((mail) => orderToken(mail, order.id) ?? [])[0],
  )
  await showToken(`/orders/${order.id}`, made['token in the link of a mail'])
}

async function useCheckout(checkout: Record<string, string>): Promise<void> {
  expect((await send(shop.admin, 'PATCH', '/admin/storefront', { checkout })).status).toBe(200)
}

const Session = z.object({ id: z.string(), url: z.string(), accessToken: z.string() })

/** A checkout with an idempotency key that is sent twice: the second response is the stored one. */
async function beginPayment<Schema extends z.ZodType>(client: TestClient, schema: Schema): Promise<z.output<Schema>> {
  const slug = `paid-shirt-${Object.keys(keyIds).length}`
  const { variants } = await shop.stockProduct(slug, 5)
  const cart = await client.cartWith(variants[0]?.id ?? '')
  keyIds[`cart of ${slug}`] = cart.id
  const body = { email: EMAIL, shipping_address: ADDRESS, shipping_method: 'standard' }
  const headers = { 'idempotency-key': `key-${slug}` }
  const send = () => client.call('POST', `/carts/${cart.id}/checkout`, body, headers)
  const [first, second] = [await send(), await send()]
  expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true'])
  expect(second.body).toEqual(first.body)
  return schema.parse(second.body)
}

/** The responses to a client with this token, sent in both ways. */
async function showToken(path: string, token: string): Promise<string[]> {
  const inAddress = await send(shop.client(), 'GET', `${path}?token=${token}`)
  const inHeader = await shop.client().exchange('GET', path, undefined, { 'x-order-token': token })
  responses.push(inHeader.text)
  expect([inAddress.status, inHeader.status]).toEqual([200, 200])
  return [inAddress.text, inHeader.text]
}

/** Waits for the order that this token opens, and lets the merchant refund it. */
async function expectOrder(sessionId: string, token: string): Promise<void> {
  const Completed = z.object({ status: z.literal('completed'), orderId: z.string() })
  const { orderId } = await waitFor('the order', async () => {
    const [text = ''] = await showToken(`/checkout/sessions/${sessionId}`, token)
    return Completed.safeParse(JSON.parse(text)).data
  })
  keyIds[`order of ${sessionId}`] = orderId
  await showToken(`/orders/${orderId}`, token)
  const refund = await send(shop.admin, 'POST', `/admin/orders/${orderId}/refunds`, { amount: 100 })
  expect(refund.status, refund.text).toBe(200)
}

async function payAtDemo(): Promise<void> {
  await useCheckout({ mode: 'redirect', provider: 'demo' })
  const { id, url, accessToken } = await beginPayment(shop.client(), Session)
  const { pathname } = new URL(url)
  keyIds['demo session'] = pathname.split('/').at(-1) ?? ''
  keyIds['demo payment session'] = id
  made['token of a payment session'] = accessToken
  expect((await shop.client().exchange('GET', pathname)).status).toBe(200)
  expect((await shop.client().exchange('GET', `${pathname}x`)).status).toBe(404)
  const paid = await shop.client().exchange('POST', `${pathname}/pay`)
  expect(paid.status).toBe(303)
  const back = new URL(paid.headers.get('location') ?? '', `${shop.shop.url}${pathname}/pay`)
  expect((await shop.client().exchange('GET', back.pathname)).status).toBe(200)
  await expectOrder(id, accessToken)

  const [message, at] = [`evt_${word()}`, String(Math.floor(Date.now() / 1000))]
  const body = Buffer.from('{"type":"nothing.new"}')
  const key = Buffer.from(OPERATOR.DEMO_WEBHOOK_SECRET.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${message}.${at}.`).update(body).digest('base64')
  const signed = (value: string): FakeWebhook => ({
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': message,
      'webhook-timestamp': at,
      'webhook-signature': value,
    },
  })
  const webhooks = [signed(`v1,${signature}`), signed(`v1,${OPERATOR.DEMO_WEBHOOK_SECRET}`)]
  expect(await sendWebhooks(`${shop.shop.url}/webhooks/demo`, webhooks)).toEqual([200, 400])
}

async function payAtStripe(): Promise<void> {
  await useCheckout({ mode: 'redirect', provider: 'stripe' })
  const { id, accessToken } = await beginPayment(shop.client(), Session)
  keyIds['payment session of Stripe'] = id
  made['token of a session at Stripe'] = accessToken
  const [page] = [...stripe.sessions.values()].filter(({ status }) => status === 'open')
  stripe.pay(page?.id ?? '')
  const type = 'checkout.session.completed'
  const webhooks = [stripe.webhook(type, page), stripe.webhook(type, page, { secret: word() })]
  expect(await sendWebhooks(`${shop.shop.url}/webhooks/stripe`, webhooks)).toEqual([200, 400])
  await expectOrder(id, accessToken)
  // The provider rejects the key of the shop, and no report of that error may show the key.
  stripe.secretKey = word()
  const order = keyIds[`order of ${id}`] ?? ''
  await send(shop.admin, 'POST', `/admin/orders/${order}/refunds`, { amount: 200 })
  stripe.secretKey = CREDENTIALS.stripeSecretKey
}

async function payAtRazorpay(): Promise<void> {
  await useCheckout({ mode: 'razorpay', razorpayKeyId: razorpay.keyId })
  const client = shop.client()
  const opened = await beginPayment(client, z.object({ razorpay_order_id: z.string(), key_id: z.string() }))
  const result = razorpay.pay(opened.razorpay_order_id)
  const forged = { ...result, razorpay_signature: CREDENTIALS.razorpayKeySecret }
  expect((await send(client, 'POST', '/payments/verify', forged)).status).toBe(400)
  const order = Order.parse((await client.post('/payments/verify', result)).body)
  keyIds['order of Razorpay'] = order.id
  made['order token of Razorpay'] = order.accessToken ?? ''
  const webhook = razorpay.webhook('payment.captured', { payment: result.razorpay_payment_id })
  expect(await sendWebhooks(`${shop.shop.url}/webhooks/razorpay`, [webhook])).toEqual([200])
  await showToken(`/orders/${order.id}`, made['order token of Razorpay'])
  // A lookup returns a token of its own.
  const found = await client.post('/orders/lookup', { number: order.number, email: order.email })
  made['token of a lookup'] = Order.parse(found.body).accessToken ?? ''
}

/**
 * A secret unencoded, and in the encodings that may have been applied to it. In a longer text base64 has three forms,
 * by the number of bytes before the secret; characters that its neighbors influence are left out at both ends.
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
  const all = { SECRETS_KEY, ...CREDENTIALS, ...OPERATOR, ...PASSWORDS, ...MISPLACED, ...made }
  return Object.entries(all)
}

interface SearchedBytes {
  name: string
  bytes: Buffer
}

function found(places: readonly SearchedBytes[], wanted: readonly [string, string][]): string[] {
  const all = wanted.flatMap(([what, secret]) => forms(secret).map((form) => ({ what, form })))
  // Most forms begin like many others, and few places contain any of them: the files are large.
  const alike = Map.groupBy(all, ({ form }) => form.toString('latin1', 0, 6))
  return [...alike.values()].flatMap((group) => {
    const beginning = group[0]?.form.subarray(0, 6) ?? ''
    const possible = places.filter(({ bytes }) => bytes.includes(beginning))
    return group.flatMap(({ what, form }) =>
      possible.filter(({ bytes }) => bytes.includes(form)).map(({ name }) => `${what} in ${name}`),
    )
  })
}

const PAGE_BYTES = 8192
const EMPTY_PAGE = Buffer.alloc(PAGE_BYTES)

/** Write-ahead logs and other files have their final size long before they are full. */
function withoutEmptyPages(bytes: Buffer): Buffer {
  const pages: Buffer[] = []
  for (let start = 0; start < bytes.length; start += PAGE_BYTES) {
    const page = bytes.subarray(start, start + PAGE_BYTES)
    if (!page.equals(EMPTY_PAGE)) pages.push(page)
  }
  return Buffer.concat(pages)
}

async function filesBelow(folder: string): Promise<SearchedBytes[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = await Promise.all(
    files.map(async (path) => ({
      name: relative(folder, path),
      // The servers are running, and may delete a file before it is read.
      bytes: withoutEmptyPages(await readFile(path).catch(() => Buffer.alloc(0))),
    })),
  )
  // The launcher creates this file and needs it for the next start; only its owner can read it.
  return read.filter(({ name }) => name !== 'secrets.json')
}

/** Every row of every table of the shop, as text. */
async function rowsOfAllTables(): Promise<SearchedBytes[]> {
  const tables = await shop.sql<{ name: string }>(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)
  expect(tables.length).toBeGreaterThan(40)
  const places: SearchedBytes[] = []
  for (const { name } of tables) {
    const rows = await shop.sql<{ line: string }>(`select t::text as line from ${name} t`)
    places.push({ name, bytes: Buffer.from(rows.map(({ line }) => line).join('\n')) })
  }
  return places
}

async function everythingInRedis(): Promise<SearchedBytes[]> {
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
        throw new Error(`the test cannot read the Redis type ${type} of ${key}`)
      }),
    )
    return [{ name: 'Redis', bytes: Buffer.from([...keys, ...values].join('\n')) }]
  } finally {
    redis.disconnect()
  }
}

testTracing(() => ({ shop, collector }))

describe('a secret', () => {
  test.each(['base64', 'base64url'] as const)('is found in %s, at any position in the text', (encoding) => {
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

describe('a secret that the shop received or created', () => {
  beforeAll(async () => {
    await sendMisplaced()
    await useEndpoint()
    await useAccounts()
    await useAdmins()
    await buy()
    await payAtDemo()
    await payAtStripe()
    await payAtRazorpay()
  })

  test('was used: mails were sent with the password, webhooks signed with the secret', () => {
    expect(mailReceiver.signIns).toContainEqual({ user: 'shop', password: CREDENTIALS.smtpPassword })
    expect(mailReceiver.mails.length).toBeGreaterThan(2)
    expect(shop.receiver.received.length).toBeGreaterThan(0)
    expect(signatures.length).toBeGreaterThan(2)
    const toStripe = stripe.received.map(({ headers }) => headers.authorization)
    expect(toStripe).toContain(`Bearer ${CREDENTIALS.stripeSecretKey}`)
    expect(stripe.refunds.size).toBeGreaterThan(0)
    expect([...razorpay.orders.keys()]).toHaveLength(1)
    expect(Object.keys(keyIds).length).toBeGreaterThan(8)
    expect(Object.values(made).filter((secret) => secret.length < 8)).toEqual([])
    expect(Object.keys(made).length).toBeGreaterThan(15)
  })

  test('is in no file that the shop writes: databases, write-ahead logs, event streams, logs', async () => {
    await shop.sql('checkpoint')
    const files = await filesBelow(shop.dataDir)
    // Text that is not secret is found in all of them, which proves that the search covers these files.
    const placesOf = (text: string) => files.filter(({ bytes }) => bytes.includes(text)).map(({ name }) => name)
    expect(placesOf(EMAIL).some((name) => name.startsWith('postgres'))).toBe(true)
    expect(placesOf(EMAIL).some((name) => name.startsWith('nats'))).toBe(true)
    expect(placesOf(REQUEST_ID).filter((name) => name.startsWith('logs')).length).toBeGreaterThan(1)
    expect(found(files, secrets())).toEqual([])

    // The id without its prefix, which a log may show.
    const ids = Object.entries(keyIds).map(([what, id]): [string, string] => [what, id.slice(id.lastIndexOf('_') + 1)])
    expect(ids.filter(([, id]) => id.length < 20)).toEqual([])
    const logs = files.filter(({ name }) => name.startsWith('logs'))
    expect(found(logs, ids)).toEqual([])
  })

  test('is in no table', async () => {
    const tables = await rowsOfAllTables()
    expect(tables.some(({ bytes }) => bytes.includes(EMAIL))).toBe(true)
    expect(found(tables, secrets())).toEqual([])
  })

  test('is not in Redis', async () => {
    const [all] = await everythingInRedis()
    expect(all?.bytes.length).toBeGreaterThan(1000)
    expect(found(all ? [all] : [], secrets())).toEqual([])
  })

  test('is in no response and no export', async () => {
    for (const path of [
      '/admin/export',
      '/admin/audit',
      '/admin/auth/audit',
      '/admin/users',
      '/admin/api-keys',
      '/admin/credentials',
      '/admin/storefront',
      '/admin/webhooks',
      '/admin/webhooks/audit',
      '/admin/webhooks/deliveries',
      '/admin/orders',
      `/admin/orders/${keyIds['order of Razorpay']}`,
      `/admin/orders/${keyIds['order of Razorpay']}/timeline`,
      '/admin/reconciliation',
      '/admin/discounts',
      '/admin/discounts/audit',
      '/admin/activity?per_page=100',
      '/storefront',
      '/bootstrap',
      '/openapi.json',
    ]) {
      expect((await send(shop.admin, 'GET', path)).status, path).toBe(200)
    }
    expect(responses.some((text) => text.includes(EMAIL))).toBe(true)
    expect(found([{ name: 'a response', bytes: Buffer.from(responses.join('\n')) }], secrets())).toEqual([])
  })

  test('is in no mail except in the link of that mail, and in no webhook', () => {
    const mails = mailReceiver.mails.map((mail) => ({ name: 'a mail', bytes: Buffer.from(plain(mail)) }))
    const webhooks = shop.receiver.received.map((payload) => ({
      name: 'a webhook',
      bytes: Buffer.from(JSON.stringify(payload)),
    }))
    const opening = Object.entries(keyIds).filter(([what]) => what.includes('session') && !what.startsWith('order'))
    expect(opening.length).toBeGreaterThan(2)
    expect(found([...mails, ...webhooks], opening)).toEqual([])
    const links = ['reset token', 'verification token', 'token in the link of a mail']
    const notLinks = secrets().filter(([what]) => !links.includes(what))
    expect(found(mails, notLinks)).toEqual([])
    expect(found(webhooks, secrets())).toEqual([])
  })
})
