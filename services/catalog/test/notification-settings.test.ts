import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { amount, createSuite, waitForLock, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { ReadNotificationSettings } from '@storefront/contracts'
import { sendRequest } from '@storefront/messaging'
import { startFakeCart, type FakeCart } from './cart.ts'
import { fill, importCatalogue, sendAsAdmin, startTestCatalog } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog
let cart: FakeCart

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  cart = await startFakeCart(suite)
})
afterAll(async () => {
  await cart.stop()
  await suite.stop()
})
const reset = () => fill(catalog.app, suite, { mode: 'replace', settings: {} })

const admin = (method: 'GET' | 'PATCH' | 'POST', url: string, payload?: Record<string, unknown>) =>
  sendAsAdmin(catalog.app, suite, method, url, payload)
const save = (notifications: unknown) => admin('PATCH', '/admin/storefront', { notifications })
const rejected = async (notifications: unknown): Promise<string[]> => {
  const { status, body } = await save(notifications)
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'validation_failed' })
  return body.detail.issues.map((issue: { path: string }) => issue.path)
}

const sound = {
  enabled: true,
  from: 'Linen & Sons <shop@example.com>',
  replyTo: 'help@example.com',
  smtp: { host: 'mail.example.com', port: 587, secure: false, user: 'shop' },
  events: { shipped: false },
  templates: {
    shipped: { subject: 'Gone: {{ order.number }}', html: '<p>{{ order.total }}</p>' },
    passwordReset: { text: 'Bonjour' },
  },
}

test('notifier gets the mail settings once for each version', async () => {
  await reset()
  const notifier = await suite.openMessaging('notifier')
  const { version } = (await save(sound)).body
  const request = (knownVersion?: number) => sendRequest(notifier, ReadNotificationSettings, { knownVersion })
  expect(await request()).toMatchObject({ version, notifications: sound })
  expect(await request(version)).toEqual({ version, isUnchanged: true })
  expect(await request(version - 1)).toMatchObject({ version, notifications: sound })
  await save({ from: 'other@example.com' })
  expect(await request(version)).toMatchObject({ version: version + 1, notifications: { from: 'other@example.com' } })
  await admin('PATCH', '/admin/storefront', { commerce: { timeZone: 'Asia/Kolkata' } })
  expect(await request()).toMatchObject({ timeZone: 'Asia/Kolkata' })
})

describe('one change of the mail settings', () => {
  beforeAll(reset)

  test.each([
    'shop@example.com',
    '"Linen, Sons & Co." <shop@example.com>',
    'Atelier für Öl <shop@example.com>',
    '<shop@example.com>',
  ])('may name the sender %s', async (from) => {
    expect((await save({ from, replyTo: from })).status).toBe(200)
  })

  test.each(['localhost', '127.0.0.1', '::1', 'mail_1.internal', 'smtp.example.com'])(
    'may name the host %s',
    async (host) => {
      expect((await save({ smtp: { host } })).status).toBe(200)
    },
  )

  test.each([
    'shop',
    'a@example.com, b@example.com',
    'A <a@example.com>, B <b@example.com>',
    'Shop <a@example.com> x',
    'group: a@example.com;',
    'A, B <a@example.com>',
    'a@example.com <b@example.com>',
    '"A" B" <a@example.com>',
    'Shop <a@example.com>\r\nBcc: b@example.com',
    'Shop\n<a@example.com>',
  ])('cannot have the sender %j', async (line) => {
    expect(await rejected({ from: line, replyTo: line })).toEqual(['notifications.from', 'notifications.replyTo'])
  })

  test.each<[string, unknown, string[]]>([
    ['an invalid host', { smtp: { host: 'https://mail.example.com/' } }, ['notifications.smtp.host']],
    ['a host of two lines', { smtp: { host: 'mail\r\nQUIT' } }, ['notifications.smtp.host']],
    ['a host with a name and a password', { smtp: { host: 'a:b@mail.example.com' } }, ['notifications.smtp.host']],
    ['a user of two lines', { smtp: { host: 'mail', user: 'a\r\nQUIT' } }, ['notifications.smtp.user']],
    ['a password', { smtp: { host: 'mail', pass: 'x' } }, ['notifications.smtp.pass']],
    [
      'a password where credentials are rejected',
      { smtp: { host: 'mail' }, smtpPassword: 'x' },
      ['notifications.smtpPassword'],
    ],
    ['an unknown transport', { transport: 'endpoint' }, ['notifications.transport']],
    ['an invalid port', { smtp: { host: 'mail', port: 0 } }, ['notifications.smtp.port']],
    ['an invalid switch', { events: { shipped: 'no' } }, ['notifications.events.shipped']],
    ['a template for a mail that is not sent', { templates: { nonsense: {} } }, ['notifications.templates.nonsense']],
    [
      'a template that does not parse',
      { templates: { shipped: { html: '{% if %}' } } },
      ['notifications.templates.shipped.html'],
    ],
    [
      'a subject of two lines',
      { templates: { shipped: { subject: 'a\r\nBcc: b' } } },
      ['notifications.templates.shipped.subject'],
    ],
    [
      'a template that is too long',
      { templates: { shipped: { text: 'x'.repeat(20_001) } } },
      ['notifications.templates.shipped.text'],
    ],
    [
      'a picture beside the link of an account',
      { templates: { passwordReset: { html: "<img src='//evil.example?" } } },
      ['notifications.templates.passwordReset.html'],
    ],
  ])('cannot have %s', async (_fault, notifications, paths) => {
    expect(await rejected(notifications)).toEqual(paths)
  })

  test('cannot have a switch for a mail that is not sent', async () => {
    const payload = { notifications: { events: { shiped: false } } }
    const headers = suite.headers.admin()
    const reply = await catalog.app.inject({ method: 'PATCH', url: '/admin/storefront', headers, payload })
    expect(reply.statusCode).toBe(422)
    expect(reply.json()).toMatchObject({
      code: 'unknown_field',
      message: 'Unknown field `notifications.events.shiped`. Did you mean `notifications.events.shipped`?',
    })
  })

  test('is rejected in an import as well', async () => {
    const settings = { notifications: { from: 'nobody', templates: { shipped: { text: '{{' } } } }
    const { statusCode, body } = await importCatalogue(catalog.app, suite, { mode: 'merge', settings })
    expect(statusCode).toBe(422)
    expect(body).toContain('settings.notifications.from')
    expect(body).toContain('settings.notifications.templates.shipped.text')
  })
})

describe('the mail settings', () => {
  beforeEach(reset)

  test('are stored for the merchant, and shown to no shopper', async () => {
    const { status, body } = await save(sound)
    expect(status).toBe(200)
    expect(body.notifications).toEqual(sound)
    expect((await admin('GET', '/admin/storefront')).body.notifications).toEqual(sound)
    const version = await admin('GET', `/admin/storefront/versions/${body.version}`)
    expect(version.body.configuration.notifications).toEqual(sound)
    const exported = await catalog.app.inject({ url: '/admin/export', headers: suite.headers.admin() })
    expect(exported.payload).toContain('Gone: {{ order.number }}')
    for (const url of ['/storefront', '/bootstrap']) {
      const shown = await catalog.app.inject({ url })
      expect(shown.statusCode).toBe(200)
      expect(shown.body).not.toContain('notifications')
      expect(shown.body).not.toContain('example.com')
    }
  })

  test('are restored with an old version, and by an import', async () => {
    const { version } = (await save(sound)).body
    await save(null)
    expect((await admin('GET', '/admin/storefront')).body.notifications).toBeNull()
    const restored = await admin('POST', `/admin/storefront/versions/${version}/restore`)
    expect(restored.body.notifications).toEqual(sound)
    await save(null)
    await importCatalogue(catalog.app, suite, { mode: 'merge', settings: { notifications: sound } })
    expect((await admin('GET', '/admin/storefront')).body.notifications).toEqual(sound)
  })

  test('are checked before the settings are locked: a template that does not terminate delays no other writer', async () => {
    const endless = '{% for a in (1..90000) %}{% for b in (1..9) %}{% endfor %}{% endfor %}'.repeat(200)
    const kinds = amount({ quick: ['orderPlaced'], long: ['orderPlaced', 'shipped', 'refunded'] })
    const templates = Object.fromEntries(kinds.map((kind) => [kind, { text: endless }]))
    // Work that the save does before it waits for the locked settings is not done while it holds their lock.
    await suite.sql('begin')
    await suite.sql('select 1 from catalog.settings for update')
    const start = performance.eventLoopUtilization()
    const slow = save({ templates })
    await waitForLock(suite, 'settings')
    const requests = performance.eventLoopUtilization()
    await suite.sql('commit')
    expect((await slow).status).toBe(422)
    const ended = performance.eventLoopUtilization()
    const worked = [
      performance.eventLoopUtilization(requests, start),
      performance.eventLoopUtilization(ended, requests),
    ]
    expect(worked[0]?.active).toBeGreaterThan(worked[1]?.active ?? Infinity)
  })

  test('in force do not block other changes, whatever rules they were saved under', async () => {
    const notifications = { templates: { shipped: { text: '{{ order.number | gone }}' } } }
    await suite.sql('update catalog.settings set document = $1', [JSON.stringify({ notifications })])
    expect((await admin('PATCH', '/admin/storefront', { store: { name: 'Linen' } })).status).toBe(200)
    expect(await rejected({ templates: { shipped: { text: '{{ order.id | gone }}' } } })).toEqual([
      'notifications.templates.shipped.text',
    ])
  })

  test('lose only their invalid parts when they were stored under other rules', async () => {
    const stored = {
      notifications: {
        ...sound,
        replyTo: 5,
        smtp: { host: 'mail.example.com', port: 'x' },
        events: { shipped: false, nonsense: true, refunded: 'no' },
        templates: { shipped: { subject: 5, text: 'Gone' }, cancelled: 'x' },
      },
    }
    await suite.sql('update catalog.settings set document = $1', [JSON.stringify(stored)])
    expect((await admin('GET', '/admin/storefront')).body.notifications).toEqual({
      enabled: true,
      from: sound.from,
      smtp: { host: 'mail.example.com' },
      events: { shipped: false, nonsense: true },
      templates: { shipped: { text: 'Gone' } },
    })
  })
})
