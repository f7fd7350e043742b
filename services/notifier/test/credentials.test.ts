import { manualClock } from '@storefront/service/testing'
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { replyTo, sendSignal } from '@storefront/messaging'
import { createEncryption } from '@storefront/service'
import { CREDENTIALS_PURPOSE } from '@storefront/credentials'
import {
  CredentialsChanged,
  OrderPaid,
  OrderPlaced,
  ReadNotifierCredentials,
  type CredentialKey,
} from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { PasswordWithheld, smtpPassword } from '../src/mails/smtp-password.ts'
import type { RunningNotifier } from '../src/start.ts'
import { createMailServer } from './mail-server.ts'
import {
  connect,
  createReceiver,
  createSetting,
  orderPlaced,
  SECRET,
  type Received,
  type Receiver,
  type Setting,
} from './setting.ts'

const SECRETS_KEY = 'a secret of this shop alone'
const DAY_MS = 24 * 3600 * 1000

let setting: Setting
let receiver: Receiver
let clock: ReturnType<typeof manualClock>
let close: (() => Promise<void>)[]

beforeAll(async () => {
  setting = await createSetting()
})
beforeEach(async () => {
  receiver = await createReceiver()
  clock = manualClock(new Date())
  close = []
})
afterEach(async () => {
  await receiver.stop()
  await setting.clear()
  for (const each of close) await each()
  Object.assign(setting.shop, { version: 1, notifications: {} })
  await setting.suite.sql('delete from notifier.known_settings')
})
afterAll(() => setting.stop())

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const start = (more: Record<string, string> = {}) =>
  setting.start({ STOREFRONT_URL: receiver.url, SECRETS_KEY, ...more }, clock)

/** A test double of identity that holds the credentials that a merchant has set. */
async function identity() {
  const context = await connect(setting.suite, 'identity')
  close.push(() => context.messaging.close())
  const held = new Map<CredentialKey, { sealed: string; updatedAt: string }>()
  const replaced = new Map<CredentialKey, { sealed: string; replacedAt: string }>()
  let broken = false
  let requests = 0
  replyTo(context, ReadNotifierCredentials, async () => {
    requests++
    if (broken) throw new Error('identity has lost its database')
    return {
      credentials: [...held].map(([key, one]) => ({ key, ...one })),
      replaced: [...replaced].map(([key, one]) => ({ key, ...one })),
    }
  })
  await (await context.messaging.opened).flush()
  /** Publishes that the credentials changed; the notifier requests them a moment later. */
  const change = async () => {
    sendSignal(context.messaging, CredentialsChanged, {})
    await (await context.messaging.opened).flush()
  }

  return {
    breakDown: (isBroken: boolean) => {
      broken = isBroken
    },
    requests: () => requests,
    /** @param encryptedAs the name of the credential that the value is encrypted for */
    setCredential: async (key: CredentialKey, value: string, encryptedAs = key) => {
      const encrypted = createEncryption({ SECRETS_KEY }, CREDENTIALS_PURPOSE)?.encrypt(value, encryptedAs) ?? ''
      held.set(key, { sealed: encrypted, updatedAt: clock.now().toISOString() })
      await change()
    },
    /** Keeps the previous value, as identity does for a day. */
    keepBefore: (key: CredentialKey) => {
      const before = held.get(key)
      if (before) replaced.set(key, { sealed: before.sealed, replacedAt: clock.now().toISOString() })
    },
    withdraw: async (key: CredentialKey) => {
      held.delete(key)
      await change()
    },
  }
}

/** Ignores the age of the signature, because tests move the clock by days. */
function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  const signature = new Webhook(secret).sign(String(headers['webhook-id']), at, body)
  return String(headers['webhook-signature']).split(' ').includes(signature)
}

/** Which of these secrets the next delivery is signed with, and how many signatures it carries. */
async function signatures(...secrets: string[]) {
  const id = await setting.publish(OrderPaid, { orderId: 'order_1', number: 'SF-1' })
  const delivery = await waitFor('the delivery', () =>
    receiver.received.find((request) => request.headers['webhook-id'] === id),
  )
  const count = String(delivery.headers['webhook-signature']).split(' ').length
  return { with: secrets.map((secret) => isSignedWith(secret, delivery)), count }
}

describe('a webhook', () => {
  test('is signed with the secret that the merchant set, and for a day also with the previous one', async () => {
    const { setCredential, withdraw } = await identity()
    const [first, second] = [newSecret(), newSecret()]
    await setCredential('storefrontWebhookSecret', first)
    await start()
    expect(await signatures(first, SECRET)).toEqual({ with: [true, true], count: 2 })

    clock.advance(DAY_MS)
    expect(await signatures(first, SECRET)).toEqual({ with: [true, false], count: 1 })

    await setCredential('storefrontWebhookSecret', second)
    await waitFor('the second secret', async () => (await signatures(second)).with[0])
    expect(await signatures(second, first, SECRET)).toEqual({ with: [true, true, false], count: 2 })
    clock.advance(DAY_MS)
    expect(await signatures(second, first, SECRET)).toEqual({ with: [true, false, false], count: 1 })

    await withdraw('storefrontWebhookSecret')
    await waitFor("the environment's secret", async () => (await signatures(SECRET)).with[0])
    expect(await signatures(second, SECRET)).toEqual({ with: [true, true], count: 2 })
    clock.advance(DAY_MS)
    expect(await signatures(second, SECRET)).toEqual({ with: [false, true], count: 1 })
  })

  test('is signed with the previous secret after a restart too', async () => {
    const { setCredential, withdraw, keepBefore } = await identity()
    const [first, second] = [newSecret(), newSecret()]
    await setCredential('storefrontWebhookSecret', first)
    clock.advance(DAY_MS)
    keepBefore('storefrontWebhookSecret')
    await setCredential('storefrontWebhookSecret', second)
    clock.advance(1000)
    const before = await start()
    expect(await signatures(second, first, SECRET)).toEqual({ with: [true, true, false], count: 2 })
    await before.stop()
    keepBefore('storefrontWebhookSecret')
    await withdraw('storefrontWebhookSecret')
    await start()
    expect(await signatures(SECRET, second, first)).toEqual({ with: [true, true, false], count: 2 })
    clock.advance(DAY_MS)
    expect(await signatures(SECRET, second)).toEqual({ with: [true, false], count: 1 })
  })

  test('waits after a start until the secret is known', async () => {
    const { setCredential, breakDown, requests } = await identity()
    const secret = newSecret()
    await setCredential('storefrontWebhookSecret', secret)
    clock.advance(2 * DAY_MS)
    breakDown(true)
    await start()
    await setting.publish(OrderPaid, { orderId: 'order_1', number: 'SF-1' })
    await waitFor('a waiting delivery and two requests', async () => {
      return requests() >= 2 && (await setting.deliveries()).length === 1
    })
    expect(receiver.received).toEqual([])
    breakDown(false)
    const delivery = await waitFor('the delivery', () => receiver.received[0])
    expect([isSignedWith(secret, delivery), isSignedWith(SECRET, delivery)]).toEqual([true, false])
  })

  test("is signed with the environment's secret when identity does not reply", async () => {
    const started = performance.now()
    await start()
    expect(await signatures(SECRET)).toEqual({ with: [true], count: 1 })
    expect(performance.now() - started).toBeGreaterThan(4500)
  })

  test('is not signed with a secret that was encrypted for another credential', async () => {
    const { setCredential } = await identity()
    const secret = newSecret()
    await setCredential('storefrontWebhookSecret', secret, 'smtpPassword')
    await start()
    expect(await signatures(secret, SECRET)).toEqual({ with: [false, true], count: 1 })
  })
})

describe('the mail server', () => {
  test('gets the password that the merchant set, and a new one without a restart', async () => {
    let password = 'first password'
    const tried: unknown[] = []
    const server = await createMailServer({
      acceptsPassword: (given) => {
        tried.push(given)
        return given === password
      },
    })
    close.push(() => server.stop())
    const { setCredential } = await identity()
    await setCredential('smtpPassword', password)
    await start({ SMTP_URL: `smtp://shop:of-the-environment@127.0.0.1:${server.port}` })
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await waitFor('the first mail', () => server.taken.length === 1)

    password = 'second password'
    server.cut()
    await setCredential('smtpPassword', password)
    // A mail that was tried with the old password is tried again.
    await setting.publish(OrderPlaced, orderPlaced('SF-2'))
    await waitFor('the second mail', () => {
      clock.advance(1000)
      return server.taken.length === 2
    })
    expect(tried[0]).toBe('first password')
    expect(tried.at(-1)).toBe('second password')
    expect(tried).not.toContain('of-the-environment')

    const kept = await setting.suite.sql('select * from notifier.mails, notifier.endpoints, notifier.inbox')
    expect(JSON.stringify(kept)).not.toMatch(/(first|second) password/)
  })

  test('keeps the connections of the previous password for the mails that they are sending', async () => {
    let decide = () => {}
    const tried: unknown[] = []
    const server = await createMailServer({
      acceptsPassword: (given) => {
        tried.push(given)
        return true
      },
      message: (count) =>
        count === 1 ? new Promise((resolve) => (decide = () => resolve(undefined))) : Promise.resolve(undefined),
    })
    close.push(() => server.stop())
    const { setCredential } = await identity()
    await setCredential('smtpPassword', 'first password')
    await start({ SMTP_URL: `smtp://shop@127.0.0.1:${server.port}` })
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await waitFor('the complete mail', () => server.seen.length === 1)
    await setCredential('smtpPassword', 'second password')
    await waitFor('a mail with the second password', async () => {
      await setting.publish(OrderPlaced, orderPlaced('SF-2'))
      return tried.includes('second password') && server.taken.length > 0
    })
    expect((await setting.mails())[0]?.phase).toBe('handed-over')
    decide()
    await waitFor('all outcomes', async () => (await setting.mails()).every((mail) => mail.phase === 'sent'))
  })
})

describe('the password of the mail server', () => {
  /** Starts a mail server that records the passwords it gets, and accepts all of them by default. */
  async function signInServer(accepts: (password: unknown) => boolean = () => true) {
    const tried: unknown[] = []
    const server = await createMailServer({
      acceptsPassword: (given) => {
        tried.push(given)
        return accepts(given)
      },
    })
    close.push(() => {
      server.cut()
      return server.stop()
    })
    return { port: server.port, taken: server.taken, tried }
  }
  /** Changes the settings, as `PATCH /admin/storefront` does. */
  const setMailHost = (host: string, port: number) => {
    setting.shop.version++
    setting.shop.notifications = { smtp: { host, port, user: 'shop' } }
  }
  const bound = (host: string) =>
    waitFor(`the password to be bound to ${host}`, async () => {
      const rows = await setting.suite.sql<{ host: string }>('select host from notifier.smtp_password')
      return rows[0]?.host === host
    })
  const storedReason = () =>
    waitFor('the reason', async () => {
      const rows = await setting.suite.sql<{ answer: string | null }>(
        'select answer from notifier.mails where not test',
      )
      return rows[0]?.answer ?? undefined
    })
  const WITHHELD = 'smtpPassword was set for 127.0.0.1: to use it with localhost, set it again'

  /** Waits until the notifier drops the previous settings, which it caches for a moment. */
  const withheldFromTests = ({ app }: RunningNotifier) =>
    waitFor('a test mail that is rejected with the reason', async () => {
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url: '/admin/notifications/test',
        headers: setting.suite.headers.admin(['settings:write']),
        payload: { to: 'ada@example.com' },
      })
      return statusCode === 502 && body.includes(WITHHELD)
    })

  test('is not sent to another host that the settings name later, even after a restart', async () => {
    const [own, other] = [await signInServer(), await signInServer()]
    const { setCredential } = await identity()
    await setCredential('smtpPassword', 'the password')
    setMailHost('127.0.0.1', own.port)
    const first = await start()
    // The password is bound to the host even before the first mail.
    await bound('127.0.0.1')
    setMailHost('localhost', other.port)
    await withheldFromTests(first)
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    expect(await storedReason()).toBe(WITHHELD)
    await first.stop()
    await setting.suite.sql(`update notifier.mails set answer = null where not test`)
    clock.advance(3600 * 1000)
    await start()
    expect(await storedReason()).toBe(WITHHELD)
    expect(other.tried).toEqual([])

    // A user who sets the password again agrees to the new host.
    await setCredential('smtpPassword', 'the password')
    await bound('localhost')
    await waitFor('the mail', () => {
      clock.advance(60_000)
      return other.taken.length === 1
    })
    expect(other.tried).toEqual(['the password'])
  })

  test('is sent to another port of its host', async () => {
    const own = await signInServer()
    const { setCredential } = await identity()
    await setCredential('smtpPassword', 'the password')
    setMailHost('127.0.0.1', 9)
    await start()
    await bound('127.0.0.1')
    setMailHost('127.0.0.1', own.port)
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    await waitFor('the mail', () => {
      clock.advance(60_000)
      return own.taken.length === 1
    })
    expect(own.tried).toEqual(['the password'])
  })

  test("that was set for the operator's server is not sent to a merchant's server, and vice versa", async () => {
    const [operators, merchants] = [await signInServer(), await signInServer()]
    const url = `smtp://shop:of-the-environment@127.0.0.1:${operators.port}`
    const { setCredential } = await identity()
    await setCredential('smtpPassword', 'for the operator')
    const notifier = await start({ SMTP_URL: url })
    await bound('127.0.0.1')
    setMailHost('localhost', merchants.port)
    await withheldFromTests(notifier)
    await setting.publish(OrderPlaced, orderPlaced('SF-1'))
    expect(await storedReason()).toBe(WITHHELD)
    expect(merchants.tried).toEqual([])

    operators.tried.length = 0
    operators.taken.length = 0
    clock.advance(1000)
    await setCredential('smtpPassword', 'for the merchant')
    await bound('localhost')
    setting.shop.version++
    setting.shop.notifications = {}
    await waitFor('the mail', () => {
      clock.advance(60_000)
      return operators.taken.length === 1
    })
    expect(operators.tried).toEqual(['of-the-environment'])
  })

  test('is bound to one host, however many notifiers receive it at once and whatever settings they have', async () => {
    const at = clock.now()
    await setting.withDatabase(async (db) => {
      const replica = (value: string, updatedAt: Date) =>
        smtpPassword({ db, credentials: { get: () => value, updatedAt: () => updatedAt } })
      const passwordOf = (replicaOf: ReturnType<typeof replica>, host: string) =>
        replicaOf.passwordFor({ host, isOperators: false }).catch((error: unknown) => error)
      const replicas = Array.from({ length: 4 }, () => replica('first', at))
      const responses = await Promise.all(replicas.map((each, index) => passwordOf(each, `host-${index % 2}.example`)))
      expect(responses.filter((each) => each === 'first')).toHaveLength(2)
      expect(responses.filter((each) => each instanceof PasswordWithheld)).toHaveLength(2)

      const newer = replica('second', new Date(at.getTime() + 1))
      expect(await passwordOf(newer, 'Mail.Example.')).toBe('second')
      // A replica that has not received the newer password yet must not undo it.
      expect(await passwordOf(replica('first', at), 'mail.example')).toBeInstanceOf(PasswordWithheld)
      expect(await passwordOf(replica('second', new Date(at.getTime() + 1)), 'mail.example')).toBe('second')
      expect(await passwordOf(replica('second', new Date(at.getTime() + 1)), 'host-0.example')).toBeInstanceOf(
        PasswordWithheld,
      )
    })
  })
})
