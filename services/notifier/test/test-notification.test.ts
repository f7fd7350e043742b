import { manualClock } from '@storefront/service/testing'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { replyTo } from '@storefront/messaging'
import { ErrorBody, ReadAdminAddress } from '@storefront/contracts'
import { MailKind } from '@storefront/mail-templates'
import { waitFor } from '@storefront/tools/testing'
import type { RunningNotifier } from '../src/start.ts'
import { createMailServer, createMailServers, smtpError, type MailServer, type MailServerHooks } from './mail-server.ts'
import { connect, createSetting, portOf, type Setting } from './setting.ts'

const ResponseBody = z.object({
  delivered: z.boolean(),
  messageId: z.string().optional(),
  preview: z.record(z.string(), z.string()),
})

let setting: Setting
const closing: (() => Promise<void>)[] = []
const { mailServer, stopMailServers } = createMailServers()

beforeAll(async () => {
  setting = await createSetting()
})
afterEach(async () => {
  await setting.clear()
  for (const close of closing.splice(0)) await close()
  await stopMailServers()
  setting.shop.version = 1
  setting.shop.notifications = {}
  await setting.suite.sql('delete from notifier.known_settings')
})
afterAll(() => setting.stop())

/** Starts a notifier. @returns how to request test mails from it */
async function start(env: Record<string, string>, clock = manualClock(new Date())) {
  return requestsTo(await setting.start(env, clock))
}

async function requestsTo({ app }: RunningNotifier) {
  const send = async (
    payload?: object,
    permissions: Parameters<Setting['suite']['headers']['admin']>[0] = ['settings:write'],
    userId?: string,
  ) => {
    const { admin, adminUser } = setting.suite.headers
    const response = await app.inject({
      method: 'POST',
      url: '/admin/notifications/test',
      headers: userId === undefined ? admin(permissions) : adminUser(userId, permissions),
      ...(payload ? { payload } : {}),
    })
    return { status: response.statusCode, body: response.json<unknown>(), headers: response.headers }
  }
  await waitFor('the settings', async () => (await send()).status !== 503)
  return send
}

const rejected = ({ status, body }: { status: number; body: unknown }) => {
  const { code, detail } = ErrorBody.parse(body)
  return { status, code, detail }
}

describe('a test mail', () => {
  test('is sent at once with the current settings, and the response shows it', async () => {
    const server = await mailServer()
    setting.shop.notifications = {
      from: 'Linen <hello@linen.example>',
      smtp: { host: '127.0.0.1', port: server.port },
    }
    const send = await start({})
    const { status, body } = await send({ to: ' ada@example.com ' })
    expect(status).toBe(200)
    const { delivered, messageId, preview } = ResponseBody.parse(body)
    expect(delivered).toBe(true)
    expect(preview).toMatchObject({
      event: 'orderPlaced',
      to: 'ada@example.com',
      from: 'Linen <hello@linen.example>',
    })
    expect(Object.keys(preview).toSorted()).toEqual(['event', 'from', 'subject', 'text', 'to'])
    expect(server.taken).toHaveLength(1)
    expect(server.taken[0]?.replaceAll(/\r\n /g, ' ')).toContain(`Message-ID: ${messageId}\r\n`)
    expect(server.taken[0]).toContain(`Subject: ${preview['subject']}\r\n`)
    expect((await setting.mails()).map((mail) => mail.phase)).toEqual(['sent'])
  })

  test('without an address goes to the signed-in admin', async () => {
    const identity = await connect(setting.suite, 'identity')
    closing.push(() => identity.messaging.close())
    const emails = new Map([['user_ada', 'ada@shop.example']])
    replyTo(identity, ReadAdminAddress, ({ userId }) => {
      const email = emails.get(userId)
      return Promise.resolve(email === undefined ? {} : { email })
    })
    const server = await mailServer()
    const send = await start({ SMTP_URL: server.url })
    const as = (userId: string, body?: object) => send(body, ['settings:write'], userId)
    await waitFor('identity to reply', async () => (await as('user_ada')).status === 200)
    for (const body of [{ event: 'shipped' }, { event: 'shipped', to: ' ' }]) {
      const { status, body: shown } = await as('user_ada', body)
      expect(status).toBe(200)
      expect(ResponseBody.parse(shown).preview).toMatchObject({ event: 'shipped', to: 'ada@shop.example' })
    }
    expect(server.taken).toHaveLength(3)
    for (const mail of server.taken) expect(mail).toContain('To: ada@shop.example\r\n')
    // This user was deleted or disabled after signing in.
    expect(rejected(await as('user_gone', { event: 'shipped' }))).toMatchObject({ status: 422, code: 'missing_to' })
  })

  test('without an address is rejected with 503 while identity is unavailable', async () => {
    const server = await mailServer()
    const send = await start({ SMTP_URL: server.url })
    const body = { event: 'shipped' }
    expect(rejected(await send(body, ['settings:write'], 'user_ada'))).toMatchObject({ status: 503 })
    expect((await send({ ...body, to: 'ada@example.com' }, ['settings:write'], 'user_ada')).status).toBe(200)
  })

  test('is rejected with a readable message when no mail server is configured', async () => {
    const send = await start({})
    const { status, body } = await send({ to: 'ada@example.com' })
    expect(rejected({ status, body })).toEqual({
      status: 409,
      code: 'notifications_disabled',
      detail: { reason: 'no mail server is configured' },
    })
    expect(ErrorBody.parse(body).message).toContain('No mail server is configured')
    expect(await setting.mails()).toEqual([])
  })

  test('uses settings that were saved a moment ago', async () => {
    const server = await mailServer()
    const send = await start({ SMTP_URL: server.url })
    expect((await send({ to: 'ada@example.com' })).status).toBe(200)
    setting.shop.notifications = { enabled: false }
    setting.shop.version++
    expect((await send({ to: 'ada@example.com' })).status).toBe(409)
  })

  test('needs a valid address and a known kind', async () => {
    const server = await mailServer()
    const send = await start({ SMTP_URL: server.url })
    expect(rejected(await send())).toMatchObject({ status: 422, code: 'missing_to' })
    expect(rejected(await send({}))).toMatchObject({ status: 422, code: 'missing_to' })
    expect(rejected(await send({ to: '  ' }))).toMatchObject({ status: 422, code: 'missing_to' })
    expect(rejected(await send({ to: 'ada' }))).toMatchObject({ status: 422, code: 'invalid_email' })
    const several = 'a@example.com, b@example.com'
    expect(rejected(await send({ to: several }))).toMatchObject({ status: 422, code: 'invalid_email' })
    const unknown = { event: 'orderLost', to: 'ada@example.com' }
    expect(rejected(await send(unknown))).toMatchObject({ status: 422, code: 'validation_failed' })
    expect((await send({ to: 'ada@example.com' }, ['orders:read'])).status).toBe(403)
    expect(server.started).toBe(0)
    expect(await setting.mails()).toEqual([])
  })

  test('is rejected while such mails are switched off', async () => {
    const server = await mailServer()
    setting.shop.notifications = { enabled: false }
    const send = await start({ SMTP_URL: server.url })
    expect(rejected(await send({ to: 'ada@example.com' }))).toEqual({
      status: 409,
      code: 'notifications_disabled',
      detail: { reason: 'mails about orders are switched off' },
    })
    expect((await send({ event: 'passwordReset', to: 'ada@example.com' })).status).toBe(200)
    await setting.clear()
    await setting.suite.sql('delete from notifier.known_settings')
    setting.shop.notifications = { events: { shipped: false } }
    const again = await start({ SMTP_URL: server.url })
    expect(rejected(await again({ event: 'shipped', to: 'ada@example.com' }))).toMatchObject({ status: 409 })
    expect((await again({ to: 'ada@example.com' })).status).toBe(200)
  })

  test('cannot be sent while the settings are unknown', async () => {
    // An invalid version makes the reply of catalog useless.
    setting.shop.version = 1.5
    const { app } = await setting.start({})
    const headers = setting.suite.headers.admin(['settings:write'])
    const url = '/admin/notifications/test'
    const response = await app.inject({ method: 'POST', url, headers, payload: { to: 'ada@example.com' } })
    expect(rejected({ status: response.statusCode, body: response.json<unknown>() })).toMatchObject({ status: 503 })
    expect(await setting.mails()).toEqual([])
  })

  test('is limited to thirty a minute, over all notifiers', async () => {
    const server = await mailServer()
    const clock = manualClock(new Date())
    const [one, other] = [await start({ SMTP_URL: server.url }, clock), await start({ SMTP_URL: server.url }, clock)]
    expect((await one({ to: 'ada@example.com' })).status).toBe(200)
    await setting.suite.sql(
      `insert into notifier.mails
         (id, event_id, event_at, kind, recipient, reference, data, phase, next_attempt_at, created_at, test)
       select id || each, event_id || each, event_at, kind, recipient, reference, data, phase, next_attempt_at,
         created_at, test
       from notifier.mails, generate_series(1, 19) as each`,
    )
    const requests = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? one : other)({ to: 'ada@example.com' }),
    )
    const responses = await Promise.all(requests)
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10)
    const tooMany = responses.filter(({ status }) => status === 429)
    expect(tooMany).toHaveLength(10)
    expect(Number(tooMany[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect(server.taken).toHaveLength(11)
    await setting.suite.sql(`update notifier.mails set created_at = created_at - interval '61 seconds'`)
    expect((await one({ to: 'ada@example.com' })).status).toBe(200)
  })
})

describe('a test mail', () => {
  let server: MailServer
  let notifier: RunningNotifier
  let send: Awaited<ReturnType<typeof start>>

  beforeAll(async () => {
    server = await createMailServer()
    notifier = await setting.startShared({ SMTP_URL: server.url })
    send = await requestsTo(notifier)
  })
  afterAll(async () => {
    await notifier.stop()
    await server.stop()
  })

  test.each(MailKind.options)('may be of the kind %s', async (event) => {
    const before = server.taken.length
    const response = ResponseBody.parse((await send({ event, to: 'ada@example.com' })).body)
    expect(response.preview['event']).toBe(event)
    expect(server.taken).toHaveLength(before + 1)
  })
})

describe('a test mail gets 502 with the reason when', () => {
  const to = 'ada@example.com'

  test.each<[string, MailServerHooks, string]>([
    ['the recipient is rejected', { recipient: async () => smtpError(550, 'no such user') }, '550 no such user'],
    ['the text is rejected', { message: async () => smtpError(554, 'spam') }, '554 spam'],
    ['the server requests another attempt', { recipient: async () => smtpError(451, 'greylisted') }, '451 greylisted'],
    ['the server is busy', { greeting: async () => smtpError(421, 'busy') }, '421'],
  ])('%s', async (_what, hooks, response) => {
    const server = await mailServer(hooks)
    const send = await start({ SMTP_URL: server.url })
    const { status, code, detail } = rejected(await send({ to }))
    expect([status, code]).toEqual([502, 'send_failed'])
    expect(JSON.stringify(detail)).toContain(response)
    const mails = await setting.suite.sql('select phase, bounced, test from notifier.mails')
    expect(mails).toEqual([{ phase: 'failed', bounced: response.startsWith('550'), test: true }])
  })

  test('the password is wrong, without repeating the password', async () => {
    const server = await mailServer({ rejectSignIn: true })
    const send = await start({ SMTP_URL: `smtp://shop:very-secret@127.0.0.1:${server.port}` })
    const { status, detail } = rejected(await send({ to }))
    expect(status).toBe(502)
    expect(JSON.stringify(detail)).toContain('535')
    expect(JSON.stringify(detail)).not.toContain('very-secret')
  })

  test('no server listens, without revealing the address of the host name', async () => {
    setting.shop.notifications = { smtp: { host: 'localhost', port: 9 } }
    const send = await start({})
    const { status, detail } = rejected(await send({ to }))
    expect(status).toBe(502)
    expect(detail).toEqual({ answer: 'ECONNREFUSED: the mail server refuses connections' })
  })

  test('the address is private', async () => {
    setting.shop.notifications = { smtp: { host: 'localhost', port: 25 } }
    const send = await start({ WEBHOOK_ALLOW_PRIVATE: 'false' })
    const { status, detail } = rejected(await send({ to }))
    expect([status, detail]).toEqual([502, { answer: 'localhost leads to a private address' }])
  })

  test('the certificate is invalid', async () => {
    const server = await mailServer({ tls: 'always' })
    setting.shop.notifications = { smtp: { host: '127.0.0.1', port: server.port, secure: true } }
    const send = await start({})
    const { status, detail } = rejected(await send({ to }))
    expect(status).toBe(502)
    expect(JSON.stringify(detail)).toContain('certificate')
  })

  test('the server does not greet', async () => {
    const silent = createServer((socket) => {
      socket.on('error', () => {})
      closing.push(async () => void socket.destroy())
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    closing.push(async () => void silent.close())
    const send = await start({ SMTP_URL: `smtp://127.0.0.1:${portOf(silent.address())}`, SMTP_TIMEOUT_MS: '200' })
    const { status, detail } = rejected(await send({ to }))
    expect(status).toBe(502)
    expect(detail).toEqual({ answer: 'ETIMEDOUT: the mail server does not respond in time' })
  })

  test('the server does not respond to the text before the deadline, and the mail is uncertain', async () => {
    const server = await mailServer({ message: () => new Promise(() => {}) })
    // It waits for eight seconds.
    const send = await start({ SMTP_URL: server.url, POLL_INTERVAL_MS: '5000' })
    const started = performance.now()
    const { status } = rejected(await send({ to }))
    expect(status).toBe(502)
    expect(performance.now() - started).toBeLessThan(60_000)
    expect((await setting.mails()).map((mail) => mail.phase)).toEqual(['uncertain'])
  })
})
