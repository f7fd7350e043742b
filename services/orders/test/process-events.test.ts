import { manualClock } from '@storefront/service/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { actorVerifier, DependencyUnavailable, type Timer } from '@storefront/service'
import { newSecret, type Browsers } from '@storefront/http'
import { type Messaging } from '@storefront/messaging'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { createOrderLinks } from '../src/access/order-links.ts'
import type { OrdersContext } from '../src/context.ts'
import type { Database } from '../src/database.ts'
import { createDemoProvider } from '../src/payments/demo/demo-provider.ts'
import { ProviderUnavailable, type PaymentUpdate, type RefundUpdate } from '../src/payments/provider.ts'
import { LEASE_MS, processEvents, type UpdateHandlers } from '../src/webhooks/process-events.ts'
import { claimEvents, deleteOldEvents, storeProviderEvent } from '../src/webhooks/webhooks.queries.ts'
import { pageClosings } from '../src/sessions/page-closings.ts'
import { keptEvents, openDatabase } from './webhooks.ts'

const MINUTE_MS = 60_000
let suite: Suite
let db: Database
let messaging: Messaging
let clock: ReturnType<typeof manualClock>
let workers: Timer[]
/** The updates that the simulated handlers received. */
let payments: PaymentUpdate[]
let refunds: RefundUpdate[]
let applyPaymentUpdate: UpdateHandlers['applyPaymentUpdate']

beforeAll(async () => {
  suite = await createSuite('orders')
  db = openDatabase(suite)
  messaging = await suite.openMessaging('orders')
})
afterAll(async () => {
  await db.destroy()
  await suite.stop()
})
beforeEach(async () => {
  await suite.sql('delete from orders.provider_events')
  clock = manualClock('2026-03-01T12:00:00.000Z')
  workers = []
  payments = []
  refunds = []
  applyPaymentUpdate = async (_context, update) => {
    payments.push(update)
    return { kind: 'session' }
  }
})
afterEach(() => Promise.all(workers.map((worker) => worker.stop())))

/** The worker handles no requests of browsers and never calls these operations. */
const NO_BROWSERS: Browsers = {
  nameOf: () => undefined,
  secretsOf: () => [],
  remember: () => {},
  rotate: () => ({ name: newSecret(), secret: newSecret(), send: () => {} }),
}

function startWorker(handlers: Partial<UpdateHandlers> = {}): Timer {
  const demo = createDemoProvider({ db, clock, publicUrl: 'http://shop.test', webhookSecret: undefined })
  const context: OrdersContext = {
    db,
    messaging,
    clock,
    log: suite.log,
    verifyActor: actorVerifier(suite.env('orders')['ACTOR_PUBLIC_KEY'] ?? '', clock),
    publicUrl: 'http://shop.example',
    storefrontOrigins: new Set(),
    orderLinks: createOrderLinks('a secret of these tests'),
    paymentLinks: () => newSecret(),
    paymentLinkDays: 7,
    razorpayUrl: 'http://razorpay.test',
    browsers: NO_BROWSERS,
    reservationTtlSeconds: 600,
    paymentSessionTtlSeconds: 1800,
    razorpayKeyId: undefined,
    isProduction: false,
    lookupsAreLimited: false,
    unpaidLimits: {
      perBuyer: 0,
      perAddress: 0,
      shares: { perBuyer: { percent: 100, leastUnits: 1 }, all: { percent: 100, leastUnits: 1 } },
    },
    responseEncryption: undefined,
    credentials: { stop: () => Promise.resolve() },
    pageClosings: pageClosings(),
    providers: new Map([[demo.name, demo]]),
  }
  const worker = processEvents(context, {
    applyPaymentUpdate: (...update) => applyPaymentUpdate(...update),
    async applyRefundUpdate(_context, update) {
      refunds.push(update)
      return { kind: 'noted' }
    },
    ...handlers,
  })
  workers.push(worker)
  worker.wake()
  return worker
}

async function arrive(eventId: string, event: object = { type: 'payment.captured', session: eventId }): Promise<void> {
  const payload = Buffer.from(JSON.stringify(event))
  await storeProviderEvent(db, { provider: 'demo', eventId, type: 'test', payload }, clock.now())
}

async function eventNamed(eventId: string) {
  return (await keptEvents(suite)).find((event) => event.event_id === eventId)
}

const untilDone = (eventId: string) =>
  waitFor(`${eventId} to be done`, async () => (await eventNamed(eventId))?.status === 'done')

/** Waits until an event was tried and waits for its next attempt. */
async function untilPostponed(eventId: string) {
  return waitFor(`${eventId} to wait for its next attempt`, async () => {
    const event = await eventNamed(eventId)
    if (event?.status !== 'pending' || event.last_error === null) return undefined
    const waitsForMs = event.next_attempt_at.getTime() - clock.now().getTime()
    // During an attempt the event has the error of the previous one and waits as long as the lease; between attempts
    // only an event about an unknown payment waits that long.
    const isClaimed = waitsForMs === LEASE_MS && event.last_error !== 'not known yet'
    return waitsForMs > 0 && !isClaimed ? event : undefined
  })
}

describe('a stored event', () => {
  test('becomes an update of a payment or a refund, once, and is done', async () => {
    await arrive('evt_pay', {
      type: 'payment.captured',
      session: 'demo_cs_1',
      session_id: 'pay_1',
      payment: 'demo_pay_1',
      total: { amount: 4920, currency: 'USD' },
    })
    await arrive('evt_refund', {
      type: 'refund.succeeded',
      refund: 'demo_re_1',
      refund_id: 'refund_1',
      payment: 'demo_pay_1',
      total: { amount: 100, currency: 'USD' },
    })
    await arrive('evt_other', { type: 'payout.created' })
    startWorker()
    await Promise.all(['evt_pay', 'evt_refund', 'evt_other'].map(untilDone))
    expect(payments).toEqual([
      {
        kind: 'payment',
        provider: 'demo',
        status: 'captured',
        reference: 'demo_pay_1',
        sessionId: 'pay_1',
        providerSession: 'demo_cs_1',
        orderId: undefined,
        amount: { amount: 4920, currency: 'USD' },
        method: 'demo',
      },
    ])
    expect(refunds).toMatchObject([
      {
        kind: 'refund',
        status: 'succeeded',
        reference: 'demo_re_1',
        refundId: 'refund_1',
        paymentReference: 'demo_pay_1',
      },
    ])
    expect((await eventNamed('evt_other'))?.last_error).toBe('does not concern this shop')
  })

  test('is processed by one of several replicas, each with eight at a time, also in a burst', async () => {
    let underWay = 0
    let most = 0
    const times = new Map<string, number>()
    applyPaymentUpdate = async (_context, update) => {
      const name = update.providerSession ?? ''
      times.set(name, (times.get(name) ?? 0) + 1)
      underWay++
      most = Math.max(most, underWay)
      await new Promise((resolve) => setTimeout(resolve, 5))
      underWay--
      return { kind: 'session' }
    }
    const names = Array.from({ length: 100 }, (_item, index) => `evt_${index}`)
    for (const name of names) await arrive(name)
    for (let replica = 0; replica < 3; replica++) startWorker()
    await waitFor('all events', async () => (await keptEvents(suite)).every(({ status }) => status === 'done'))
    expect([...times.values()]).toEqual(names.map(() => 1))
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(24)
  })

  test('is not claimed twice by concurrent workers', async () => {
    for (let index = 0; index < 40; index++) await arrive(`evt_${index}`)
    const now = clock.now()
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimEvents(db, { now, leaseUntil, limit: 8 })))
    const names = claims.flat().map(({ eventId }) => eventId)
    expect(new Set(names).size).toBe(names.length)
    expect(Math.max(...claims.map((claim) => claim.length))).toBeLessThanOrEqual(8)
    expect(await claimEvents(db, { now, leaseUntil, limit: 40 })).toHaveLength(40 - names.length)
  })

  test('is claimed again when its lease has ended, because the replica that held it died', async () => {
    await arrive('evt_orphan')
    const now = clock.now()
    const dead = await claimEvents(db, { now, leaseUntil: new Date(now.getTime() + LEASE_MS), limit: 8 })
    expect(dead).toHaveLength(1)
    await arrive('evt_next')
    const worker = startWorker()
    await untilDone('evt_next')
    expect(payments.map(({ providerSession }) => providerSession)).toEqual(['evt_next'])
    clock.advance(LEASE_MS)
    worker.wake()
    await untilDone('evt_orphan')
    expect(payments).toHaveLength(2)
  })

  test('keeps the result of its new worker when the former one ends late', async () => {
    await arrive('evt_slow')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    let calls = 0
    applyPaymentUpdate = async () => {
      calls++
      if (calls > 1) return { kind: 'session' }
      await held
      throw new Error('fails after its lease has ended')
    }
    const slow = startWorker()
    await waitFor('the first worker', () => calls === 1)
    clock.advance(LEASE_MS)
    startWorker()
    await untilDone('evt_slow')
    release()
    await slow.stop()
    expect(await eventNamed('evt_slow')).toMatchObject({ status: 'done', attempts: 0, last_error: null })
  })

  test('of one session may arrive in any order', async () => {
    for (const [id, type] of [
      ['evt_2', 'payment.captured'],
      ['evt_1', 'payment.authorized'],
    ] as const) {
      await arrive(id, { type, session: 'demo_cs_1' })
    }
    startWorker()
    await Promise.all(['evt_1', 'evt_2'].map(untilDone))
    expect(payments.map(({ status }) => status).toSorted()).toEqual(['authorized', 'captured'])
  })
})

describe('when processing fails', () => {
  test.each([
    ['an outage of our own', () => new DependencyUnavailable('catalog')],
    ['an unavailable provider', () => new ProviderUnavailable('demo', new Error('gone'))],
    ['a database that shuts down', () => Object.assign(new Error('going down'), { code: '57P01' })],
  ])('after %s an event is retried soon and without a limit, and no attempt is counted', async (_what, fault) => {
    let down = true
    let calls = 0
    applyPaymentUpdate = async () => {
      calls++
      if (down) throw fault()
      return { kind: 'session' }
    }
    await arrive('evt_wait')
    const worker = startWorker()
    for (let round = 1; round <= 20; round++) {
      const event = await untilPostponed('evt_wait')
      expect(event.attempts).toBe(0)
      expect(event.next_attempt_at.getTime() - clock.now().getTime()).toBe(5000)
      expect(calls).toBe(round)
      clock.advance(5000)
      worker.wake()
      await waitFor('another attempt', () => calls > round)
    }
    await untilPostponed('evt_wait')
    down = false
    clock.advance(5000)
    worker.wake()
    await untilDone('evt_wait')
  })

  test('an event is tried twelve times with longer and longer pauses, and then marked as failed', async () => {
    let calls = 0
    applyPaymentUpdate = async () => {
      calls++
      throw new Error(`does not work: ${'x'.repeat(1000)}`)
    }
    await arrive('evt_bad')
    const worker = startWorker()
    let pauseMs = 0
    for (let failures = 1; failures < 12; failures++) {
      const event = await untilPostponed('evt_bad')
      expect(event.attempts).toBe(failures)
      const nextPauseMs = event.next_attempt_at.getTime() - clock.now().getTime()
      expect(nextPauseMs).toBeGreaterThan(pauseMs)
      pauseMs = nextPauseMs
      clock.advance(pauseMs)
      worker.wake()
      await waitFor('another attempt', () => calls > failures)
    }
    const failed = await waitFor('the event to fail', async () => {
      const event = await eventNamed('evt_bad')
      return event?.status === 'failed' ? event : undefined
    })
    expect(failed.attempts).toBe(12)
    expect(failed.last_error).toMatch(/^does not work: x{400,}$/)
    clock.advance(24 * 60 * MINUTE_MS)
    await arrive('evt_good')
    worker.wake()
    await waitFor('the next event', () => calls === 13)
    expect((await eventNamed('evt_bad'))?.attempts).toBe(12)
  })

  test('an event that cannot be read, or is of a removed provider, does not block others', async () => {
    await arrive('evt_nonsense', { type: 'payment.captured', total: 'much' })
    await storeProviderEvent(
      db,
      { provider: 'gone', eventId: 'evt_gone', type: 'x', payload: Buffer.from('{}') },
      clock.now(),
    )
    await arrive('evt_fine')
    startWorker()
    await untilDone('evt_fine')
    expect((await untilPostponed('evt_nonsense')).attempts).toBe(1)
    expect((await untilPostponed('evt_gone')).last_error).toContain('gone')
  })

  test('an event about an unknown payment is retried for ten minutes, and is then ignored with a note', async () => {
    let known = false
    const requests: string[] = []
    applyPaymentUpdate = async (_context, { providerSession = '' }) => {
      requests.push(providerSession)
      return { kind: known && providerSession === 'evt_early' ? 'session' : 'unknown' }
    }
    await arrive('evt_early')
    await arrive('evt_unknown_payment')
    const worker = startWorker()
    const [early] = await Promise.all(['evt_early', 'evt_unknown_payment'].map(untilPostponed))
    expect(early?.attempts).toBe(0)
    expect(early && early.next_attempt_at.getTime() - clock.now().getTime()).toBeLessThanOrEqual(1000)
    known = true
    clock.advance(1000)
    worker.wake()
    await untilDone('evt_early')

    const before = requests.length
    await waitFor('the unknown event to be ignored', async () => {
      const event = await eventNamed('evt_unknown_payment')
      if (event?.status === 'done') return true
      clock.advance(30_000)
      worker.wake()
      return false
    })
    const ignored = await eventNamed('evt_unknown_payment')
    expect(ignored).toMatchObject({ attempts: 0, last_error: 'no session, order or payment with these ids' })
    expect(clock.now().getTime() - (ignored?.received_at.getTime() ?? 0)).toBeGreaterThanOrEqual(10 * MINUTE_MS)
    expect(requests.length).toBeGreaterThan(before + 3)
  })

  test('an event about a refund of a payment that becomes known after days is applied then', async () => {
    let known = false
    let calls = 0
    const applyRefundUpdate: UpdateHandlers['applyRefundUpdate'] = () => {
      calls++
      return Promise.resolve({ kind: known ? 'noted' : 'unknown' })
    }
    await arrive('evt_early_refund', {
      type: 'refund.succeeded',
      refund: 'demo_re_1',
      payment: 'demo_pay_1',
      total: { amount: 100, currency: 'USD' },
    })
    const worker = startWorker({ applyRefundUpdate })
    await untilPostponed('evt_early_refund')
    clock.advance(10 * 24 * 60 * MINUTE_MS)
    worker.wake()
    await waitFor('another attempt', async () => {
      const event = await eventNamed('evt_early_refund')
      return calls === 2 && event?.next_attempt_at.getTime() === clock.now().getTime() + 60 * MINUTE_MS
    })
    known = true
    clock.advance(60 * MINUTE_MS)
    worker.wake()
    await untilDone('evt_early_refund')
    expect(await eventNamed('evt_early_refund')).toMatchObject({ attempts: 0, last_error: null })
  })

  test('a worker that is stopped finishes its running events and begins no others', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    let begun = 0
    applyPaymentUpdate = async () => {
      begun++
      await held
      return { kind: 'session' }
    }
    for (let index = 0; index < 20; index++) await arrive(`evt_${index}`)
    const worker = startWorker()
    await waitFor('eight running events', () => begun === 8)
    let stopped = false
    const stopping = worker.stop().then(() => (stopped = true))
    await keptEvents(suite)
    expect(stopped).toBe(false)
    release()
    await stopping
    expect(begun).toBe(8)
    expect((await keptEvents(suite)).filter(({ status }) => status === 'done')).toHaveLength(8)
  })
})

test('processed and failed events are deleted after a while, and waiting ones are not', async () => {
  for (const status of ['done', 'failed', 'pending']) {
    await arrive(`evt_${status}`)
    await suite.sql('update orders.provider_events set status = $1 where event_id = $2', [status, `evt_${status}`])
  }
  clock.advance(1000)
  await arrive('evt_young')
  await suite.sql(`update orders.provider_events set status = 'done' where event_id = 'evt_young'`)
  // One at a time, as the limit says; the third finds none.
  for (const deleted of [1, 1, 0]) expect(await deleteOldEvents(db, clock.now(), 1)).toBe(deleted)
  expect((await keptEvents(suite)).map((event) => event.event_id)).toEqual(['evt_pending', 'evt_young'])
})
