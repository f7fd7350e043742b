import { followRule } from '@storefront/postgres/testing'
import { manualClock } from '@storefront/service/testing'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { replyTo, sendRequest } from '@storefront/messaging'
import { createDatabase } from '@storefront/postgres'
import {
  CustomerDeleted,
  MailRequested,
  newId,
  OrderPlaced,
  PaymentLinkRequested,
  ReadMailLink,
  ReadNotifierPersonalData,
  ReadPaymentLink,
  type AccountMailKind,
} from '@storefront/contracts'
import { builtProgram, waitFor } from '@storefront/tools/testing'
import type { NotifierTables } from '../src/database.ts'
import { RETENTION } from '../src/retention.ts'
import { claimMails } from '../src/mails/mails.queries.ts'
import { deleteMailContents } from '../src/mails/retention.queries.ts'
import { createMailServers, readable, smtpError, subjectsOf } from './mail-server.ts'
import { connect, createSetting, orderPlaced, type Setting } from './setting.ts'

const MAIN = await builtProgram('services/notifier/src/main.ts')
const RETRY_MS = 6001

let setting: Setting
let close: (() => Promise<void>)[]
const { mailServer, stopMailServers } = createMailServers()

beforeAll(async () => {
  setting = await createSetting()
})
beforeEach(() => {
  close = []
})
afterEach(async () => {
  await setting.clear()
  for (const each of close) await each()
  await stopMailServers()
})
afterAll(() => setting.stop())

/** A test double of identity that replies to requests for the links of mails. */
async function identity(read: (confirmationId: string) => { url?: string; expiresAt?: string }) {
  const context = await connect(setting.suite, 'identity')
  const { messaging } = context
  close.push(() => messaging.close())
  const requests: string[] = []
  replyTo(context, ReadMailLink, async ({ confirmationId }) => {
    requests.push(confirmationId)
    return read(confirmationId)
  })
  await (await messaging.opened).flush()
  return { messaging, requests }
}

const request = (
  kind: Exclude<AccountMailKind, 'paymentLink'>,
  more: { customerId?: string; confirmationId?: string; name?: string } = {},
) => setting.publish(MailRequested, { kind, to: 'ada@example.com', ...more })

interface Row {
  event_id: string
  kind: string
  recipient: string
  reference: string
  data: unknown
  phase: string
  attempts: number
  answer: string | null
}
const rows = () => setting.suite.sql<Row>('select * from notifier.mails order by seq')

async function phase(wanted: string, count = 1) {
  return waitFor(`${count} mails that are ${wanted}`, async () => {
    const found = (await rows()).filter((mail) => mail.phase === wanted)
    return found.length >= count ? found : undefined
  })
}

/** The connection forbids most plans, so that the database repeats the subquery of `in` for every row, as it may. */
test('a worker claims no more mails than it requested, however the database plans its statement', async () => {
  const { suite } = setting
  const url = suite.databaseUrl('notifier')
  const db = createDatabase<NotifierTables>({ url, poolSize: 1, name: 'test', log: suite.log })
  close.push(() => db.destroy())
  await suite.sql(
    `insert into notifier.mails (id, event_id, kind, recipient, reference, data, event_at, next_attempt_at, created_at)
     select 'mail_' || i, 'evt_' || i, 'passwordChanged', 'ada@example.com', 'evt', '{}', now(), now(), now()
     from generate_series(1, 5) i`,
  )
  for (const way of ['hashjoin', 'mergejoin', 'material', 'hashagg', 'sort']) {
    await sql`set ${sql.raw(`enable_${way}`)} to off`.execute(db)
  }
  const claim = { limit: 2, worker: 'test', leaseMs: 60_000, now: new Date(Date.now() + 60_000) }
  expect(await claimMails(db, claim)).toHaveLength(2)
  expect(await claimMails(db, claim)).toHaveLength(2)
  expect(await claimMails(db, claim)).toHaveLength(1)
})

describe('a mail with a link', () => {
  test('contains the current link from identity, and neither the table nor the log contains it', async () => {
    const url = 'http://shop.example/confirm?token=a-secret-of-the-reader'
    await identity(() => ({ url, expiresAt: '2026-11-22T16:57:00.000Z' }))
    const server = await mailServer({
      message: (count) =>
        Promise.resolve(count === 1 ? smtpError(451, `5.7.1 we do not like ${url} in a mail`) : undefined),
    })
    const env = { PATH: process.env['PATH'] ?? '', ...setting.env({ SMTP_URL: server.url, LOG_LEVEL: 'trace' }) }
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    close.unshift(async () => void child.kill('SIGKILL'))
    let log = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (log += part.toString()))
    await request('passwordReset', { confirmationId: 'conf_1', name: 'Ada', customerId: 'cus_1' })
    await waitFor('the rejection', async () => (await rows())[0]?.answer ?? undefined)
    expect(JSON.stringify(await rows())).toContain('451 5.7.1 we do not like [left out]')
    await setting.suite.sql('update notifier.mails set next_attempt_at = now()')
    await phase('sent')
    child.kill('SIGTERM')
    // Its last lines may come after its exit.
    await once(child, 'close')

    const [message] = server.taken
    expect(message).toContain('Subject: Choose a new password\r\n')
    expect(message).toContain('To: ada@example.com\r\n')
    expect(readable(message)).toContain(`\r\n\r\n${url}\r\n\r\nThe link works until 22 November 2026 at 16:57 UTC.`)
    expect(readable(message)).toContain(`<a href="${url}"`)
    expect(log).toContain('a mail was sent')
    expect(log).not.toContain('a-secret-of-the-reader')
    const tables = await setting.suite.sql('select * from notifier.mails, notifier.inbox')
    expect(JSON.stringify(tables)).not.toContain('a-secret-of-the-reader')
  })

  test('contains the payment link of a draft order, which orders has', async () => {
    const context = await connect(setting.suite, 'orders')
    close.push(() => context.messaging.close())
    const url = 'http://shop.example/pay/link_secret'
    replyTo(context, ReadPaymentLink, async ({ draftId, linkNumber }) =>
      draftId === 'draft_1' && linkNumber === 2 ? { url, expiresAt: '2026-11-22T16:57:00.000Z' } : {},
    )
    await (await context.messaging.opened).flush()
    const server = await mailServer()
    await setting.start({ SMTP_URL: server.url })
    const of = (linkNumber: number) => ({ draftId: 'draft_1', linkNumber, to: 'ada@example.com', name: 'Ada' })
    await setting.publish(PaymentLinkRequested, of(2))
    await phase('sent')
    const [message] = server.taken
    expect(readable(message)).toContain('has prepared an order for you')
    expect(readable(message)).toContain(`\r\n\r\n${url}\r\n\r\nThe link works until 22 November 2026`)
    expect(readable(message)).toContain('>Review and pay</a>')
    expect(JSON.stringify(await setting.suite.sql('select * from notifier.mails'))).not.toContain('link_secret')
    // A link that another one has replaced.
    await setting.publish(PaymentLinkRequested, of(1))
    await waitFor('the dropped mail', async () => (await rows()).some((row) => row.phase === 'dropped'))
    expect(server.taken).toHaveLength(1)
  })

  test('is not sent when the link is no longer valid', async () => {
    const { requests } = await identity(() => ({}))
    const server = await mailServer()
    await setting.start({ SMTP_URL: server.url })
    await request('emailVerification', { confirmationId: 'conf_used' })
    expect(await phase('dropped')).toMatchObject([{ reference: 'conf_used', attempts: 1 }])
    expect(requests).toEqual(['conf_used'])
    expect(server.started).toBe(0)
  })

  test('waits for identity and for NATS, and is sent with the link that is valid then', async () => {
    const clock = manualClock(new Date())
    const server = await mailServer()
    const alone = await setting.start({ SMTP_URL: server.url }, clock)
    await request('newsletterConfirmation', { confirmationId: 'conf_2' })
    await waitFor('a request without a reply', async () => (await rows())[0]?.answer?.includes('identity'))
    await alone.stop()
    const cut = await setting.start({ SMTP_URL: server.url, NATS_URL: 'nats://127.0.0.1:9' }, clock)
    clock.advance(RETRY_MS)
    await waitFor('an attempt without NATS', async () => (await rows())[0]?.attempts === 2)
    const [waiting] = await phase('queued')
    expect(waiting?.answer).toBe('the link could not be requested: nats is unavailable')
    await cut.stop()

    await identity((id) => ({ url: `http://shop.example/${id}` }))
    clock.advance(4 * RETRY_MS)
    await setting.start({ SMTP_URL: server.url }, clock)
    await phase('sent')
    expect(server.taken).toHaveLength(1)
    expect(readable(server.taken[0])).toContain('http://shop.example/conf_2')
  })

  test('is tried every five minutes while identity is unavailable, however long that has been', async () => {
    const clock = manualClock(new Date())
    await setting.suite.sql(
      `insert into notifier.mails
         (id, event_id, kind, recipient, reference, data, event_at, attempts, next_attempt_at, created_at)
       values ('mail_old', 'evt_old', 'passwordReset', 'ada@example.com', 'conf_9', '{"confirmationId": "conf_9"}',
         now(), 9, now() - interval '1 second', $1)`,
      [clock.now()],
    )
    await setting.start({ SMTP_URL: (await mailServer()).url }, clock)
    const pauseMs = await waitFor('the attempt to end', async () => {
      const [mail] = await setting.suite.sql<{ next_attempt_at: Date }>(
        `select next_attempt_at from notifier.mails where attempts = 10 and phase = 'queued'`,
      )
      return mail && mail.next_attempt_at.getTime() - clock.now().getTime()
    })
    expect(pauseMs).toBeGreaterThan(4 * 60_000)
    expect(pauseMs).toBeLessThanOrEqual(5 * 60_000)
  })

  test('requests a new link at every attempt', async () => {
    let count = 0
    await identity(() => ({ url: `http://shop.example/link-${++count}` }))
    const clock = manualClock(new Date())
    const server = await mailServer({
      message: (seen) => Promise.resolve(seen === 1 ? smtpError(451, 'later') : undefined),
    })
    await setting.start({ SMTP_URL: server.url }, clock)
    await request('emailChange', { confirmationId: 'conf_3' })
    await waitFor('the rejection', async () => (await rows())[0]?.answer?.includes('later'))
    clock.advance(RETRY_MS)
    await phase('sent')
    expect(readable(server.taken[0])).toContain('http://shop.example/link-2')
  })

  test('fails when it names no confirmation, and does not delay other mails', async () => {
    const server = await mailServer()
    await setting.start({ SMTP_URL: server.url })
    await request('passwordReset')
    const id = await request('passwordChanged')
    await phase('failed')
    expect(await phase('sent')).toMatchObject([{ event_id: id, reference: id }])
    expect(subjectsOf(server)).toEqual(['Your password was changed'])
  })
})

describe('a deleted customer', () => {
  test('is removed from sent mails, gets no waiting mail, and gets a mail about the deletion', async () => {
    const clock = manualClock(new Date())
    const server = await mailServer()
    const customerId = newId('customer')
    await setting.start({ SMTP_URL: server.url }, clock)
    await request('passwordChanged', { customerId, name: 'Ada' })
    await setting.publish(OrderPlaced, { ...orderPlaced('SF-1'), customerId })
    const grace = { to: 'grace@example.com', customerId: 'cus_another', name: 'Grace' }
    await setting.publish(MailRequested, { kind: 'emailChanged', ...grace })
    await phase('sent', 3)
    await request('passwordReset', { customerId, confirmationId: 'conf_4' })
    await waitFor('a mail that waits for identity', async () => (await phase('queued'))[0]?.answer ?? undefined)

    await setting.publish(CustomerDeleted, { customerId })
    await request('accountDeleted', { customerId, name: 'Ada' })
    await phase('dropped')
    await phase('sent', 4)
    const mails = new Map((await rows()).map((mail) => [mail.kind, mail]))
    for (const kind of ['passwordChanged', 'orderPlaced', 'passwordReset']) {
      expect(mails.get(kind)).toMatchObject({ recipient: '', data: {}, answer: null })
    }
    expect(mails.get('emailChanged')).toMatchObject({ recipient: 'grace@example.com', data: { name: 'Grace' } })
    expect(subjectsOf(server)).toContain('Your account was deleted')

    // An event from before the deletion that arrives after it must store and send nothing.
    await request('passwordChanged', { customerId, name: 'Ada' })
    await setting.publish(OrderPlaced, { ...orderPlaced('SF-2'), customerId })
    await request('passwordChanged', { customerId: 'cus_another' })
    await phase('sent', 5)
    await setting.publish(OrderPlaced, orderPlaced('SF-3'))
    await phase('sent', 6)
    expect((await rows()).filter((mail) => mail.kind === 'passwordChanged')).toHaveLength(2)
    expect(subjectsOf(server)).not.toContain('Order SF-2 received')

    const { suite } = setting
    const url = suite.databaseUrl('notifier')
    const db = createDatabase<NotifierTables>({ url, poolSize: 1, name: 'test', log: suite.log })
    close.push(() => db.destroy())
    await followRule(RETENTION['contents of old mails'], { db, clock, log: suite.log })
    const left = (await rows()).filter((mail) => mail.recipient !== '').map((mail) => mail.kind)
    expect(left.toSorted()).toEqual(['emailChanged', 'orderPlaced', 'passwordChanged'])
    const tomorrow = new Date(Date.now() + 24 * 3_600_000)
    expect(await deleteMailContents(db, tomorrow, 2)).toBe(2)
  })

  test('leaves no address in the log: not that of guest orders, the newsletter or the final mail', async () => {
    const server = await mailServer()
    const customerId = newId('customer')
    await setting.start({ SMTP_URL: server.url })
    // The guest order names no customer, and one of the other mails belongs to another account.
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await request('passwordChanged', { customerId })
    await request('passwordChanged', { customerId: 'cus_another' })
    await phase('sent', 3)
    await request('newsletterConfirmation', { confirmationId: 'conf_of_ada' })
    await waitFor('a mail that waits for identity', async () => (await phase('queued'))[0]?.answer ?? undefined)
    await setting.publish(CustomerDeleted, { customerId })
    await request('accountDeleted', { name: 'Ada' })
    await phase('dropped')
    await phase('sent', 4)
    expect(subjectsOf(server)).toContain('Your account was deleted')
    const text = JSON.stringify(await setting.suite.sql('select m::text as row from notifier.mails m'))
    expect(text).not.toContain('ada@example.com')
    expect(text).not.toContain('Ada')

    // A later order of the same person belongs to a new customer or to a guest.
    await setting.publish(OrderPlaced, orderPlaced('SF-2'))
    await phase('sent', 5)
    expect((await rows()).filter(({ recipient }) => recipient === 'ada@example.com')).toHaveLength(1)
  })

  test('does not get a mail that is still being sent', async () => {
    const customerId = newId('customer')
    let accept = () => {}
    const server = await mailServer({
      recipient: () => new Promise((resolve) => (accept = () => resolve(undefined))),
    })
    await setting.start({ SMTP_URL: server.url })
    await request('passwordChanged', { customerId })
    await phase('connecting')
    await setting.publish(CustomerDeleted, { customerId })
    await phase('dropped')
    await waitFor('the connection to break', () => {
      accept()
      return server.broken === 1
    })
    expect(server.seen).toEqual([])
  })

  test('is removed from a mail that was handed over, and the mail is not retried', async () => {
    const customerId = newId('customer')
    let decide = () => {}
    const server = await mailServer({
      message: () => new Promise((resolve) => (decide = () => resolve(smtpError(451, 'ada@example.com: later')))),
    })
    await setting.start({ SMTP_URL: server.url })
    await request('passwordChanged', { customerId })
    await waitFor('the complete mail', () => server.seen.length === 1)
    await setting.publish(CustomerDeleted, { customerId })
    await waitFor('the address to be deleted', async () => (await rows())[0]?.recipient === '')
    decide()
    expect(await phase('dropped')).toMatchObject([{ recipient: '', data: {}, answer: null }])
  })
})

describe('the personal data of a customer', () => {
  test('is sent to identity in pages that fit into a reply', async () => {
    const { messaging } = await identity(() => ({}))
    await setting.start({})
    const customerId = newId('customer')
    const insert = (count: number, recipient: string, owner: string) =>
      setting.suite.sql(
        `insert into notifier.mails
          (id, event_id, kind, recipient, reference, customer_id, data, event_at, phase, next_attempt_at, created_at)
        select $2 || i, $2 || i, 'passwordChanged', $1, 'evt', $2, '{}', '2026-03-02T10:00:00Z', 'sent', now(), now()
        from generate_series(1, ${count}) as i`,
        [recipient, owner],
      )
    await insert(900, `${'ä'.repeat(300)}@example.com`, customerId)
    await insert(3, 'grace@example.com', 'cus_other')
    const records: unknown[] = []
    const sizes: number[] = []
    let after: string | undefined
    do {
      const request = { customerId, ...(after === undefined ? {} : { after }) }
      const page = await waitFor('a reply', () => sendRequest(messaging, ReadNotifierPersonalData, request))
      records.push(...page.records)
      sizes.push(Buffer.byteLength(JSON.stringify(page)))
      after = page.next
    } while (after !== undefined)
    expect(records).toHaveLength(900)
    expect(records[0]).toEqual({
      kind: 'mail',
      record: {
        kind: 'passwordChanged',
        at: '2026-03-02T10:00:00.000Z',
        phase: 'sent',
        recipient: `${'ä'.repeat(300)}@example.com`,
      },
    })
    expect(sizes.length).toBeGreaterThan(2)
    expect(Math.max(...sizes)).toBeLessThan(256 * 1024)
    expect(await sendRequest(messaging, ReadNotifierPersonalData, { customerId: 'cus_unknown' })).toEqual({
      records: [],
    })
    await expect(sendRequest(messaging, ReadNotifierPersonalData, { customerId, after: 'x' })).rejects.toThrow(
      'does not exist',
    )
  })
})
