import { startServices } from '@storefront/service'
import { manualClock } from '@storefront/service/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import {
  CategoryUpdated,
  InventoryUpdated,
  OrderPaid,
  ProductDeleted,
  ProductUpdated,
  SettingsUpdated,
} from '@storefront/contracts'
import { amount, waitFor } from '@storefront/tools/testing'
import { RETRY_DELAYS_MS } from '../src/deliveries/retry-schedule.ts'
import { createReceiver, createSetting, SECRET, type Received, type Receiver, type Setting } from './setting.ts'

/** The number of deliveries that one worker claims for an endpoint; later ones stay unsent. */
const QUEUE_SIZE = 128

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

const paid = (number: string) => ({ orderId: `order_${number}`, number })
const storefront = (more: Record<string, string> = {}) => ({ STOREFRONT_URL: receiver.url, ...more })

function verified({ headers, body }: Received): unknown {
  const wanted = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  return new Webhook(SECRET).verify(body, Object.fromEntries(wanted.map((name) => [name, String(headers[name])])))
}

const settled: Setting['settled'] = (...of) => setting.settled(...of)

describe('an event', () => {
  test('reaches the storefront signed, with the fields of its type', async () => {
    await setting.start(storefront())
    const inventory = { slug: 'shirt', variantId: 'var_1', inventory: 3, available: true }
    const ids = [
      await setting.publish(OrderPaid, paid('SF-10001')),
      await setting.publish(ProductUpdated, { productId: 'prod_1', slug: 'shirt', version: 1 }),
      await setting.publish(ProductDeleted, { productId: 'prod_2', slug: 'coat', version: 1 }),
      await setting.publish(InventoryUpdated, { ...inventory, version: 1 }),
      await setting.publish(CategoryUpdated, { slug: 'men' }),
      await setting.publish(SettingsUpdated, { version: 1 }),
    ]
    await settled('delivered', 6)
    const at = expect.any(String)
    const payloads = new Map(receiver.received.map((request) => [request.headers['webhook-id'], verified(request)]))
    expect(ids.map((id) => payloads.get(id))).toEqual([
      { id: ids[0], type: 'order.paid', at, orderId: 'order_SF-10001', number: 'SF-10001' },
      { id: ids[1], type: 'product.updated', at, slug: 'shirt' },
      { id: ids[2], type: 'product.deleted', at, slug: 'coat' },
      { id: ids[3], type: 'inventory.updated', at, ...inventory },
      { id: ids[4], type: 'category.updated', at, slug: 'men' },
      { id: ids[5], type: 'settings.updated', at },
    ])
    expect(new Set(receiver.received.map((request) => request.path))).toEqual(new Set(['/api/revalidate']))
  })

  test('that arrives twice is delivered once', async () => {
    await setting.start(storefront())
    const id = await setting.publish(OrderPaid, paid('SF-1'))
    await setting.publish(OrderPaid, paid('SF-1'), id)
    await setting.publish(OrderPaid, paid('SF-2'))
    await settled('delivered', 2)
    expect(receiver.received.filter((request) => request.headers['webhook-id'] === id)).toHaveLength(1)
  })

  test('is delivered once by two notifiers', async () => {
    receiver.answer = (response) => setTimeout(() => response.end(), 5)
    await setting.start(storefront())
    await setting.start(storefront())
    const events = amount({ quick: 80, long: 200 })
    await Promise.all(Array.from({ length: events }, (_, index) => setting.publish(OrderPaid, paid(`SF-${index}`))))
    await settled('delivered', events)
    const ids = receiver.received.map((request) => request.headers['webhook-id'])
    expect(ids).toHaveLength(events)
    expect(new Set(ids).size).toBe(events)
  })
})

describe('a delivery', () => {
  test('that fails is tried again after five seconds, with the same id and the same bytes', async () => {
    const clock = manualClock(new Date())
    receiver.answer = (response, _request, count) => {
      response.statusCode = count === 1 ? 500 : 200
      response.end('a complaint')
    }
    await setting.start(storefront(), clock)
    await setting.publish(OrderPaid, paid('SF-1'))
    const [failed] = await settled('waiting')
    const delayMs = (failed?.next_attempt_at.getTime() ?? 0) - clock.now().getTime()
    expect(delayMs).toBeGreaterThanOrEqual(5000)
    expect(delayMs).toBeLessThanOrEqual(6000)
    expect(receiver.received).toHaveLength(1)
    clock.advance(6001)
    const [delivered] = await settled('delivered')
    expect(delivered?.attempts).toBe(2)
    const [first, second] = receiver.received
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(Number(second?.headers['webhook-timestamp'])).toBeGreaterThan(Number(first?.headers['webhook-timestamp']))
    expect(await setting.suite.sql('select status, error, answer from notifier.attempts order by id')).toEqual([
      { status: 500, error: 'the status is not 2xx', answer: 'a complaint' },
      { status: 200, error: null, answer: 'a complaint' },
    ])
  })

  test('is dead when the schedule is exhausted', async () => {
    const clock = manualClock(new Date())
    receiver.answer = (response) => {
      response.statusCode = 503
      response.end()
    }
    await setting.start(storefront(), clock)
    await setting.publish(OrderPaid, paid('SF-1'))
    for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
      await waitFor(`attempt ${index + 1}`, async () => (await settled('waiting'))[0]?.attempts === index + 1)
      clock.advance(delayMs * 1.2 + 1)
    }
    const [dead] = await settled('dead')
    expect(dead?.attempts).toBe(10)
    expect(receiver.received).toHaveLength(10)
  })

  test('waits as long as the receiver requests', async () => {
    const clock = manualClock(new Date())
    receiver.answer = (response) => {
      response.writeHead(429, { 'retry-after': '3600' })
      response.end()
    }
    await setting.start(storefront(), clock)
    await setting.publish(OrderPaid, paid('SF-1'))
    const [failed] = await settled('waiting')
    expect((failed?.next_attempt_at.getTime() ?? 0) - clock.now().getTime()).toBeGreaterThanOrEqual(3_600_000)
  })

  test('times out when the receiver hangs, without delaying the others', async () => {
    const notifier = await setting.start(storefront({ WEBHOOK_TIMEOUT_MS: '300' }))
    receiver.answer = (response, request) => {
      if (!request.body.includes('SF-hang')) response.end()
    }
    await setting.publish(OrderPaid, paid('SF-hang'))
    await setting.publish(OrderPaid, paid('SF-quick'))
    await settled('delivered')
    const [failed] = await settled('waiting')
    expect(failed).toMatchObject({ last_status: null, last_error: 'no response in time' })
    await notifier.stop()
  })

  test('succeeds by its status even when the body of the response never ends', async () => {
    await setting.start(storefront({ WEBHOOK_TIMEOUT_MS: '300' }))
    receiver.answer = (response) => {
      response.writeHead(200)
      response.write('the rest never comes')
    }
    await setting.publish(OrderPaid, paid('SF-1'))
    const [delivered] = await settled('delivered')
    expect(delivered?.last_status).toBe(200)
  })

  test('keeps no more than 4 KB of a response', async () => {
    await setting.start(storefront())
    receiver.answer = (response) => response.end('x'.repeat(1_000_000))
    await setting.publish(OrderPaid, paid('SF-1'))
    await settled('delivered')
    const [attempt] = await setting.suite.sql<{ length: number }>('select length(answer) from notifier.attempts')
    expect(attempt?.length).toBe(4096)
  })

  test('does not follow a redirect', async () => {
    await setting.start(storefront())
    receiver.answer = (response) => {
      response.writeHead(302, { location: `${receiver.url}/elsewhere` })
      response.end()
    }
    await setting.publish(OrderPaid, paid('SF-1'))
    const [failed] = await settled('waiting')
    expect(failed).toMatchObject({ last_status: 302, last_error: 'redirects are not followed' })
    expect(receiver.received).toHaveLength(1)
  })

  test('that gets 410 disables the endpoint, which then receives nothing more', async () => {
    await setting.start(storefront())
    receiver.answer = (response) => {
      response.statusCode = 410
      response.end()
    }
    await setting.publish(OrderPaid, paid('SF-1'))
    await settled('dead')
    const next = await setting.publish(OrderPaid, paid('SF-2'))
    await waitFor('the event to be consumed', async () => {
      const receipts = await setting.suite.sql('select 1 from notifier.inbox where event_id = $1', [next])
      return receipts.length > 0
    })
    expect(await setting.deliveries()).toHaveLength(1)
    expect(await setting.suite.sql('select enabled, disabled_reason from notifier.endpoints')).toEqual([
      { enabled: false, disabled_reason: 'it responded with 410 Gone' },
    ])
  })

  test.each(['http://127.0.0.1', 'http://localhost', 'http://[::ffff:127.0.0.1]', 'http://2130706433'])(
    'to the private address %s is rejected unless that is allowed',
    async (host) => {
      const { port } = new URL(receiver.url)
      await setting.start({ STOREFRONT_URL: `${host}:${port}`, WEBHOOK_ALLOW_PRIVATE: 'false' })
      await setting.publish(OrderPaid, paid('SF-1'))
      const [failed] = await settled('waiting')
      expect(failed?.last_error).toContain('private address')
      expect(receiver.received).toEqual([])
    },
  )
})

describe('events that are not sent yet', () => {
  // A full queue leaves the events unsent, while an unreachable address would be attempted at once.
  async function fullQueue(): Promise<() => void> {
    const open: (() => void)[] = []
    receiver.answer = (response, request) => {
      if (request.body.includes('SF-full')) open.push(() => response.end())
      else response.end()
    }
    await Promise.all(
      Array.from({ length: QUEUE_SIZE }, (_, index) => setting.publish(OrderPaid, paid(`SF-full-${index}`))),
    )
    await settled('sending', QUEUE_SIZE)
    return () => {
      receiver.answer = (response) => response.end()
      for (const finish of open) finish()
    }
  }
  const newOnes = () => receiver.received.filter((request) => !request.body.includes('SF-full'))
  const bodies = () => newOnes().map((request): unknown => JSON.parse(request.body))

  test('merge per product and per variant, and the newest version wins', async () => {
    await setting.start(storefront())
    const open = await fullQueue()
    const stock = (variantId: string, inventory: number, version: number) =>
      setting.publish(InventoryUpdated, { slug: 'shirt', variantId, inventory, available: inventory > 0, version })
    await setting.publish(ProductUpdated, { productId: 'prod_m', slug: 'shirt', version: 1 })
    const newestProduct = await setting.publish(ProductUpdated, { productId: 'prod_m', slug: 'shirt-2', version: 2 })
    await stock('var_m1', 9, 1)
    const newestStock = await stock('var_m1', 7, 3)
    await stock('var_m1', 8, 2)
    const other = await stock('var_m2', 4, 1)
    await waitFor('all events to be consumed', async () => {
      const [received] = await setting.suite.sql<{ count: number }>(
        `select count(*)::int from notifier.inbox where consumer like '%inventory%'
          and event_id in (select event_id from notifier.deliveries where type = 'inventory.updated')`,
      )
      const queued = (await setting.deliveries()).filter((delivery) => delivery.status === 'queued')
      const merged = queued.find((delivery) => delivery.body.includes('shirt-2'))?.merged_events
      return received?.count === 2 && queued.length === 3 && merged === 1
    })
    open()
    await settled('delivered', QUEUE_SIZE + 3)
    expect(bodies()).toHaveLength(3)
    expect(bodies()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: newestProduct, slug: 'shirt-2' }),
        expect.objectContaining({ id: newestStock, inventory: 7 }),
        expect.objectContaining({ id: other, inventory: 4 }),
      ]),
    )
  })

  test('are not sent after a newer version', async () => {
    await setting.start(storefront())
    const stock = (inventory: number, version: number) =>
      setting.publish(InventoryUpdated, { slug: 's', variantId: 'var_n', inventory, available: true, version })
    await stock(5, 2)
    await settled('delivered')
    await stock(6, 1)
    await stock(4, 3)
    await settled('delivered', 2)
    expect(bodies()).toEqual([expect.objectContaining({ inventory: 5 }), expect.objectContaining({ inventory: 4 })])
  })

  test('wait for an earlier one of the same product that is in progress', async () => {
    await setting.start(storefront())
    const product = (slug: string, version: number) =>
      setting.publish(ProductUpdated, { productId: 'prod_o', slug, version })
    let finish = () => {}
    receiver.answer = (response, request) => {
      if (request.body.includes('first')) finish = () => response.end()
      else response.end()
    }
    await product('first', 1)
    await waitFor('the first attempt', () => receiver.received.length === 1)
    await product('second', 2)
    await settled('queued')
    await setting.publish(OrderPaid, paid('SF-other'))
    await waitFor('an unrelated event to be delivered first', () => receiver.received.length === 2)
    finish()
    await waitFor('the second', () => receiver.received.length === 3)
    expect(receiver.received[2]?.body).toContain('second')
  })

  test('replace one of the same product that failed and waits', async () => {
    const clock = manualClock(new Date())
    await setting.start(storefront(), clock)
    const product = (slug: string, version: number) =>
      setting.publish(ProductUpdated, { productId: 'prod_r', slug, version })
    receiver.answer = (response) => {
      response.statusCode = 500
      response.end()
    }
    await product('first', 1)
    await settled('waiting')
    receiver.answer = (response) => response.end()
    await product('second', 2)
    await settled('delivered')
    clock.advance(6001)
    await settled('superseded')
    expect(receiver.received.map((request) => request.body.includes('first'))).toEqual([true, false])
  })
})

describe('a product that is deleted and restored with its id', () => {
  const changed = (slug: string, version: number) =>
    setting.publish(ProductUpdated, { productId: 'prod_back', slug, version })
  const deleted = (slug: string, version: number) =>
    setting.publish(ProductDeleted, { productId: 'prod_back', slug, version })
  const published = () =>
    receiver.received.map(({ body }) => z.object({ type: z.string(), slug: z.string() }).parse(JSON.parse(body)))

  test('is published in that order, even when all of its events waited', async () => {
    const clock = manualClock(new Date())
    await setting.start(storefront(), clock)
    await changed('other', 1)
    await settled('delivered')
    const pausedUntil = new Date(clock.now().getTime() + 60_000).toISOString()
    await setting.suite.sql(`update notifier.endpoints set failures = 10, paused_until = '${pausedUntil}'`)
    await changed('back', 2)
    await settled('queued')
    await deleted('back', 3)
    await settled('queued', 2)
    const last = await changed('back', 4)
    await waitFor('the last event', async () =>
      (await setting.deliveries()).some((delivery) => delivery.event_id === last),
    )
    clock.advance(60_001)
    await settled('delivered', 3)
    expect(published().slice(1)).toEqual([
      { type: 'product.deleted', slug: 'back' },
      { type: 'product.updated', slug: 'back' },
    ])
  })

  test('is not deleted again by a deletion that arrives too late, but the page of its former slug is', async () => {
    await setting.start(storefront())
    await changed('back', 4)
    await settled('delivered')
    await deleted('back', 3)
    await settled('superseded')
    await deleted('before', 2)
    await settled('delivered', 2)
    expect(published()).toEqual([
      { type: 'product.updated', slug: 'back' },
      { type: 'product.deleted', slug: 'before' },
    ])
  })

  test('is not deleted again by a deletion that failed before its update was delivered', async () => {
    const clock = manualClock(new Date())
    await setting.start(storefront(), clock)
    receiver.answer = (response) => {
      response.statusCode = 500
      response.end()
    }
    await deleted('back', 3)
    await settled('waiting')
    receiver.answer = (response) => response.end()
    await changed('back', 4)
    await settled('delivered')
    clock.advance(6001)
    await settled('superseded')
    expect(published()).toEqual([
      { type: 'product.deleted', slug: 'back' },
      { type: 'product.updated', slug: 'back' },
    ])
  })
})

describe('without Postgres', () => {
  test('the response of a receiver is kept until it can be stored', async () => {
    await setting.start(storefront())
    let finish: (() => void) | undefined
    receiver.answer = (response) => {
      finish = () => response.end()
    }
    await setting.publish(OrderPaid, paid('SF-1'))
    await waitFor('the attempt', () => finish)
    const { suite } = setting
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'notifier %'
      and datname = current_database()`
    await suite.sql(cut)
    finish?.()
    await suite.sql(cut)
    const [delivered] = await settled('delivered')
    expect(delivered?.attempts).toBe(1)
    expect(receiver.received).toHaveLength(1)
  })
})

describe('without NATS', () => {
  test('queued deliveries are processed', async () => {
    const clock = manualClock(new Date())
    receiver.answer = (response) => {
      response.statusCode = 500
      response.end()
    }
    const notifier = await setting.start(storefront(), clock)
    await setting.publish(OrderPaid, paid('SF-1'))
    await settled('waiting')
    await notifier.stop()
    receiver.answer = (response) => response.end()
    clock.advance(6001)
    const alone = await setting.start(storefront({ NATS_URL: 'nats://127.0.0.1:9' }), clock)
    const [delivered] = await settled('delivered')
    expect(delivered?.attempts).toBe(2)
    await alone.stop()
  })
})

describe('a notifier that stops', () => {
  const statuses = async () => (await setting.deliveries()).map((delivery) => delivery.status)

  test('finishes the deliveries in progress and releases the remaining ones, also while the gateway of its process stops', async () => {
    const notifier = await setting.start(storefront())
    const open: (() => void)[] = []
    receiver.answer = (response) => open.push(() => response.end())
    await Promise.all(Array.from({ length: 40 }, (_, index) => setting.publish(OrderPaid, paid(`SF-${index}`))))
    await waitFor('a full queue', () => open.length === 8)
    const { promise: gatewayStopped, resolve: stopGateway } = Promise.withResolvers<void>()
    const gateway = { stop: () => gatewayStopped }
    const running = await startServices([gateway, notifier].map((each) => ({ start: async () => each })))
    const stopped = running.stop()
    for (const finish of open) finish()
    await waitFor('the claims to end', async () => !(await statuses()).includes('sending'))
    expect((await statuses()).filter((status) => status === 'delivered')).toHaveLength(8)
    expect(receiver.received).toHaveLength(8)
    stopGateway()
    await stopped
  })
})

describe('GET /admin/webhooks/deliveries', () => {
  test('shows what was sent to which endpoint, to admins alone', async () => {
    const { app } = await setting.start(storefront())
    const eventId = await setting.publish(OrderPaid, paid('SF-1'))
    await settled('delivered')
    const url = '/admin/webhooks/deliveries?status=delivered&per_page=1'
    const shown = await app.inject({ url, headers: setting.suite.headers.admin(['webhooks:write']) })
    expect(shown.json()).toMatchObject({
      items: [{ eventId, type: 'order.paid', status: 'delivered', attempts: 1, lastStatus: 200, nextAttemptAt: null }],
      total: 1,
      page: 1,
      perPage: 1,
    })
    expect(shown.body).not.toContain('whsec_')
    expect((await app.inject({ url })).statusCode).toBe(401)
    expect((await app.inject({ url, headers: setting.suite.headers.admin(['orders:read']) })).statusCode).toBe(403)
    const unknown = await app.inject({ url: `${url}x&status=lost`, headers: setting.suite.headers.admin() })
    expect(unknown.statusCode).toBe(422)
  })
})
