import { createLog, DependencyUnavailable, systemClock } from '@storefront/service'
import { expect, test } from 'vitest'
import { prepareMail } from './prepare-mail.ts'

const unused = () => Promise.reject(new Error('no link is needed'))
const failing = (reason: unknown) => ({
  log: createLog({ service: 'test', level: 'silent' }),
  clock: systemClock,
  settings: { read: () => Promise.reject(reason) },
  mailFrom: 'shop@example.com',
  readLink: unused,
  readPaymentLink: unused,
  orderPages: { open: unused, bare: String },
  alertPages: { product: String, links: unused },
  publicUrl: 'http://localhost',
})
const at = new Date('2026-03-02T10:00:00.000Z')
const mail = {
  id: 'mail_1',
  event_id: 'evt_1',
  event_at: at,
  kind: 'passwordChanged',
  recipient: 'ada@example.com',
  reference: 'evt_1',
  data: {},
  attempts: 1,
  created_at: at,
  traceparent: null,
}

test.each([
  ['the connection is lost', new Error('Connection terminated unexpectedly')],
  ['the server shuts down', Object.assign(new Error('terminating connection'), { code: '57P01' })],
  ['no server listens', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['a lock is not free in time', Object.assign(new Error('canceling statement'), { code: '55P03' })],
  ['a statement takes too long', Object.assign(new Error('canceling statement'), { code: '57014' })],
  ['a service is down', new DependencyUnavailable('catalog')],
])('a mail waits when %s', async (_what, error) => {
  expect(await prepareMail(mail, failing(error))).toMatchObject({ kind: 'not yet' })
})

test('a mail that cannot be written at all is given up', async () => {
  expect(await prepareMail(mail, failing(new TypeError('x is undefined')))).toMatchObject({ kind: 'impossible' })
})
