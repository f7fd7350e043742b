import { manualClock } from '@storefront/service/testing'
import { createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { MailRequested, OrderPlaced } from '@storefront/contracts'
import { amount, holdAtRow, lockWaiters, waitFor } from '@storefront/tools/testing'
import type { RunningNotifier } from '../src/start.ts'
import {
  createMailServer,
  createMailServers,
  smtpError,
  subjectsOf,
  type MailServer,
  type MailServerHooks,
} from './mail-server.ts'
import { createSetting, orderPlaced, portOf, type Setting } from './setting.ts'

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
  Object.assign(setting.shop, { version: 1, notifications: {} })
  await setting.suite.sql('delete from notifier.known_settings')
  vi.restoreAllMocks()
})
afterAll(() => setting.stop())

/** An SMTP server that responds line by line, or not at all when `responseTo` returns undefined. */
async function scriptedServer(responseTo: (line: string, count: number) => string | undefined) {
  const sockets = new Set<Socket>()
  const received: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    const sendLine = (line: string) => {
      received.push(line)
      const reply = responseTo(line, received.filter((each) => each === line).length)
      if (reply !== undefined) socket.write(`${reply}\r\n`)
    }
    sendLine('CONNECT')
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) sendLine(line.split(/[ :]/)[0] ?? '')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return { url: `smtp://127.0.0.1:${portOf(server.address())}`, received }
}

const place = (number: string) => setting.publish(OrderPlaced, orderPlaced(number))

const phase: Setting['phase'] = (...of) => setting.phase(...of)

async function responded(text: string) {
  return waitFor(`the reply ${text}`, async () => (await setting.mails()).find((mail) => mail.answer?.includes(text)))
}

/** Creates a function that fails as a database that is shutting down. */
const outage = (result: 'trigger' | 'jsonb') => `
  create function notifier.outage() returns ${result} language plpgsql as $$
    begin raise exception 'shutting down' using errcode = '57P01'; end $$`

async function bounced(): Promise<boolean[]> {
  const rows = await setting.suite.sql<{ bounced: boolean }>('select bounced from notifier.mails order by seq')
  return rows.map((row) => row.bounced)
}

describe('a mail server with a temporary failure', () => {
  test.each<[string, (broken: () => boolean) => MailServerHooks, string]>([
    [
      'greets with 554',
      (broken) => ({ greeting: async () => (broken() ? smtpError(554, 'go away') : undefined) }),
      '554',
    ],
    [
      'greets with 421',
      (broken) => ({ greeting: async () => (broken() ? smtpError(421, 'too busy') : undefined) }),
      '421',
    ],
    [
      'rejects the sender permanently',
      (broken) => ({ sender: async () => (broken() ? smtpError(553, 'not yours') : undefined) }),
      '553',
    ],
    [
      'greylists the recipient',
      (broken) => ({ recipient: async () => (broken() ? smtpError(451, 'greylisted') : undefined) }),
      '451',
    ],
    [
      'shuts down after the data',
      (broken) => ({ message: async () => (broken() ? smtpError(421, 'closing') : undefined) }),
      '421',
    ],
  ])('that %s gets the mail later, once', async (_what, hooks, response) => {
    let broken = true
    const clock = manualClock(new Date())
    const server = await mailServer(hooks(() => broken))
    await setting.start({ SMTP_URL: server.url }, clock)
    await place('SF-1')
    expect((await responded(response)).phase).toBe('queued')
    broken = false
    clock.advance(6001)
    await phase('sent')
    expect(subjectsOf(server)).toEqual(['Order SF-1 received'])
    expect(await bounced()).toEqual([false])
  })

  test.each(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA'])(
    'that stops responding at %s is disconnected, and tried again later',
    async (stage) => {
      const clock = manualClock(new Date())
      const responses: Record<string, string> = {
        CONNECT: '220 here',
        EHLO: '250 here',
        MAIL: '250 ok',
        RCPT: '250 ok',
        DATA: '354 go on',
        '.': '250 taken',
      }
      const server = await scriptedServer((line, count) =>
        line === stage && count === 1 ? undefined : responses[line],
      )
      await setting.start({ SMTP_URL: server.url, SMTP_TIMEOUT_MS: '400' }, clock)
      await place('SF-1')
      expect((await responded('ETIMEDOUT')).phase).toBe('queued')
      expect(server.received).not.toContain('.')
      // On a busy machine an attempt may time out before it reaches the stage, and then there is one more.
      await waitFor('the mail to be sent', async () => {
        clock.advance(60_000)
        return (await setting.mails()).some((mail) => mail.phase === 'sent')
      })
      expect(server.received.filter((line) => line === '.')).toHaveLength(1)
    },
  )

  test('that disconnects in the middle of the data gets the mail again', async () => {
    const clock = manualClock(new Date())
    const server = await mailServer()
    await setting.start({ SMTP_URL: server.url }, clock)
    // A mail is marked as handed over between its body and its end, so a lock on that update stops the mail there.
    const held = await holdAtRow(setting.suite.databaseAdminUrl, {
      table: 'notifier.mails',
      on: 'update',
      when: `new.phase = 'handed-over'`,
      row: 1,
    })
    try {
      await place('SF-1')
      await waitFor('the body of the mail', () => server.started === 1)
      await held.reached()
      server.cut()
      await waitFor('the result to wait for the mark', async () => {
        const waiting = await lockWaiters(setting.suite, 'for update%o.phase')
        return waiting.length === 1
      })
    } finally {
      await held.release()
    }
    expect((await responded('E')).phase).toBe('queued')
    clock.advance(6001)
    await phase('sent')
    expect(subjectsOf(server)).toEqual(['Order SF-1 received'])
    expect(server.seen).toHaveLength(1)
  })
})

test('a result that the database accepts only later is kept, and its mail is not sent twice', async () => {
  const server = await mailServer()
  await setting.start({ SMTP_URL: server.url })
  await setting.suite.sql(`create sequence notifier.attempts_to_note`)
  await setting.suite.sql(`grant usage on sequence notifier.attempts_to_note to public`)
  await setting.suite.sql(`
    create function notifier.reject_first() returns trigger language plpgsql as $$
      begin
        if nextval('notifier.attempts_to_note') = 1 then raise exception 'busy' using errcode = '55P03'; end if;
        return new;
      end $$`)
  await setting.suite.sql(`
    create trigger reject_first before update on notifier.mails for each row
    when (new.phase = 'sent') execute function notifier.reject_first()`)
  try {
    await place('SF-1')
    await phase('sent')
  } finally {
    await setting.suite.sql('drop trigger reject_first on notifier.mails')
    await setting.suite.sql('drop function notifier.reject_first')
    await setting.suite.sql('drop sequence notifier.attempts_to_note')
  }
  expect(server.seen).toHaveLength(1)
})

describe('an address that does not exist', () => {
  let rejects: MailServerHooks = {}
  let server: MailServer
  let notifier: RunningNotifier

  beforeAll(async () => {
    server = await createMailServer({
      recipient: async () => rejects.recipient?.(),
      message: async (count) => rejects.message?.(count),
    })
    notifier = await setting.startShared({ SMTP_URL: server.url })
  })
  afterAll(async () => {
    await notifier.stop()
    server.cut()
    await server.stop()
  })

  test.each([
    [550, 'no such user', true],
    [551, 'user not local', true],
    [553, 'mailbox name not allowed', true],
    [550, '5.1.1 unknown', true],
    [550, '5.7.1 relaying denied', false],
    [552, 'mailbox full', false],
  ])('is rejected with %d %s: the mail fails, and its field bounced is %s', async (code, message, isBounced) => {
    const warned = vi.spyOn(setting.suite.log, 'warn')
    rejects = { recipient: async () => smtpError(code, message) }
    await place('SF-1')
    const [failed] = await phase('failed')
    expect(failed?.answer).toContain(`${code} ${message}`)
    expect(await bounced()).toEqual([isBounced])
    const lines = warned.mock.calls.filter(([, text]) => text === 'a mail bounced')
    expect(lines).toHaveLength(isBounced ? 1 : 0)
    expect(lines.every(([facts]) => JSON.stringify(facts).includes('a…@example.com'))).toBe(true)
    expect(JSON.stringify(warned.mock.calls)).not.toContain('ada@example.com')
  })

  test('is not assumed when the text of the mail is rejected', async () => {
    rejects = { message: async () => smtpError(550, 'looks like spam') }
    await place('SF-1')
    await phase('failed')
    expect(await bounced()).toEqual([false])
  })
})

describe('the settings of the shop', () => {
  test('configure the mail server, the sender and the reply address, in place of the environment', async () => {
    const [operators, merchants] = [await mailServer(), await mailServer()]
    setting.shop.notifications = {
      from: 'Linen & Söhne <hello@linen.example>',
      replyTo: 'care@linen.example',
      smtp: { host: '127.0.0.1', port: merchants.port },
    }
    await setting.start({ SMTP_URL: operators.url })
    await place('SF-1')
    await phase('sent')
    expect(operators.taken).toEqual([])
    const [mail] = merchants.taken
    expect(mail).toMatch(/^From: =\?UTF-8\?.* <hello@linen\.example>\r$/m)
    expect(mail).toContain('Reply-To: care@linen.example\r\n')
    // A long header continues on the next line.
    expect(mail).toMatch(/^Message-ID:\s+<evt_\w+\.orderPlaced@linen\.example>\r$/m)
  })

  test.each(['nobody', 'a@b.example\r\nBcc: c@d.example', ''])(
    'with the sender %j keep the address of the environment',
    async (from) => {
      const server = await mailServer()
      setting.shop.notifications = { from, replyTo: from }
      await setting.start({ SMTP_URL: server.url, MAIL_FROM: 'Shop <shop@example.com>' })
      await place('SF-1')
      await phase('sent')
      expect(server.taken[0]).toContain('From: "Linen & Co" <shop@example.com>\r\n')
      expect(server.taken[0]).not.toMatch(/^(Bcc|Reply-To):/m)
    },
  )

  test('that change during a mail apply to the next one, and the current one stays at its server', async () => {
    let decide = () => {}
    const before = await mailServer({
      message: (count) =>
        count === 1 ? new Promise((resolve) => (decide = () => resolve(undefined))) : Promise.resolve(undefined),
    })
    const after = await mailServer()
    setting.shop.notifications = { smtp: { host: '127.0.0.1', port: before.port } }
    await setting.start({ SMTP_URL: 'smtp://127.0.0.1:9' })
    await place('SF-1')
    await waitFor('the complete mail', () => before.seen.length === 1)
    Object.assign(setting.shop, { version: 2, notifications: { smtp: { host: '127.0.0.1', port: after.port } } })
    let count = 1
    await waitFor('a mail at the new server', async () => {
      await place(`SF-${++count}`)
      return after.taken.length > 0
    })
    expect((await setting.mails())[0]?.phase).toBe('handed-over')
    decide()
    await phase('sent', count)
    const all = [...subjectsOf(before), ...subjectsOf(after)]
    expect(new Set(all).size).toBe(count)
    expect(all).toHaveLength(count)
    expect(subjectsOf(before)).toContain('Order SF-1 received')
  })

  test.each([
    [{ enabled: false }, 'mails about orders are switched off'],
    [{ events: { orderPlaced: false } }, 'mails of the kind orderPlaced are switched off'],
  ])('%j drop the mail about an order, and none about an account', async (notifications, response) => {
    const server = await mailServer()
    setting.shop.notifications = notifications
    await setting.start({ SMTP_URL: server.url })
    await place('SF-1')
    const [dropped] = await phase('dropped')
    expect(dropped?.answer).toBe(response)
    await setting.publish(MailRequested, { kind: 'passwordChanged', to: 'ada@example.com' })
    await phase('sent')
    expect(subjectsOf(server)).toEqual(['Your password was changed'])
  })

  test('that were never received keep the mail waiting', async () => {
    const clock = manualClock(new Date())
    const server = await mailServer()
    // An invalid version makes the reply of catalog useless.
    setting.shop.version = 1.5
    await setting.start({ SMTP_URL: server.url }, clock)
    await place('SF-1')
    expect((await responded('settings')).phase).toBe('queued')
    expect(server.started).toBe(0)
    setting.shop.version = 2
    clock.advance(6001)
    await phase('sent')
  })

  test('are sent to notifier once for each version', async () => {
    const server = await mailServer()
    await setting.start({ SMTP_URL: server.url })
    const before = setting.settingsSent
    for (const number of ['SF-1', 'SF-2', 'SF-3']) {
      await place(number)
      await phase('sent', Number(number.at(-1)))
    }
    expect(setting.settingsSent - before).toBe(1)
    Object.assign(setting.shop, { version: 2, notifications: { from: 'hello@linen.example' } })
    await place('SF-4')
    await phase('sent', 4)
    expect(setting.settingsSent - before).toBe(2)
    expect(server.taken[3]).toContain('From: "Linen & Co" <hello@linen.example>')
  })

  test('that were received once apply while catalog is unavailable, even after a restart', async () => {
    const server = await mailServer()
    setting.shop.notifications = { from: 'hello@linen.example' }
    const first = await setting.start({ SMTP_URL: server.url })
    await place('SF-1')
    await phase('sent')
    await first.stop()
    setting.shop.version = 1.5
    await setting.start({ SMTP_URL: server.url })
    await place('SF-2')
    await phase('sent', 2)
    expect(server.taken[1]).toContain('From: "Linen & Co" <hello@linen.example>')
  })

  test('that the database does not store still apply, and are stored with a later mail', async () => {
    const server = await mailServer()
    const stored = () => setting.suite.sql('select version from notifier.known_settings')
    await setting.start({ SMTP_URL: server.url })
    await setting.suite.sql(outage('trigger'))
    await setting.suite.sql(`
      create trigger outage before insert on notifier.known_settings for each row execute function notifier.outage()`)
    try {
      await place('SF-1')
      await phase('sent')
      expect(await stored()).toEqual([])
    } finally {
      await setting.suite.sql('drop function notifier.outage cascade')
    }
    await place('SF-2')
    await phase('sent', 2)
    expect(await stored()).toEqual([{ version: 1 }])
  })

  test('that neither catalog sends nor the database reads keep the mail waiting', async () => {
    const clock = manualClock(new Date())
    const server = await mailServer()
    setting.shop.version = 1.5
    await setting.start({ SMTP_URL: server.url }, clock)
    await setting.suite.sql('alter table notifier.known_settings rename to hidden_settings')
    try {
      await setting.suite.sql(outage('jsonb'))
      await setting.suite.sql('create view notifier.known_settings as select notifier.outage() as answer')
      await setting.suite.sql('grant select on notifier.known_settings to public')
      await place('SF-1')
      expect((await responded('settings')).phase).toBe('queued')
    } finally {
      await setting.suite.sql('drop function notifier.outage cascade')
      await setting.suite.sql('alter table notifier.hidden_settings rename to known_settings')
    }
    setting.shop.version = 2
    clock.advance(6001)
    await phase('sent')
    expect(server.taken).toHaveLength(1)
  })
})

describe('a mail server of the merchant', () => {
  test.each(['127.0.0.1', 'localhost', '::ffff:127.0.0.1', '2130706433', '0x7f.1'])(
    'at the private address %s is not connected to, and the mail waits',
    async (host) => {
      const server = await mailServer()
      setting.shop.notifications = { smtp: { host, port: server.port } }
      await setting.start({ WEBHOOK_ALLOW_PRIVATE: 'false' })
      await place('SF-1')
      expect((await responded('leads to a private address')).phase).toBe('queued')
      expect(server.started).toBe(0)
    },
  )

  test('may be forbidden a private address, while that of the operator is still allowed', async () => {
    const server = await mailServer()
    await setting.start({ WEBHOOK_ALLOW_PRIVATE: 'false', SMTP_URL: server.url })
    await place('SF-1')
    await phase('sent')
    expect(server.taken).toHaveLength(1)
  })

  test("never gets the operator's password", async () => {
    const tried: unknown[] = []
    const server = await mailServer({
      acceptsPassword: (given) => {
        tried.push(given)
        return false
      },
    })
    setting.shop.notifications = { smtp: { host: '127.0.0.1', port: server.port, user: 'shop' } }
    await setting.start({ SMTP_URL: 'smtp://shop:of-the-operator@127.0.0.1:9' })
    await place('SF-1')
    await waitFor('the attempt', async () => (await setting.mails())[0]?.answer)
    expect(tried).not.toContain('of-the-operator')
  })

  test('with an invalid certificate gets no mail when the settings require TLS', async () => {
    const server = await mailServer({ tls: 'always' })
    setting.shop.notifications = { smtp: { host: '127.0.0.1', port: server.port, secure: true } }
    await setting.start({})
    await place('SF-1')
    expect((await responded('certificate')).phase).toBe('queued')
    expect(server.started).toBe(0)
  })

  test('on this machine gets mails through STARTTLS with any certificate', async () => {
    const server = await mailServer({ tls: 'offered' })
    setting.shop.notifications = { smtp: { host: 'localhost', port: server.port } }
    await setting.start({})
    await place('SF-1')
    await phase('sent')
    expect(server.taken).toHaveLength(1)
  })
})

describe('without NATS', () => {
  test('queued mails are sent with the last known settings', async () => {
    const clock = manualClock(new Date())
    let broken = true
    const server = await mailServer({ greeting: async () => (broken ? smtpError(421, 'too busy') : undefined) })
    setting.shop.notifications = { from: 'hello@linen.example' }
    const first = await setting.start({ SMTP_URL: server.url }, clock)
    await place('SF-1')
    await responded('421')
    await first.stop()
    broken = false
    // After two minutes the mail no longer waits for the link to its order.
    clock.advance(2 * 60_000)
    const alone = await setting.start({ SMTP_URL: server.url, NATS_URL: 'nats://127.0.0.1:9' }, clock)
    await phase('sent')
    expect(server.taken[0]).toContain('From: "Linen & Co" <hello@linen.example>')
    expect(server.taken[0]).not.toContain('token=')
    await alone.stop()
  })
})

describe('many mails', () => {
  test('are sent once each by two notifiers, while some are greylisted and connections break', async () => {
    const COUNT = amount({ quick: 100, long: 300 })
    const clock = manualClock(new Date())
    let requests = 0
    const server = await mailServer({
      recipient: async () => {
        requests++
        // The server has not received the end of any open mail at this point.
        if (requests === 50) server.cut()
        return requests % 7 === 0 ? smtpError(451, 'later') : undefined
      },
    })
    await setting.start({ SMTP_URL: server.url }, clock)
    await setting.start({ SMTP_URL: server.url }, clock)
    await place('SF-0')
    await Promise.all(Array.from({ length: COUNT - 1 }, (_, index) => place(`SF-${index + 1}`)))
    await waitFor('every mail to be settled', async () => {
      // The fifth attempt of a mail is an hour after its fourth.
      clock.advance(60_000)
      const mails = await setting.mails()
      return mails.length === COUNT && mails.every((mail) => mail.phase === 'sent' || mail.phase === 'uncertain')
    })
    const sent = (await setting.mails()).filter((mail) => mail.phase === 'sent').length
    expect(new Set(subjectsOf(server)).size).toBe(server.taken.length)
    // The cut can have lost only the responses about the mails that were in progress: each notifier has eight
    // connections, and one of the sixteen was at its recipient.
    expect(sent).toBeGreaterThanOrEqual(COUNT - 15)
    expect(server.taken.length).toBeGreaterThanOrEqual(sent)
  })
})
