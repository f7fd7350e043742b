import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ErrorBody, MailRequested, OrderPlaced } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { createMailServer, smtpError, type MailServer } from './mail-server.ts'
import { createSetting, orderPlaced, type Setting } from './setting.ts'

const Log = z.object({
  items: z.array(z.looseObject({ id: z.string(), reference: z.string(), status: z.string() })),
  total: z.int(),
})

let setting: Setting
let server: MailServer
let rejecting: boolean

beforeAll(async () => {
  setting = await createSetting()
})
beforeEach(async () => {
  rejecting = true
  server = await createMailServer({
    // The server rejects recipients only while a test wants it to.
    recipient: async () => (rejecting ? smtpError(550, 'no such user') : undefined),
  })
})
afterEach(async () => {
  await setting.clear()
  await server.stop()
})
afterAll(() => setting.stop())

async function start() {
  const { app } = await setting.start({ SMTP_URL: server.url })
  const headers = (...permissions: ('orders:read' | 'settings:write' | 'catalog:read')[]) =>
    setting.suite.headers.admin(permissions)
  return {
    list: async (query = '') => {
      const response = await app.inject({ url: `/admin/notifications${query}`, headers: headers('orders:read') })
      expect(response.statusCode).toBe(200)
      return Log.parse(response.json())
    },
    listAs: async (permission: 'catalog:read') =>
      (await app.inject({ url: '/admin/notifications', headers: headers(permission) })).statusCode,
    listAnonymously: async () => (await app.inject({ url: '/admin/notifications' })).statusCode,
    listWrongly: async (query: string) =>
      (await app.inject({ url: `/admin/notifications${query}`, headers: headers('orders:read') })).statusCode,
    resend: async (id: string, permission: 'orders:read' | 'settings:write' = 'settings:write') => {
      const url = `/admin/notifications/${id}/resend`
      const response = await app.inject({ method: 'POST', url, headers: headers(permission) })
      const code = response.statusCode === 200 ? undefined : ErrorBody.parse(response.json()).code
      return { status: response.statusCode, code }
    },
  }
}

async function settled(count: number) {
  return waitFor(`${count} settled mails`, async () => {
    const mails = await setting.mails()
    return mails.length === count && mails.every((mail) => mail.phase === 'sent' || mail.phase === 'failed')
  })
}

describe('GET /admin/notifications', () => {
  test("shows the mails and the mail server's responses to admins who may read orders", async () => {
    const { list, listAs, listAnonymously, listWrongly } = await start()
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await settled(1)
    rejecting = false
    await setting.publish(OrderPlaced, orderPlaced('SF-2', { email: 'Grace@m\u00fcnchen.example' }))
    await settled(2)
    await setting.publish(MailRequested, { kind: 'passwordChanged', to: 'ada@example.com' })
    await settled(3)

    const all = await list()
    expect(all.total).toBe(3)
    expect(all.items[1]).toMatchObject({
      kind: 'orderPlaced',
      to: 'grace@xn--mnchen-3ya.example',
      reference: 'SF-2',
      status: 'sent',
    })
    expect(all.items[2]).toEqual({
      id: all.items[2]?.id,
      kind: 'orderPlaced',
      to: 'ada@example.com',
      reference: 'SF-1',
      status: 'failed',
      attempts: 1,
      answer: '550 no such user',
      bounced: true,
      test: false,
      nextAttemptAt: null,
      at: expect.any(String),
      settledAt: expect.any(String),
    })
    const references = async (query: string) => (await list(query)).items.map((mail) => mail.reference)
    expect(await references('?bounced=true')).toEqual(['SF-1'])
    expect(await references('?resendable=true')).toEqual(['SF-1'])
    expect(await references('?status=sent&kind=orderPlaced')).toEqual(['SF-2'])
    expect(server.taken[0]).toContain('\r\nTo: grace@xn--mnchen-3ya.example\r\n')
    for (const spelling of ['grace@mu\u0308nchen.EXAMPLE', 'GRACE@XN--MNCHEN-3YA.example']) {
      expect(await references(`?to=${encodeURIComponent(spelling)}`)).toEqual(['SF-2'])
    }
    expect(await references(`?to=${encodeURIComponent('ada@ex\u0430mple.com')}`)).toEqual([])
    expect(await references('?order=SF-1')).toEqual(['SF-1'])
    expect(await references('?order=SF-3')).toEqual([])
    expect(await references('?page=2&per_page=1')).toEqual(['SF-2'])
    expect((await list('?bounced=false')).total).toBe(2)
    expect((await list('?status=&kind=&bounced=&resendable=&to=&order=')).total).toBe(3)
    expect(await listWrongly('?status=lost')).toBe(422)
    expect(await listAs('catalog:read')).toBe(403)
    expect(await listAnonymously()).toBe(401)
  })
})

test('the log is counted up to ten thousand', async () => {
  const { list } = await start()
  await setting.suite.sql(`
    insert into notifier.mails (id, event_id, event_at, kind, recipient, reference, data, next_attempt_at, phase, created_at)
    select 'mail_' || n, 'evt_' || n, now(), 'orderPlaced', '', 'SF-' || n, '{}', now(), 'sent', now()
    from generate_series(1, 10001) n`)
  for (const query of ['?per_page=1', '?status=sent&kind=orderPlaced&bounced=false&per_page=1&page=10001'])
    expect(await list(query)).toMatchObject({ total: 10_000, items: [{ status: 'sent' }] })
})

describe('POST /admin/notifications/:id/resend', () => {
  test('retries a failed mail for another day, once', async () => {
    const { list, resend } = await start()
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await settled(1)
    const id = (await list()).items[0]?.id ?? ''
    rejecting = false
    // A mail that is older than a day would be given up at its next failure.
    await setting.suite.sql(`update notifier.mails set created_at = created_at - interval '25 hours'`)
    expect((await resend(id, 'orders:read')).status).toBe(403)
    const both = await Promise.all([resend(id), resend(id)])
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    await waitFor('the mail', () => server.taken.length === 1)
    await waitFor('the mail to be recorded as sent', async () => (await list('?status=sent')).total === 1)
    expect((await list('?bounced=true')).total).toBe(0)
    expect(await resend(id)).toEqual({ status: 409, code: 'invalid_transition' })
    expect(server.taken).toHaveLength(1)
  })

  test('never repeats a mail that may have arrived, was dropped or is deleted', async () => {
    const { list, resend } = await start()
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await settled(1)
    const id = (await list()).items[0]?.id ?? ''
    for (const change of [
      `phase = 'uncertain'`,
      `phase = 'dropped'`,
      `phase = 'failed', recipient = '', data = '{}'`,
    ]) {
      await setting.suite.sql(`update notifier.mails set ${change}`)
      expect(await resend(id)).toEqual({ status: 409, code: 'invalid_transition' })
      expect((await list('?resendable=true')).total).toBe(0)
    }
    expect(await resend('mail_none')).toEqual({ status: 404, code: 'not_found' })
  })
})
