import { followRule } from '@storefront/postgres/testing'
import { manualClock } from '@storefront/service/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '@storefront/service'
import { InventoryUpdated, OrderPaid } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { RETENTION } from '../src/retention.ts'
import type { RunningNotifier } from '../src/start.ts'
import { createReceiver, createSetting, type Receiver, type Setting } from './setting.ts'

const LOG = '/admin/webhooks/deliveries'
const DAY_MS = 24 * 3600 * 1000

let setting: Setting
let receiver: Receiver

beforeAll(async () => {
  setting = await createSetting()
})
beforeEach(async () => {
  receiver = await createReceiver()
})
afterEach(async () => {
  await receiver.stop()
  await setting.clear()
})
afterAll(() => setting.stop())

const storefront = () => ({ STOREFRONT_URL: receiver.url })
const paid = (number: string) => ({ orderId: `order_${number}`, number })
const idsOf = () => receiver.received.map((request) => request.headers['webhook-id'])

const settled: Setting['settled'] = (...of) => setting.settled(...of)

const headers = () => setting.suite.headers.admin(['webhooks:write'])
const get = ({ app }: RunningNotifier, path: string) => app.inject({ url: `${LOG}${path}`, headers: headers() })
const post = ({ app }: RunningNotifier, path: string, payload?: object) =>
  app.inject({ method: 'POST', url: `${LOG}${path}`, headers: headers(), ...(payload && { payload }) })

/** Inserts `count` deliveries, a second apart, as their rows are after sending. */
async function logged(count: number, change: { status?: string; type?: string; endpoint?: string; daysAgo?: number }) {
  const { status = 'delivered', type = 'order.paid', endpoint = 'whe_storefront', daysAgo = 0 } = change
  const prefix = `${status}_${type}_${endpoint}${daysAgo === 0 ? '' : `_${daysAgo}`}`
  const settledAt = ['queued', 'waiting'].includes(status) ? 'null' : 'created'
  await setting.suite.sql(`
    insert into notifier.deliveries (id, endpoint_id, event_id, type, body, subject, mergeable, status, attempts,
      next_attempt_at, created_at, settled_at)
    select 'dlv_${prefix}_' || n, '${endpoint}', 'evt_${prefix}_' || n, '${type}', '{"n":' || n || '}',
      'order:${prefix}_' || n, false, '${status}', 1, created, created, ${settledAt}
    from generate_series(1, ${count}) n,
      lateral (select now() - interval '${daysAgo} days' - interval '1 day' + n * interval '1 second' as created) c`)
}

const span = () => ({
  from: new Date(Date.now() - 3 * DAY_MS).toISOString(),
  to: new Date(Date.now() + DAY_MS).toISOString(),
})

describe('the log', () => {
  test('can be filtered by endpoint, type, status, event and time, and shows each attempt', async () => {
    const notifier = await setting.start(storefront())
    receiver.answer = (response) => response.end('thanks')
    const eventId = await setting.publish(OrderPaid, paid('SF-1'))
    await settled('delivered')
    await setting.suite.sql(
      `insert into notifier.endpoints (id, url, enabled) values ('whe_b', 'http://b.example', false)`,
    )
    await logged(3, { status: 'dead', endpoint: 'whe_b', daysAgo: 2 })
    const totals = async (query: string) => (await get(notifier, query)).json().total
    expect(await totals('')).toBe(4)
    expect(await totals('?endpoint=&type=&status=&event=&replayable=&since=&until=')).toBe(4)
    expect(await totals('?endpoint=whe_b')).toBe(3)
    expect(await totals('?status=dead')).toBe(3)
    const replayable = '?status=dead&replayable=true'
    expect(await totals(replayable)).toBe(3)
    await setting.suite.sql(`update notifier.deliveries set subject = 'test:1' where id like '%_2_1'`)
    expect(await totals(replayable)).toBe(2)
    await setting.suite.sql(`update notifier.endpoints set deleted_at = now() where id = 'whe_b'`)
    expect(await totals(replayable)).toBe(0)
    expect(await totals('?type=order.paid&status=delivered')).toBe(1)
    expect(await totals('?type=product.updated')).toBe(0)
    expect(await totals(`?since=${new Date(Date.now() - DAY_MS).toISOString()}`)).toBe(1)
    expect(await totals(`?until=${new Date(Date.now() - DAY_MS).toISOString()}`)).toBe(3)
    const dayAgo = new Date(Date.now() - DAY_MS).toISOString()
    expect(await totals(`?until=${dayAgo.slice(0, 19)}Z`)).toBe(3)
    expect(await totals(`?since=${dayAgo.slice(0, 10)}`)).toBe(1)
    const found = (await get(notifier, `?event=${eventId}`)).json()
    const attempt = {
      at: expect.any(String),
      durationMs: expect.any(Number),
      status: 200,
      error: null,
      answer: 'thanks',
    }
    expect(found).toMatchObject({ total: 1, items: [{ eventId, replays: 0, attemptLog: [attempt] }] })
    expect(found.items[0]).not.toHaveProperty('body')
    const whole = (await get(notifier, `/${found.items[0].id}`)).json()
    expect(whole).toMatchObject({ body: receiver.received[0]?.body, payload: { id: eventId, number: 'SF-1' } })
    expect(whole.attemptLog).toEqual([attempt])
    const unknown = await get(notifier, '/dlv_unknown')
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'not_found'])
  })

  test('shows the last ten attempts in the list and all of them for one delivery, oldest first', async () => {
    const notifier = await setting.start(storefront())
    await logged(1, {})
    await setting.suite.sql(`
      insert into notifier.attempts (delivery_id, at, duration_ms, status, answer)
      select (select id from notifier.deliveries), now(), n, 500, repeat('x', 4000) from generate_series(1, 14) n`)
    const [item] = (await get(notifier, '')).json().items
    const durations = (log: { durationMs: number }[]) => log.map((attempt) => attempt.durationMs)
    expect(durations(item.attemptLog)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
    const whole = (await get(notifier, `/${item.id}`)).json()
    expect(durations(whole.attemptLog)).toHaveLength(14)
    expect(whole.attemptLog[0].answer).toHaveLength(4000)
  })
})

describe('a replay', () => {
  test('sends the same bytes under the same id, from the start of the schedule', async () => {
    const clock = manualClock(new Date())
    const notifier = await setting.start(storefront(), clock)
    const id = await setting.publish(OrderPaid, paid('SF-1'))
    const [first] = await settled('delivered')
    receiver.answer = (response) => {
      response.statusCode = 500
      response.end()
    }
    const response = await post(notifier, `/${first?.id}/replay`)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ id: first?.id, eventId: id, replays: 1, settledAt: null })
    const [failed] = await waitFor('the failed attempt', async () => {
      const waiting = await setting.deliveries()
      return waiting[0]?.attempts === 2 ? waiting : undefined
    })
    expect((failed?.next_attempt_at.getTime() ?? 0) - clock.now().getTime()).toBeLessThanOrEqual(6000)
    receiver.answer = (response) => response.end()
    clock.advance(6001)
    await waitFor('the third attempt', async () => (await setting.deliveries())[0]?.status === 'delivered')
    expect(idsOf()).toEqual([id, id, id])
    expect(new Set(receiver.received.map((request) => request.body)).size).toBe(1)
  })

  test('is rejected for a delivery that is unknown or in progress, or to a disabled or deleted endpoint', async () => {
    const notifier = await setting.start(storefront())
    await setting.suite.sql(`insert into notifier.endpoints (id, url, enabled, deleted_at)
      values ('whe_off', 'http://off.example', false, null), ('whe_gone', 'http://gone.example', false, now())`)
    await logged(1, { endpoint: 'whe_off' })
    await logged(1, { endpoint: 'whe_gone' })
    let finish = () => {}
    receiver.answer = (response) => {
      finish = () => response.end()
    }
    await setting.publish(OrderPaid, paid('SF-1'))
    const [sending] = await settled('sending')
    await waitFor('the request', () => receiver.received.length === 1)
    const codes = []
    for (const id of ['x', sending?.id, 'dlv_delivered_order.paid_whe_off_1', 'dlv_delivered_order.paid_whe_gone_1']) {
      const response = await post(notifier, `/${id}/replay`)
      codes.push([response.statusCode, response.json().code])
    }
    expect(codes).toEqual([[404, 'not_found'], ...Array.from({ length: 3 }, () => [409, 'conflict'])])
    finish()
    await settled('delivered', 3)
  })

  test('of an old change waits for a newer one of its variant in progress, and is not superseded by it', async () => {
    const notifier = await setting.start(storefront())
    const stock = (inventory: number, version: number) =>
      setting.publish(InventoryUpdated, { slug: 's', variantId: 'var_o', inventory, available: true, version })
    const old = await stock(5, 1)
    const [first] = await settled('delivered')
    let finish = () => {}
    receiver.answer = (response, request) => {
      if (request.body.includes('"inventory":4')) finish = () => response.end()
      else response.end()
    }
    const newer = await stock(4, 2)
    await waitFor('the newer delivery', () => receiver.received.length === 2)
    expect((await post(notifier, `/${first?.id}/replay`)).json()).toMatchObject({ status: 'waiting' })
    const unrelated = await setting.publish(OrderPaid, paid('SF-other'))
    await waitFor('an unrelated delivery', () => receiver.received.length === 3)
    expect(idsOf()).toEqual([old, newer, unrelated])
    finish()
    await settled('delivered', 3)
    await waitFor('the old delivery', () => receiver.received.length === 4)
    expect(idsOf()[3]).toBe(old)
  })

  test('probes an open circuit at once', async () => {
    const clock = manualClock(new Date())
    const notifier = await setting.start(storefront(), clock)
    await setting.publish(OrderPaid, paid('SF-1'))
    const [first] = await settled('delivered')
    const later = new Date(clock.now().getTime() + 300_000).toISOString()
    await setting.suite.sql(`update notifier.endpoints set failures = 20, paused_until = '${later}'`)
    await post(notifier, `/${first?.id}/replay`)
    await waitFor('the replay', () => receiver.received.length === 2)
    await waitFor('the circuit to close', async () => {
      const [row] = await setting.suite.sql<{ failures: number }>('select failures from notifier.endpoints')
      return row?.failures === 0
    })
    expect(receiver.received).toHaveLength(2)
  })

  test('of a time span repeats each delivered or given-up delivery once, and skips disabled endpoints', async () => {
    const notifier = await setting.start(storefront())
    await setting.suite.sql(
      `insert into notifier.endpoints (id, url, enabled) values ('whe_off', 'http://o.example', false)`,
    )
    // They and the next ones take two batches of 500.
    await logged(510, { status: 'dead' })
    await logged(20, { status: 'delivered', type: 'order.fulfilled' })
    await logged(5, { status: 'superseded', type: 'product.updated' })
    await logged(5, { status: 'dead', daysAgo: 5, type: 'category.updated' })
    await logged(5, { status: 'dead', endpoint: 'whe_off' })
    const response = await post(notifier, '/replay', span())
    expect(response.json()).toEqual({ replayed: 530, more: false, next: null })
    await waitFor('all deliveries', () => receiver.received.length === 530)
    await settled('delivered', 530)
    const narrowed = await post(notifier, '/replay', {
      ...span(),
      types: ['order.fulfilled'],
      endpointId: 'whe_storefront',
    })
    expect(narrowed.json()).toMatchObject({ replayed: 20 })
    const explicit = await post(notifier, '/replay', { ...span(), statuses: ['superseded'] })
    expect(explicit.json()).toMatchObject({ replayed: 5 })
  })

  test('of a long time span ends after ten thousand deliveries and can continue from there', async () => {
    // None is delivered meanwhile, which would take longer than the replay.
    receiver.answer = () => {}
    const notifier = await setting.start(storefront())
    await logged(10_400, { status: 'dead' })
    const first = (await post(notifier, '/replay', span())).json()
    expect(first).toEqual({ replayed: 10_000, more: true, next: 'dlv_dead_order.paid_whe_storefront_10000' })
    const second = (await post(notifier, '/replay', { ...span(), after: first.next })).json()
    expect(second).toEqual({ replayed: 400, more: false, next: null })
    const again = await setting.suite.sql('select 1 from notifier.deliveries where replays <> 1')
    expect(again).toEqual([])
  })

  test('of a time span is rejected when the span, the endpoint or the position is invalid', async () => {
    const notifier = await setting.start(storefront())
    await setting.suite.sql(
      `insert into notifier.endpoints (id, url, enabled) values ('whe_off', 'http://o.example', false)`,
    )
    const { from, to } = span()
    const statusOf = async (body: object) => (await post(notifier, '/replay', body)).statusCode
    expect(await statusOf({ from: to, to: from })).toBe(422)
    expect(await statusOf({ from })).toBe(422)
    expect(await statusOf({ from, to, statuses: ['sending'] })).toBe(422)
    expect(await statusOf({ from, to, endpointId: 'whe_unknown' })).toBe(404)
    expect(await statusOf({ from, to, endpointId: 'whe_off' })).toBe(409)
    expect(await statusOf({ from, to, after: 'dlv_unknown' })).toBe(404)
  })
})

describe('after thirty days', () => {
  test('settled deliveries are deleted, and waiting ones to disabled or deleted endpoints are given up', async () => {
    const { suite } = setting
    await suite.sql(`insert into notifier.endpoints (id, url, enabled, disabled_at, deleted_at) values
      ('whe_storefront', 'http://shop.example', true, null, null),
      ('whe_long', 'http://l.example', false, now() - interval '31 days', null),
      ('whe_short', 'http://s.example', false, now() - interval '3 days', null),
      ('whe_gone', 'http://g.example', false, now(), now())`)
    await logged(2300, { status: 'delivered', daysAgo: 31 })
    await logged(3, { status: 'delivered' })
    for (const endpoint of ['whe_long', 'whe_short', 'whe_gone']) await logged(1200, { status: 'queued', endpoint })
    await suite.sql(`insert into notifier.attempts (delivery_id, at, duration_ms)
      select id, created_at, 1 from notifier.deliveries where status = 'delivered'`)
    await setting.withDatabase((db) =>
      followRule(RETENTION['old deliveries'], { db, clock: systemClock, log: suite.log }),
    )
    const left = await suite.sql(`
      select endpoint_id, status, count(*)::int as count from notifier.deliveries group by 1, 2 order by 1, 2`)
    expect(left).toEqual([
      { endpoint_id: 'whe_gone', status: 'dead', count: 1200 },
      { endpoint_id: 'whe_long', status: 'dead', count: 1200 },
      { endpoint_id: 'whe_short', status: 'queued', count: 1200 },
      { endpoint_id: 'whe_storefront', status: 'delivered', count: 3 },
    ])
    expect(await suite.sql('select count(*)::int as count from notifier.attempts')).toEqual([{ count: 3 }])
  })
})
