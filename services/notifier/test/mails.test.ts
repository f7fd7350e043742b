import { manualClock } from '@storefront/service/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { OrderPlaced } from '@storefront/contracts'
import { amount, waitFor } from '@storefront/tools/testing'
import { createMailServers, smtpError, subjectsOf, type MailServerHooks } from './mail-server.ts'
import { createReceiver, createSetting, orderPlaced, type Receiver, type Setting } from './setting.ts'

let setting: Setting
let receiver: Receiver
const { mailServer, stopMailServers } = createMailServers()

beforeAll(async () => {
  setting = await createSetting()
  receiver = await createReceiver()
})
afterEach(async () => {
  await setting.clear()
  setting.shop.notifications = {}
  await stopMailServers()
})
afterAll(async () => {
  await setting.stop()
  await receiver.stop()
})

const env = (more: Record<string, string>) => ({ STOREFRONT_URL: receiver.url, ...more })

const phase: Setting['phase'] = (...of) => setting.phase(...of)

describe('a placed order', () => {
  test('is mailed to its buyer, with a Message-ID made of the event id', async () => {
    const server = await mailServer()
    await setting.start(env({ SMTP_URL: server.url }))
    const id = await setting.publish(OrderPlaced, orderPlaced('SF-10001'))
    await phase('sent')
    const text = server.taken[0]?.replaceAll('\r\n ', ' ')
    expect(text).toContain('Subject: Order SF-10001 received\r\n')
    expect(text).toContain('To: ada@example.com\r\n')
    expect(text).toContain(`Message-ID: <${id}.orderPlaced@example.com>\r\n`)
    expect(text).toContain('Total: $326.59')
    expect(text).toContain('12 Analytical Row')
  })

  test('waits while no mail server is configured, which is logged, and is sent when the merchant sets one', async () => {
    const warned = vi.spyOn(setting.suite.log, 'warn')
    const clock = manualClock(new Date())
    await setting.start(env({}), clock)
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('SMTP_URL is not set'))
    warned.mockRestore()
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    const response = await waitFor('the reason', async () => (await setting.mails())[0]?.answer ?? undefined)
    expect(response).toBe('no mail server is configured: set notifications.smtp, or SMTP_URL')
    expect(await phase('queued')).toHaveLength(1)
    const server = await mailServer()
    setting.shop.version++
    setting.shop.notifications = { smtp: { host: '127.0.0.1', port: server.port } }
    clock.advance(6001)
    await phase('sent')
    expect(server.taken).toHaveLength(1)
  })

  test('has its mail recorded even when the outcome of another mail cannot be recorded', async () => {
    await setting.suite.sql(`
      create function notifier.reject_update() returns trigger language plpgsql as $$
        begin raise 'not this one'; end $$`)
    await setting.suite.sql(`
      create trigger reject_update before update on notifier.mails for each row
      when (new.phase = 'sent' and new.reference = 'SF-7') execute function notifier.reject_update()`)
    try {
      const server = await mailServer()
      await setting.start(env({ SMTP_URL: server.url }))
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => setting.publish(OrderPlaced, orderPlaced(`SF-${index}`))),
      )
      await phase('sent', 19)
      const unsent = await setting.suite.sql(`select reference from notifier.mails where phase <> 'sent'`)
      expect(unsent).toEqual([{ reference: 'SF-7' }])
    } finally {
      await setting.suite.sql('drop trigger reject_update on notifier.mails')
      await setting.suite.sql('drop function notifier.reject_update')
    }
  })

  test('is mailed once through the mail server, however often its event arrives', async () => {
    const server = await mailServer()
    await setting.start(env({ SMTP_URL: server.url }))
    const id = await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await setting.publish(OrderPlaced, orderPlaced('SF-1'), id)
    await setting.publish(OrderPlaced, orderPlaced('SF-2'))
    await phase('sent', 2)
    expect(server.taken).toHaveLength(2)
    expect(server.taken.filter((text) => text.includes(`<${id}.orderPlaced@example.com>`))).toHaveLength(1)
    expect(await setting.mails()).toHaveLength(2)
  })

  test('is mailed once by two notifiers', async () => {
    // More than the connections of both.
    const orders = amount({ quick: 24, long: 60 })
    const server = await mailServer()
    await setting.start(env({ SMTP_URL: server.url }))
    await setting.start(env({ SMTP_URL: server.url }))
    await Promise.all(
      Array.from({ length: orders }, (_, index) => setting.publish(OrderPlaced, orderPlaced(`SF-${index}`))),
    )
    await phase('sent', orders)
    const subjects = subjectsOf(server)
    expect(subjects).toHaveLength(orders)
    expect(new Set(subjects).size).toBe(orders)
  })
})

describe('a notifier that was blocked for so long that another one took its claim', () => {
  const changeMails = (change: string) => setting.suite.sql(`update notifier.mails set ${change}`)
  const GIVEN_UP = `phase = 'uncertain', lease_until = null, settled_at = now()`

  test('does not send the mail', async () => {
    let accept = () => {}
    const server = await mailServer({
      recipient: () => new Promise((resolve) => (accept = () => resolve(undefined))),
    })
    const notifier = await setting.start(env({ SMTP_URL: server.url }))
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await phase('connecting')
    await waitFor('the first data', async () => {
      await changeMails(`leased_by = 'another', lease_until = now() + interval '1 hour'`)
      accept()
      return server.started === 1
    })
    await notifier.stop()
    expect(server.seen).toEqual([])
    expect((await setting.mails()).map((mail) => mail.phase)).toEqual(['connecting'])
  })

  test.each([
    ['was accepted', undefined, 'sent'],
    ['was rejected permanently', smtpError(550, 'no'), 'failed'],
    ['should be sent later', smtpError(451, 'later'), 'uncertain'],
  ])('gets the response too late that the mail %s, and records its outcome', async (_what, response, wanted) => {
    let decide = () => {}
    const server = await mailServer({ message: () => new Promise((resolve) => (decide = () => resolve(response))) })
    const notifier = await setting.start(env({ SMTP_URL: server.url }))
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await phase('handed-over')
    await waitFor('the complete mail', () => server.seen.length === 1)
    await changeMails(GIVEN_UP)
    decide()
    await notifier.stop()
    expect((await setting.mails()).map((mail) => mail.phase)).toEqual([wanted])
  })
})

describe('a notifier whose claim is lost because the database crashed', () => {
  const lose = (dueIn: string) =>
    setting.suite.sql(`
      update notifier.mails set phase = 'queued', attempts = 0, leased_by = null, lease_until = null,
        next_attempt_at = now() + interval '${dueIn}'`)

  async function startHeldUp(hooks: MailServerHooks = {}) {
    const held: (() => void)[] = []
    const recipient = () => new Promise<undefined>((resolve) => held.push(() => resolve(undefined)))
    const server = await mailServer({ ...hooks, recipient })
    const notifier = await setting.start(env({ SMTP_URL: server.url }))
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await phase('connecting')
    const acceptUntil = (name: string, isDone: () => boolean | Promise<boolean>) =>
      waitFor(name, () => {
        for (const accept of held.splice(0)) accept()
        return isDone()
      })
    return { server, notifier, acceptUntil }
  }

  test('sends the mail once, although it claimed it again before it was sent', async () => {
    const { promise: decided, resolve: decide } = Promise.withResolvers<undefined>()
    const { server, notifier, acceptUntil } = await startHeldUp({ message: () => decided })
    await lose('0 seconds')
    await phase('connecting')
    await acceptUntil('the complete mail', () => server.seen.length > 0)
    // The second claim has its turn when the first one has its result: now it would find that it may not send the mail.
    const heldUntil = performance.now() + 500
    await acceptUntil('some time', () => performance.now() > heldUntil)
    decide(undefined)
    await acceptUntil('both attempts', () => server.started === 2)
    await notifier.stop()
    expect((await setting.mails()).map((mail) => mail.phase)).toEqual(['sent'])
    expect([server.seen.length, server.taken.length]).toEqual([1, 1])
  })

  test('does not send the mail before it has claimed it again', async () => {
    const { server, acceptUntil } = await startHeldUp()
    await lose('1 hour')
    await acceptUntil('the end of the attempt', () => server.broken === 1)
    expect([server.seen, (await setting.mails()).map((mail) => mail.phase)]).toEqual([[], ['queued']])
    await lose('0 seconds')
    await acceptUntil('the mail', async () => (await setting.mails())[0]?.phase === 'sent')
    expect(server.taken).toHaveLength(1)
  })
})

describe('a mail server', () => {
  test('that is down gets the mail when it is up again', async () => {
    const clock = manualClock(new Date())
    const gone = await mailServer()
    await stopMailServers()
    await setting.start(env({ SMTP_URL: gone.url }), clock)
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await waitFor('the failed attempt', async () => (await setting.mails())[0]?.answer?.includes('ECONNREFUSED'))
    const server = await mailServer({}, gone.port)
    clock.advance(6001)
    await phase('sent')
    expect(server.taken).toHaveLength(1)
  })

  test('that responds "later" is tried again later', async () => {
    const clock = manualClock(new Date())
    const server = await mailServer({
      message: (count) => Promise.resolve(count === 1 ? smtpError(451, 'greylisted, come back') : undefined),
    })
    await setting.start(env({ SMTP_URL: server.url }), clock)
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await waitFor('the rejection', async () => (await setting.mails())[0]?.answer?.includes('greylisted'))
    expect(await phase('queued')).toHaveLength(1)
    clock.advance(6001)
    await phase('sent')
    expect(server.taken).toHaveLength(1)
  })

  test.each([
    ['the recipient', { recipient: () => Promise.resolve(smtpError(550, 'no such mailbox')) }],
    ['the message', { message: () => Promise.resolve(smtpError(550, 'no such mailbox')) }],
  ])('that rejects %s fails the mail, and its response is stored', async (_what, hooks) => {
    const server = await mailServer(hooks)
    await setting.start(env({ SMTP_URL: server.url }))
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    const [failed] = await phase('failed')
    expect(failed?.answer).toContain('550 no such mailbox')
    expect(server.taken).toEqual([])
  })

  test('that rejects the password does not fail the mail', async () => {
    const { port } = await mailServer({ rejectSignIn: true })
    await setting.start(env({ SMTP_URL: `smtp://shop:wrong@127.0.0.1:${port}` }))
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await waitFor('the rejection', async () => (await setting.mails())[0]?.answer?.includes('535'))
    expect(await phase('queued')).toHaveLength(1)
  })

  test('never gets a recipient with more than one address', async () => {
    const server = await mailServer()
    await setting.start(env({ SMTP_URL: server.url }))
    await setting.publish(OrderPlaced, orderPlaced('SF-1', { email: 'a@example.com, b@example.com' }))
    await phase('failed')
    expect(server.started).toBe(0)
  })

  test('that rejects a mail for a day fails it', async () => {
    const clock = manualClock(new Date())
    const server = await mailServer({ recipient: () => Promise.resolve(smtpError(451, 'not today')) })
    await setting.start(env({ SMTP_URL: server.url }), clock)
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await waitFor('the first attempt', async () => (await setting.mails())[0]?.answer?.includes('not today'))
    clock.advance(24 * 3600 * 1000)
    const [failed] = await phase('failed')
    expect(failed?.attempts).toBe(2)
  })

  test('that disconnects after the end of the data leaves the mail uncertain, and it is not sent again', async () => {
    const clock = manualClock(new Date())
    let hold = true
    const server = await mailServer({ message: () => (hold ? new Promise(() => {}) : Promise.resolve(undefined)) })
    await setting.start(env({ SMTP_URL: server.url }), clock)
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await waitFor('the end of the message', () => server.seen.length === 1)
    server.cut()
    await phase('uncertain')
    hold = false
    clock.advance(3600 * 1000)
    await setting.publish(OrderPlaced, orderPlaced('SF-2'))
    await phase('sent')
    expect(subjectsOf(server)).toEqual(['Order SF-2 received'])
  })
})
