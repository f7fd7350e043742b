import { followRule } from '@storefront/postgres/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { clientKeysOf } from '@storefront/http'
import { ErrorBody, MailRequested, OrderCancelled, OrderFulfilled, OrderPaid, OrderPlaced } from '@storefront/contracts'
import type { Clock } from '@storefront/service'
import { manualClock } from '@storefront/service/testing'
import { waitFor } from '@storefront/tools/testing'
import { deleteOldMailCounts } from '../src/mails/mail-counts.queries.ts'
import { RETENTION } from '../src/retention.ts'
import { createMailServer, type MailServer } from './mail-server.ts'
import { createSetting, orderPlaced, type Setting } from './setting.ts'

const PER_RECIPIENT = 3
const VICTIM = 'victim@mail.example'
const Log = z.object({
  items: z.array(
    z.looseObject({ id: z.string(), reference: z.string(), kind: z.string(), answer: z.string().nullable() }),
  ),
  total: z.int(),
})

let setting: Setting
let server: MailServer

beforeAll(async () => {
  setting = await createSetting()
})
beforeEach(async () => {
  server = await createMailServer()
})
afterEach(async () => {
  await setting.clear()
  await server.stop()
})
afterAll(() => setting.stop())

/** The sender keys of an outsider, different for each client number. */
const outsiders = (client: number) => ({
  senders: clientKeysOf({ browser: `browser-${client}`, network: `10.0.${client}.1` }),
})
const outsider = (number: string, client: number, email = VICTIM) => ({
  ...orderPlaced(number, { email }),
  unproven: outsiders(client),
})

async function start(env: Record<string, string> = {}, clock?: Clock) {
  const limits = { MAILS_PER_RECIPIENT: String(PER_RECIPIENT), MAILS_PER_SENDER: '2', MAILS_PER_NETWORK: '5' }
  const { app } = await setting.start({ SMTP_URL: server.url, ...limits, ...env }, clock)
  const headers = setting.suite.headers.admin(['orders:read', 'settings:write'])
  return {
    list: async (query: string) =>
      Log.parse((await app.inject({ url: `/admin/notifications${query}`, headers })).json()),
    resend: async (id: string) =>
      (await app.inject({ method: 'POST', url: `/admin/notifications/${id}/resend`, headers })).statusCode,
    sendTest: (to: string) =>
      app.inject({
        method: 'POST',
        url: '/admin/notifications/test',
        headers: { ...headers, 'content-type': 'application/json' },
        payload: JSON.stringify({ to }),
      }),
  }
}

/** Counts the mails by phase once none of them is waiting. */
async function phases(count: number): Promise<Record<string, number>> {
  const mails = await waitFor(`${count} settled mails`, async () => {
    const all = await setting.mails()
    return all.length === count && all.every(({ phase }) => phase === 'sent' || phase === 'withheld') ? all : undefined
  })
  return Object.fromEntries(
    [...new Set(mails.map(({ phase }) => phase))].map((phase) => [
      phase,
      mails.filter((mail) => mail.phase === phase).length,
    ]),
  )
}

test('confirmations of orders by outsiders are limited per mailbox, and the log shows the withheld ones', async () => {
  const { list } = await start()
  for (let client = 0; client < 8; client++) {
    const email = client % 2 ? VICTIM : `victim+${client}@mail.example`
    await setting.publish(OrderPlaced, outsider(`SF-${client}`, client, email))
  }
  expect(await phases(8)).toEqual({ sent: PER_RECIPIENT, withheld: 5 })
  expect(server.taken).toHaveLength(PER_RECIPIENT)
  const log = await list('?status=withheld')
  expect(log.total).toBe(5)
  expect(log.items[0]?.answer).toBe('too many mails of this kind to its recipient')
})

test('confirmations to any mailboxes are limited per browser and per network', async () => {
  const { list } = await start()
  for (let count = 0; count < 4; count++) {
    await setting.publish(OrderPlaced, outsider(`SF-${count}`, 1, `buyer-${count}@mail.example`))
  }
  expect(await phases(4)).toEqual({ sent: 2, withheld: 2 })
  expect((await list('?status=withheld')).items[0]?.answer).toBe('too many mails caused by one browser or account')
  for (let browser = 0; browser < 5; browser++) {
    const unproven = { senders: clientKeysOf({ browser: `fresh-${browser}`, network: '10.0.1.1' }) }
    const data = { ...orderPlaced(`SF-1${browser}`, { email: `other-${browser}@mail.example` }), unproven }
    await setting.publish(OrderPlaced, data)
  }
  expect(await phases(9)).toEqual({ sent: 5, withheld: 4 })
})

test('orders of customers who have verified their address, and of merchants, are confirmed without a limit', async () => {
  await start()
  for (let count = 0; count < 12; count++) {
    await setting.publish(OrderPlaced, orderPlaced(`SF-${count}`, { email: VICTIM }))
  }
  expect(await phases(12)).toEqual({ sent: 12 })
})

test('links that outsiders request in one network are limited too, and do not count with the orders', async () => {
  await start()
  for (let count = 0; count < 7; count++) {
    await setting.publish(MailRequested, {
      kind: 'emailVerification',
      to: `reader-${count}@mail.example`,
      confirmationId: `conf_${count}`,
      unproven: { senders: clientKeysOf({ network: '10.0.9.1' }) },
    })
  }
  await setting.publish(OrderPlaced, {
    ...orderPlaced('SF-1'),
    unproven: { senders: clientKeysOf({ network: '10.0.9.1' }) },
  })
  await waitFor('all decisions', async () => (await setting.mails()).length === 8)
  const withheld = (await setting.mails()).filter(({ phase }) => phase === 'withheld')
  expect(withheld.map(({ kind }) => kind)).toEqual(['emailVerification', 'emailVerification'])
})

test('automatic mails after a withheld confirmation are withheld, except for that about a shipped order', async () => {
  await start()
  for (let client = 0; client < PER_RECIPIENT; client++) {
    await setting.publish(OrderPlaced, outsider(`SF-${client}`, client))
  }
  await phases(PER_RECIPIENT)
  const { order, locale } = orderPlaced('SF-9', { email: VICTIM })
  const eventData = { orderId: order.id, number: 'SF-9', order, locale }
  await setting.publish(OrderPaid, eventData)
  await waitFor('the mail about the payment', async () => (await setting.mails()).length === PER_RECIPIENT + 1)
  await setting.publish(OrderPlaced, { ...outsider('SF-9', 9), order })
  await waitFor('the withheld confirmation', async () =>
    (await setting.mails()).some(({ kind, phase }) => kind === 'orderPlaced' && phase === 'withheld'),
  )
  await setting.publish(OrderCancelled, { ...eventData, cartId: 'cart_1' })
  await setting.publish(OrderFulfilled, eventData)
  await phases(PER_RECIPIENT + 4)
  const mails = (await setting.mails()).slice(PER_RECIPIENT)
  expect(Object.fromEntries(mails.map(({ kind, phase }) => [kind, phase]))).toEqual({
    orderPlaced: 'withheld',
    paymentCaptured: 'withheld',
    cancelled: 'withheld',
    shipped: 'sent',
  })
})

test('a merchant can send a withheld mail once, and later mails about the order are sent again', async () => {
  const { list, resend } = await start({ MAILS_PER_RECIPIENT: '1' })
  for (const client of [1, 2]) await setting.publish(OrderPlaced, outsider(`SF-${client}`, client))
  await phases(2)
  const [withheld] = (await list('?status=withheld')).items
  expect(await resend(withheld?.id ?? '')).toBe(200)
  expect(await phases(2)).toEqual({ sent: 2 })
  expect(await resend(withheld?.id ?? '')).toBe(409)
  const number = withheld?.reference ?? ''
  const { order, locale } = orderPlaced(number, { email: VICTIM })
  await setting.publish(OrderPaid, { orderId: order.id, number, order, locale })
  expect(await phases(3)).toEqual({ sent: 3 })
})

test('one mailbox gets a limited number of test mails in an hour', async () => {
  const clock = manualClock(new Date())
  const { sendTest } = await start({ MAILS_PER_NETWORK: '2' }, clock)
  for (const status of [200, 200, 429]) expect((await sendTest(VICTIM)).statusCode).toBe(status)
  const rejected = await sendTest('victim+again@mail.example')
  expect(ErrorBody.parse(rejected.json()).code).toBe('rate_limited')
  const [{ counted } = { counted: new Date(0) }] = await setting.suite.sql<{ counted: Date }>(
    'select min(since) as counted from notifier.mail_counts',
  )
  const waitMs = counted.getTime() + 3600 * 1000 - clock.now().getTime()
  expect(waitMs).toBeGreaterThan(0)
  expect(rejected.headers['retry-after']).toBe(String(Math.ceil(waitMs / 1000)))
  expect((await sendTest('another@mail.example')).statusCode).toBe(200)
})

test('a mailbox that reached its daily limit of test mails gets the next one when the first is a day old', async () => {
  const { sendTest } = await start({ MAILS_PER_NETWORK: '1' }, manualClock(new Date()))
  const later = (hours: number) =>
    setting.suite.sql(`update notifier.mail_counts set since = since - interval '${hours} hours'`)
  for (const _ of [1, 2, 3]) {
    expect((await sendTest(VICTIM)).statusCode).toBe(200)
    await later(5)
  }
  const rejected = await sendTest(VICTIM)
  expect(rejected.statusCode).toBe(429)
  const seconds = Number(rejected.headers['retry-after'])
  expect(seconds).toBeGreaterThan(8 * 3600)
  expect(seconds).toBeLessThanOrEqual(9 * 3600)
  expect(ErrorBody.parse(rejected.json()).message).toContain('try again in 9 hours')
  await later(9)
  expect((await sendTest(VICTIM)).statusCode).toBe(200)
})

test('counts that no limit uses any longer are deleted', async () => {
  await start()
  await setting.publish(OrderPlaced, outsider('SF-1', 1))
  await phases(1)
  const count = async () => (await setting.suite.sql('select 1 from notifier.mail_counts')).length
  expect(await count()).toBe(3)
  const deleteAt = (at: Date) =>
    setting.withDatabase((db) =>
      followRule(RETENTION['old counts of mails'], { db, log: setting.suite.log, clock: { now: () => at } }),
    )
  await deleteAt(new Date())
  expect(await count()).toBe(3)
  const later = new Date(Date.now() + 25 * 3600 * 1000)
  await setting.withDatabase(async (db) => expect(await deleteOldMailCounts(db, later, 2)).toBe(2))
  await deleteAt(later)
  expect(await count()).toBe(0)
})
