import { followRule } from '@storefront/postgres/testing'
import { manualClock } from '@storefront/service/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { DAY_MS, HttpError, systemClock } from '@storefront/service'
import {
  BuyerErased,
  CustomerDeleted,
  newId,
  OrderCancelled,
  OrderFulfilled,
  OrderPaid,
  OrderPlaced,
  OrderRefunded,
  ProductUpdated,
  ParcelSent,
  TrackingUpdated,
  type Order,
  type Refund,
} from '@storefront/contracts'
import { amount, waitFor, waitForLock } from '@storefront/tools/testing'
import { RETENTION } from '../src/retention.ts'
import { createMailServers, readable, smtpError, subjectsOf, type MailServer } from './mail-server.ts'
import { accessTokenOf, createReceiver, createSetting, orderPlaced, type Receiver, type Setting } from './setting.ts'

let setting: Setting
let receiver: Receiver
let smtpServer: MailServer
let clock: ReturnType<typeof manualClock>
const { mailServer, stopMailServers } = createMailServers()

beforeAll(async () => {
  setting = await createSetting()
  receiver = await createReceiver()
})
beforeEach(async () => {
  smtpServer = await mailServer()
  clock = manualClock(new Date())
})
afterEach(async () => {
  await setting.clear()
  await stopMailServers()
})
afterAll(async () => {
  await setting.stop()
  await receiver.stop()
})

const start = (more: Record<string, string> = { SMTP_URL: smtpServer.url }) =>
  setting.start({ STOREFRONT_URL: receiver.url, ...more }, clock)

function eventDataOf(number: string, change: Partial<Order> = {}) {
  const { order } = orderPlaced(number, change)
  return { orderId: order.id, number, order, locale: 'en-US' }
}

const refund: Refund = {
  id: 'refund_1',
  amount: { amount: 1250, currency: 'USD' },
  reason: 'a stain',
  createdAt: '2026-03-03T10:00:00.000Z',
  restocked: false,
  status: 'succeeded',
}

/** Waits until this number of mails is sent, failed or dropped, once they are in the queue. */
const settled = async (count: number) => {
  await waitFor(`${count} mails`, async () => (await setting.mails()).length >= count)
  // A mail waits half a second for each of the six kinds before its own.
  clock.advance(3000)
  return waitFor(`${count} settled mails`, async () => {
    const mails = await setting.mails()
    const over = mails.filter(({ phase }) => ['sent', 'failed', 'dropped'].includes(phase))
    return over.length >= count ? mails : undefined
  })
}
/**
 * Simultaneous events may arrive a second apart on a busy machine: then their mails are all queued before any of them
 * is due.
 */
const queued = (count: number) =>
  waitFor(`${count} mails in the queue`, async () => (await setting.mails()).length === count)
/** Kinds of the mails about this order that arrived. */
const kindsOf = (number: string) =>
  smtpServer.taken
    .filter((text) => new RegExp(`^Subject: .*${number}\\b`, 'm').test(text))
    .map((text) => /^Message-ID:\s*<\w+\.(\w+)@/m.exec(text)?.[1])
/** Waits until every event that was published before is consumed. */
const received = (ids: string[]) =>
  waitFor('the events to be consumed', async () => {
    const rows = await setting.suite.sql('select from notifier.inbox where event_id = any($1)', [ids])
    return rows.length >= ids.length
  })

describe('events of an order', () => {
  test('cause one mail each, of its own kind and to the buyer, and all rows have the same format', async () => {
    await start()
    const ids = {
      orderPlaced: await setting.publish(OrderPlaced, { ...orderPlaced('SF10'), customerId: 'cus_1' }),
      paymentCaptured: await setting.publish(OrderPaid, {
        ...eventDataOf('SF10', { status: 'paid' }),
        customerId: 'cus_1',
      }),
      partlyShipped: await setting.publish(ParcelSent, {
        ...eventDataOf('SF10'),
        customerId: 'cus_1',
        parcel: { lines: [] },
      }),
      shipped: await setting.publish(OrderFulfilled, { ...eventDataOf('SF10'), customerId: 'cus_1' }),
      trackingUpdated: await setting.publish(TrackingUpdated, { ...eventDataOf('SF10'), customerId: 'cus_1' }),
      refunded: await setting.publish(OrderRefunded, { ...eventDataOf('SF10'), customerId: 'cus_1', refund }),
      cancelled: await setting.publish(OrderCancelled, {
        ...eventDataOf('SF10'),
        customerId: 'cus_1',
        cartId: 'cart_1',
      }),
    }
    const mails = await settled(7)
    expect(Object.fromEntries(mails.map(({ kind, event_id: id }) => [kind, id]))).toEqual(ids)
    expect(mails.map(({ phase }) => phase)).toEqual(Array(7).fill('sent'))
    const rows = await setting.suite.sql<{ kind: string; data: Record<string, unknown> }>(
      'select kind, recipient, reference, customer_id, data from notifier.mails',
    )
    for (const { kind, data, ...row } of rows) {
      expect(row).toEqual({ recipient: 'ada@example.com', reference: 'SF10', customer_id: 'cus_1' })
      const keys = kind === 'refunded' ? ['locale', 'order', 'refund'] : ['locale', 'order']
      expect(Object.keys(data).toSorted()).toEqual(keys)
      expect(data['order']).toMatchObject({ number: 'SF10' })
    }
    expect(rows.find(({ kind }) => kind === 'refunded')?.data['refund']).toEqual(refund)
  })

  test('with refunds of the previous version, whose amounts are bare integers, still cause mails', async () => {
    await start()
    const old = { ...refund, amount: 1250 }
    const { order, ...eventData } = eventDataOf('SF19', { refundedTotal: { amount: 1250, currency: 'USD' } })
    await setting.publish(OrderRefunded, { ...eventData, order: { ...order, refunds: [old] }, refund: old })
    expect(await settled(1)).toMatchObject([{ kind: 'refunded', phase: 'sent' }])
    expect(smtpServer.taken.at(-1)).toContain('We have refunded $12.50 for your order SF19.')
  })

  test('are stored without the access token of the order', async () => {
    await start()
    await setting.publish(OrderFulfilled, eventDataOf('SF11', { accessToken: 'a-secret-way-back' }))
    await settled(1)
    expect(JSON.stringify(await setting.suite.sql('select * from notifier.mails'))).not.toContain('a-secret-way-back')
  })

  test('that arrive again with the same id cause no second mail', async () => {
    await start()
    const paid = eventDataOf('SF12', { status: 'paid' })
    const id = await setting.publish(OrderPaid, paid)
    await settled(1)
    await setting.publish(OrderPaid, paid, id)
    // The inbox deletes its entries after two weeks.
    await setting.suite.sql('delete from notifier.inbox where event_id = $1', [id])
    await setting.publish(OrderPaid, paid, id)
    await received([id])
    await setting.publish(OrderPaid, eventDataOf('SF13', { status: 'paid' }))
    const mails = await settled(2)
    expect(mails.map(({ event_id: each }) => each).filter((each) => each === id)).toHaveLength(1)
  })

  test('of an old version, which carry no order, cause no mail, and the endpoints still receive them', async () => {
    await start()
    const old = { orderId: 'order_old', number: 'SF14' }
    const ids = [
      await setting.publish(OrderPaid, old),
      await setting.publish(OrderFulfilled, old),
      await setting.publish(OrderCancelled, { ...old, cartId: 'cart_1' }),
    ]
    await received(ids)
    await waitFor('both deliveries', async () => (await setting.deliveries()).length === 2)
    expect(await setting.mails()).toEqual([])
  })

  test('reach the endpoints with only the number and the id of the order', async () => {
    await start()
    receiver.received.length = 0
    const paid = eventDataOf('SF15', { status: 'paid' })
    await setting.publish(OrderPaid, paid)
    await setting.publish(OrderFulfilled, paid)
    await waitFor('both webhooks', () => receiver.received.length === 2)
    for (const { body } of receiver.received) {
      const { id: _id, at: _at, type: _type, ...fields }: Record<string, unknown> = JSON.parse(body)
      expect(fields).toEqual({ orderId: paid.orderId, number: 'SF15' })
    }
    await settled(2)
  })

  test('of a deleted customer cause no mail, however long ago the deletion was', async () => {
    await start()
    const gone = await setting.publish(CustomerDeleted, { customerId: 'cus_gone' })
    await received([gone])
    await setting.suite.sql(`update notifier.deleted_customers set heard_at = now() - interval '3 years'`)
    await setting.withDatabase((db) =>
      followRule(RETENTION['contents of old mails'], { db, clock: systemClock, log: setting.suite.log }),
    )
    const ids = [
      await setting.publish(OrderFulfilled, { ...eventDataOf('SF16'), customerId: 'cus_gone' }),
      await setting.publish(OrderRefunded, { ...eventDataOf('SF16'), customerId: 'cus_gone', refund }),
    ]
    await received(ids)
    expect(await setting.mails()).toEqual([])
  })
})

describe('a guest whose data was deleted', () => {
  const email = 'ada@example.com'
  const mails = () =>
    setting.suite.sql<{ reference: string; kind: string; phase: string; recipient: string; data: unknown }>(
      'select reference, kind, phase, recipient, data from notifier.mails order by seq',
    )
  const isWaiting = () =>
    waitFor('a mail that waits for orders', async () => (await setting.mails())[0]?.answer ?? undefined)
  afterEach(() => {
    setting.orderLink = (orderId) => Promise.resolve({ accessToken: accessTokenOf(orderId) })
  })

  test('gets no mail about running orders, and the log has no address', async () => {
    const customerId = newId('customer')
    await start()
    await setting.publish(OrderPlaced, orderPlaced('SF70'))
    await settled(1)
    await received([await setting.publish(BuyerErased, { email, customerId })])
    await received([
      await setting.publish(OrderFulfilled, { ...eventDataOf('SF70'), customerId }),
      await setting.publish(OrderCancelled, { ...eventDataOf('SF70'), customerId, cartId: 'cart_1' }),
    ])
    expect(await mails()).toEqual([{ reference: 'SF70', kind: 'orderPlaced', phase: 'sent', recipient: '', data: {} }])
    // A later order is of a new guest.
    await setting.publish(OrderPlaced, orderPlaced('SF71'))
    expect(await settled(2)).toMatchObject([{ phase: 'sent' }, { phase: 'sent' }])
  })

  test('gets no mail that was waiting, also when a later event of the order arrived before the deletion', async () => {
    const customerId = newId('customer')
    setting.orderLink = () => Promise.reject(new HttpError('internal_error', 'Something went wrong.'))
    await start()
    await setting.publish(OrderPlaced, orderPlaced('SF72'))
    await setting.publish(OrderFulfilled, { ...eventDataOf('SF72'), customerId })
    await queued(2)
    await setting.publish(BuyerErased, { email, customerId })
    await settled(2)
    const gone = { phase: 'dropped', recipient: '', data: {} }
    expect((await mails()).map(({ phase, recipient, data }) => ({ phase, recipient, data }))).toEqual([gone, gone])
    expect(smtpServer.taken).toEqual([])
  })

  test('gets no mail about what happened before, however late its event arrives', async () => {
    const placedAt = new Date()
    await start()
    await received([await setting.publish(BuyerErased, { email, customerId: newId('customer') })])
    await received([
      await setting.publish(OrderPlaced, orderPlaced('SF74', { email: 'ADA@example.com' }), undefined, placedAt),
    ])
    expect(await mails()).toEqual([])
    // A later order is of a new guest.
    await setting.publish(OrderPlaced, orderPlaced('SF75'))
    expect(await settled(1)).toMatchObject([{ kind: 'orderPlaced', phase: 'sent' }])
  })

  test('gets no mail that is being queued when the deletion arrives', async () => {
    const { suite } = setting
    setting.orderLink = () => Promise.reject(new HttpError('internal_error', 'Something went wrong.'))
    await start()
    await suite.sql('begin')
    await suite.sql('lock table notifier.mails in share mode')
    await setting.publish(OrderPlaced, orderPlaced('SF76'))
    await waitForLock(suite, 'insert into mails')
    await setting.publish(BuyerErased, { email, customerId: newId('customer') })
    await waitForLock(suite, 'pg_advisory_xact_lock(')
    await suite.sql('commit')
    expect(await settled(1)).toMatchObject([{ phase: 'dropped', answer: null }])
    expect(smtpServer.taken).toEqual([])
  })

  test('leaves a hash of the address behind, for as long as an older event may arrive', async () => {
    const { suite } = setting
    await start()
    await received([await setting.publish(BuyerErased, { email }, undefined, clock.now())])
    const traces = () => suite.sql<{ trace: string }>('select e::text as trace from notifier.erased_addresses e')
    const deleteOld = () =>
      setting.withDatabase((db) => followRule(RETENTION['erased addresses'], { db, clock, log: suite.log }))
    clock.advance(91 * DAY_MS)
    await deleteOld()
    expect(await traces()).toEqual([{ trace: expect.not.stringContaining('ada') }])
    clock.advance(2 * DAY_MS)
    await deleteOld()
    expect(await traces()).toEqual([])
  })

  test('by the previous version, which names no customer, gets no mail that was waiting', async () => {
    setting.orderLink = () => Promise.reject(new HttpError('internal_error', 'Something went wrong.'))
    await start()
    await setting.publish(OrderPlaced, orderPlaced('SF73'))
    await isWaiting()
    await setting.publish(BuyerErased, { email })
    expect(await settled(1)).toMatchObject([{ phase: 'dropped', answer: null }])
  })
})

test('mails that are older than a year and settled are deleted, however many there are', async () => {
  await start()
  const { suite } = setting
  await setting.publish(OrderPlaced, orderPlaced('SF17'))
  await settled(1)
  const copy = (name: string, count: number, days: number, settledAt = 'settled_at') =>
    suite.sql(
      `insert into notifier.mails (id, seq, event_id, kind, recipient, reference, data, event_at, phase, attempts, next_attempt_at, created_at,
         settled_at) overriding system value
       select $1 || each, -10 * $3 - each, $1 || each, kind, '', reference, '{}', event_at, 'dropped', attempts, next_attempt_at,
         now() - $3 * interval '1 day', ${settledAt}
       from notifier.mails, generate_series(1, $2::int) each where reference = 'SF17' and kind = 'orderPlaced' and recipient <> ''`,
      [name, count, days],
    )
  await copy('waiting', 1, 1000, 'null')
  await copy('old', 2500, 401)
  await copy('recent', 2, 399)
  await setting.withDatabase((db) => followRule(RETENTION['old mails'], { db, clock: systemClock, log: suite.log }))
  const left = await suite.sql<{ id: string }>('select id from notifier.mails where recipient = $1 order by id', [''])
  expect(left.map(({ id }) => id)).toEqual(['recent1', 'recent2', 'waiting1'])
})

describe('a mail about an order', () => {
  const rows = () => setting.suite.sql<{ phase: string; answer: string | null }>('select * from notifier.mails')
  const minutes = (count: number) => count * 60_000
  afterEach(() => {
    setting.orderLink = (orderId) => Promise.resolve({ accessToken: accessTokenOf(orderId) })
    setting.shop.version++
    setting.shop.storeAddress = undefined
    setting.shop.notifications = {}
  })

  test('comes from the shop, and has its name, its address, a picture of each line and a link to the order', async () => {
    setting.shop.storeAddress = { line1: '12 Row', city: 'London', country: 'GB' }
    setting.shop.notifications = { from: 'hello@linen.example' }
    await start({ SMTP_URL: smtpServer.url, PUBLIC_URL: 'http://localhost/' })
    const eventData = orderPlaced('SF60')
    await setting.publish(OrderPlaced, eventData)
    await settled(1)
    const mail = readable(smtpServer.taken[0])
    expect(mail).toContain('From: "Linen & Co" <hello@linen.example>\r\n')
    expect(mail.split('\r\n')).toEqual(expect.arrayContaining(['Linen & Co', '12 Row', 'London', 'United Kingdom']))
    expect(mail).toMatch(/<header>.*Linen &amp; Co[^]*<footer>[^]*12 Row/)
    expect(mail).toContain(
      '<img src="http://localhost/media/thumbnails/a.svg.jpg" alt="Linen Shirt" width="64" height="80"',
    )
    const link = `${receiver.url}/order/${eventData.order.id}?token=${accessTokenOf(eventData.order.id)}`
    expect(mail).toContain(`\r\nView your order: ${link}\r\n`)
    expect(mail).toContain(`href="${link}"`)
  })

  test('has the link that the previous mail about the order had a moment ago, which is not requested again', async () => {
    const requested: string[] = []
    setting.orderLink = (orderId) => {
      requested.push(orderId)
      return Promise.resolve({ accessToken: accessTokenOf(orderId) })
    }
    await start()
    const paid = eventDataOf('SF65', { status: 'paid' })
    await setting.publish(OrderPlaced, orderPlaced('SF65', { id: paid.orderId }))
    await setting.publish(OrderPaid, paid)
    await settled(2)
    expect(requested).toEqual([paid.orderId])
    const link = `View your order: ${receiver.url}/order/${paid.orderId}?token=${accessTokenOf(paid.orderId)}`
    expect(smtpServer.taken.map((text) => readable(text).includes(link))).toEqual([true, true])
  })

  test('contains the access token of the order, which is in no row, log or stored reply of a mail server', async () => {
    const server = await mailServer({
      message: () => Promise.resolve(smtpError(554, `spam: ${receiver.url}/order/x?token=${token} is listed`)),
    })
    const lines: unknown[] = []
    const { log } = setting.suite
    const spies = (['debug', 'info', 'warn', 'error'] as const).map((level) =>
      vi.spyOn(log, level).mockImplementation((...line: unknown[]) => void lines.push(line)),
    )
    const eventData = eventDataOf('SF61')
    const token = accessTokenOf(eventData.order.id)
    await start({ SMTP_URL: server.url })
    await setting.publish(OrderFulfilled, eventData)
    await settled(1)
    for (const spy of spies) spy.mockRestore()
    expect(readable(server.seen[0])).toContain(token)
    expect(lines.length).toBeGreaterThan(0)
    const kept = await setting.suite.sql(`
      select to_jsonb(m) from notifier.mails m union all select to_jsonb(i) from notifier.inbox i`)
    expect(JSON.stringify([lines, kept])).not.toContain(token)
    expect(await rows()).toMatchObject([{ phase: 'failed', answer: expect.stringMatching(/^554 spam: \[left out\]/) }])
  })

  test('waits while orders replies with errors, and is sent with the link that is valid then', async () => {
    setting.orderLink = () => Promise.reject(new HttpError('internal_error', 'Something went wrong.'))
    await start()
    const eventData = orderPlaced('SF62')
    await setting.publish(OrderPlaced, eventData)
    const [waiting] = await waitFor('the reason', async () => {
      const mails = await rows()
      return mails[0]?.answer == null ? undefined : mails
    })
    expect(waiting).toMatchObject({
      phase: 'queued',
      answer: 'the link to the order could not be requested: there was no usable reply',
    })
    expect(smtpServer.taken).toEqual([])
    setting.orderLink = () => Promise.resolve({ accessToken: 'a-token-of-later' })
    clock.advance(minutes(1))
    await settled(1)
    expect(readable(smtpServer.taken[0])).toContain(`/order/${eventData.order.id}?token=a-token-of-later`)
  })

  test('is sent after two minutes at the latest, with the plain address of the order', async () => {
    setting.orderLink = () => Promise.reject(new HttpError('internal_error', 'Something went wrong.'))
    await start()
    const eventData = orderPlaced('SF63')
    await setting.publish(OrderPlaced, eventData)
    await waitFor('the reason', async () => (await rows())[0]?.answer?.includes('could not be requested'))
    clock.advance(minutes(2))
    await settled(1)
    const mail = readable(smtpServer.taken[0])
    expect(mail).toContain(`\r\nView your order: ${receiver.url}/order/${eventData.order.id}\r\n`)
    expect(mail).not.toContain('token=')
  })

  test('has no link when the order does not exist', async () => {
    setting.orderLink = () => Promise.resolve({})
    await start()
    await setting.publish(OrderPlaced, orderPlaced('SF64'))
    await settled(1)
    expect(readable(smtpServer.taken[0])).not.toContain('View your order')
  })
})

describe('changed tracking', () => {
  const dropped = { trackingUpdated: 'dropped' }
  const phases = (mails: Awaited<ReturnType<typeof settled>>) =>
    Object.fromEntries(mails.map(({ kind, phase }) => [kind, phase]))
  const tracking = { carrier: 'DHL', code: 'JJD1', url: 'https://dhl.example/JJD1' }
  afterEach(() => {
    setting.shop.version++
    setting.shop.notifications = {}
  })

  test('causes one mail for each correction, and none for a repeated event', async () => {
    await start()
    const first = await setting.publish(
      TrackingUpdated,
      eventDataOf('SF70', { tracking: { ...tracking, code: 'JJD' } }),
    )
    await settled(1)
    const again = eventDataOf('SF70', { tracking })
    const second = await setting.publish(TrackingUpdated, again)
    await settled(2)
    await setting.publish(TrackingUpdated, again, second)
    await setting.suite.sql('delete from notifier.inbox where event_id = $1', [second])
    await setting.publish(TrackingUpdated, again, second)
    await received([first, second])
    await setting.publish(TrackingUpdated, eventDataOf('SF71', { tracking }))
    await settled(3)
    expect(kindsOf('SF70')).toEqual(['trackingUpdated', 'trackingUpdated'])
    expect(subjectsOf(smtpServer)[0]).toBe('New tracking details for order SF70')
    expect(smtpServer.taken[1]).toContain('Tracking number: JJD1')
  })

  test.each([{ trackingUpdated: false }, { shipped: false }])(
    'is not mailed while the settings are %j',
    async (events) => {
      setting.shop.notifications = { events }
      await start()
      await setting.publish(TrackingUpdated, eventDataOf('SF72', { tracking }))
      expect(phases(await settled(1))).toEqual(dropped)
      expect(smtpServer.taken).toEqual([])
    },
  )
})

describe('a buyer', () => {
  test('of a free order gets no mail about a payment', async () => {
    await start()
    const free = { total: { amount: 0, currency: 'USD' }, status: 'paid' as const }
    await setting.publish(OrderPlaced, orderPlaced('SF20', free))
    const id = await setting.publish(OrderPaid, eventDataOf('SF20', free))
    await received([id])
    await settled(1)
    expect(kindsOf('SF20')).toEqual(['orderPlaced'])
    expect((await setting.deliveries()).map(({ type }) => type)).toEqual(['order.paid'])
  })

  test('whose order is canceled before payment gets a mail about that and none about a refund', async () => {
    await start()
    await setting.publish(OrderCancelled, { ...eventDataOf('SF21', { status: 'cancelled' }), cartId: 'cart_1' })
    await settled(1)
    expect(kindsOf('SF21')).toEqual(['cancelled'])
  })

  test('who gets a full refund gets the mail about it first, and then the one about the cancellation', async () => {
    const server = await mailServer()
    await start({ SMTP_URL: server.url })
    const eventData = eventDataOf('SF22', { status: 'cancelled' })
    const at = new Date()
    await setting.publish(OrderCancelled, { ...eventData, cartId: 'cart_1' }, undefined, at)
    await setting.publish(OrderRefunded, { ...eventData, refund }, undefined, at)
    await queued(2)
    clock.advance(10_000)
    await settled(2)
    expect(subjectsOf(server)).toEqual(['Refund for order SF22', 'Order SF22 has been canceled'])
    expect(server.taken[0]).toContain('$12.50')
  })

  test('whose payment event arrives before the order event gets the order confirmation first', async () => {
    const server = await mailServer()
    await start({ SMTP_URL: server.url })
    const numbers = Array.from({ length: amount({ quick: 8, long: 20 }) }, (_, at) => `SF3${at}0`)
    for (const number of numbers) {
      const at = new Date()
      await setting.publish(OrderPaid, eventDataOf(number, { status: 'paid' }), undefined, at)
      await setting.publish(OrderPlaced, orderPlaced(number), undefined, at)
    }
    await queued(2 * numbers.length)
    clock.advance(10_000)
    await settled(2 * numbers.length)
    for (const number of numbers) {
      const about = subjectsOf(server).filter((subject) => subject?.includes(` ${number} `))
      expect(about).toEqual([`Order ${number} received`, `Payment for order ${number} received`])
    }
  })
})

describe('mails of one order', () => {
  test('wait while the one before them is being sent, and those of other orders do not', async () => {
    let release = () => {}
    const server = await mailServer({
      message: (count) => (count === 1 ? new Promise((resolve) => (release = () => resolve(undefined))) : ok()),
    })
    await start({ SMTP_URL: server.url })
    await setting.publish(OrderPlaced, orderPlaced('SF40'))
    await waitFor('the first mail to be in progress', () => server.seen.length === 1)
    await setting.publish(OrderPaid, eventDataOf('SF40', { status: 'paid' }))
    await setting.publish(OrderPlaced, orderPlaced('SF41'))
    await setting.publish(OrderPaid, eventDataOf('SF41', { status: 'paid' }))
    await queued(4)
    clock.advance(500)
    await waitFor('the mails of the other order', () => server.taken.length === 2)
    await waitFor('the claim of the second mail', async () => (await setting.mails()).filter(isUnderWay).length === 2)
    expect(server.seen).toHaveLength(3)
    release()
    await settled(4)
    expect(subjectsOf(server).filter((subject) => subject?.includes('SF40'))).toEqual([
      'Order SF40 received',
      'Payment for order SF40 received',
    ])
  })

  test('do not wait for one that is to be retried', async () => {
    let first = true
    const server = await mailServer({
      recipient: () => {
        const response = first ? smtpError(451, 'greylisted') : undefined
        first = false
        return Promise.resolve(response)
      },
    })
    await start({ SMTP_URL: server.url })
    await setting.publish(OrderPlaced, orderPlaced('SF50'))
    await setting.publish(OrderPaid, eventDataOf('SF50', { status: 'paid' }))
    await queued(2)
    const mails = await settled(1)
    expect(Object.fromEntries(mails.map(({ kind, phase }) => [kind, phase]))).toEqual({
      orderPlaced: 'queued',
      paymentCaptured: 'sent',
    })
  })
})

test('two notifiers send each mail once, and each event once to each endpoint', async () => {
  const server = await mailServer()
  await start({ SMTP_URL: server.url })
  await start({ SMTP_URL: server.url })
  receiver.received.length = 0
  const orders = amount({ quick: 12, long: 30 })
  const numbers = Array.from({ length: orders }, (_, at) => `SF6${at}0`)
  await Promise.all(
    numbers.flatMap((number) => {
      const eventData = eventDataOf(number, { status: 'paid' })
      return [
        setting.publish(OrderPaid, eventData),
        setting.publish(OrderFulfilled, eventData),
        setting.publish(ProductUpdated, { productId: newId('product'), slug: number.toLowerCase(), version: 1 }),
      ]
    }),
  )
  await settled(2 * orders)
  expect(new Set(subjectsOf(server)).size).toBe(2 * orders)
  expect(server.taken).toHaveLength(2 * orders)
  await waitFor('the webhooks', () => receiver.received.length === 3 * orders)
})

const ok = () => Promise.resolve(undefined)
const isUnderWay = ({ phase }: { phase: string }) => phase === 'connecting' || phase === 'handed-over'
