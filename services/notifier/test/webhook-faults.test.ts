import { manualClock } from '@storefront/service/testing'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OrderPaid, ProductUpdated } from '@storefront/contracts'
import { amount, builtProgram, holdAtRow, waitFor } from '@storefront/tools/testing'
import { OPENS_AFTER } from '../src/deliveries/circuit.ts'
import { RETRY_DELAYS_MS } from '../src/deliveries/retry-schedule.ts'
import { createReceiver, createSetting, portOf, SECRET, type Receiver, type Setting } from './setting.ts'

const MAIN = await builtProgram('services/notifier/src/main.ts')

let setting: Setting
let receiver: Receiver
const receivers: Receiver[] = []
const processes = new Set<ChildProcess>()

beforeAll(async () => {
  setting = await createSetting()
})
beforeEach(async () => {
  receiver = await anotherReceiver()
})
afterEach(cleanUp)
afterAll(() => setting.stop())

async function cleanUp(): Promise<void> {
  for (const child of processes) await kill(child)
  for (const one of receivers.splice(0)) await one.stop()
  await setting.clear()
}

async function anotherReceiver(): Promise<Receiver> {
  const made = await createReceiver()
  receivers.push(made)
  return made
}

const paid = (number: string) => ({ orderId: `order_${number}`, number })
const storefront = (more: Record<string, string> = {}) => ({ STOREFRONT_URL: receiver.url, ...more })

const settled: Setting['settled'] = (...of) => setting.settled(...of)

async function publishPaid(count: number): Promise<void> {
  // The first event connects its publisher, so it is published before the others.
  await setting.publish(OrderPaid, paid('SF-0'))
  await Promise.all(
    Array.from({ length: count - 1 }, (_, index) => setting.publish(OrderPaid, paid(`SF-${index + 1}`))),
  )
}

async function endpoint(id: string, url: string): Promise<void> {
  // An endpoint without a secret of its own would receive no deliveries.
  await setting.suite.sql('insert into notifier.endpoints (id, url, secret) values ($1, $2, $3)', [id, url, SECRET])
}

async function circuit() {
  const [row] = await setting.suite.sql<{ failures: number; paused_until: Date | null; enabled: boolean }>(
    `select failures, paused_until, enabled from notifier.endpoints where id = 'whe_storefront'`,
  )
  return row ?? { failures: 0, paused_until: null, enabled: false }
}

function spawnNotifier(more: Record<string, string> = {}): ChildProcess {
  const env = { PATH: process.env['PATH'] ?? '', ...setting.env(storefront(more)) }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  processes.add(child)
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  processes.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const idsOf = (one: Receiver) => one.received.map((request) => String(request.headers['webhook-id']))

describe('a receiver', () => {
  test('that is down for the first five attempts gets the event with the sixth', async () => {
    const clock = manualClock(new Date())
    receiver.answer = (response, _request, count) => {
      if (count <= 5) response.destroy()
      else response.end()
    }
    await setting.start(storefront(), clock)
    const id = await setting.publish(OrderPaid, paid('SF-1'))
    for (const [index, delayMs] of RETRY_DELAYS_MS.slice(0, 5).entries()) {
      await waitFor(`attempt ${index + 1}`, async () => (await settled('waiting'))[0]?.attempts === index + 1)
      clock.advance(delayMs * 1.2 + 1)
    }
    const [delivered] = await settled('delivered')
    expect(delivered).toMatchObject({ event_id: id, attempts: 6, last_status: 200 })
    expect(idsOf(receiver)).toEqual(Array.from({ length: 6 }, () => id))
  })

  test('that responds with 200 too late has failed, and gets the event again', async () => {
    const clock = manualClock(new Date())
    let respondLate = () => {}
    receiver.answer = (response, _request, count) => {
      if (count > 1) response.end()
      else respondLate = () => response.end()
    }
    await setting.start(storefront({ WEBHOOK_TIMEOUT_MS: '2000' }), clock)
    const id = await setting.publish(OrderPaid, paid('SF-1'))
    const [failed] = await settled('waiting')
    respondLate()
    expect(failed).toMatchObject({ last_status: null, last_error: 'no response in time' })
    clock.advance(6001)
    await settled('delivered')
    expect(idsOf(receiver)).toEqual([id, id])
  })

  test('that responds with 200 after eleven seconds has exceeded the timeout of ten', async () => {
    const clock = manualClock(new Date())
    receiver.answer = (response, _request, count) => {
      if (count > 1) response.end()
      else setTimeout(() => response.end(), 11_000)
    }
    await setting.start(storefront({ POLL_INTERVAL_MS: '1000' }), clock)
    const id = await setting.publish(OrderPaid, paid('SF-1'))
    const waiting = async () => (await setting.deliveries()).find(({ status }) => status === 'waiting')
    expect(await waitFor('the timeout', waiting)).toMatchObject({
      last_status: null,
      last_error: 'no response in time',
    })
    const attempts = await setting.suite.sql<{ duration_ms: number }>('select duration_ms from notifier.attempts')
    // Had the attempt ended later, its result would have been the response of the receiver.
    expect(attempts.map(({ duration_ms: durationMs }) => durationMs >= 10_000)).toEqual([true])
    clock.advance(6001)
    await settled('delivered')
    expect(idsOf(receiver)).toEqual([id, id])
  })

  test('that disconnects in the middle of its response is judged by the status it sent', async () => {
    receiver.answer = (response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half', () => response.destroy())
    }
    await setting.start(storefront())
    await setting.publish(OrderPaid, paid('SF-1'))
    await settled('delivered')
    await setting.publish(OrderPaid, paid('SF-2'))
    await settled('delivered', 2)
    expect(receiver.received).toHaveLength(2)
  })

  test.each([
    ['bytes that are not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['a flood of headers', `HTTP/1.1 200 OK\r\n${'x-flood: 0123456789\r\n'.repeat(5000)}\r\n`],
    ['an endless status line', `HTTP/1.1 200 ${'x'.repeat(2_000_000)}`],
    ['endless provisional responses', 'HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n'.repeat(5000)],
    [
      'a response that switches protocols',
      'HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    ],
  ])('that responds with %s has failed, and the next event is sent', async (_what, bytes) => {
    const clock = manualClock(new Date())
    const sockets = new Set<Socket>()
    const server: Server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('data', () => socket.write(bytes))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${portOf(server.address())}`
      await setting.start({ STOREFRONT_URL: url, WEBHOOK_TIMEOUT_MS: '500' }, clock)
      await setting.publish(OrderPaid, paid('SF-1'))
      const [failed] = await settled('waiting')
      expect(failed?.last_status).toBeNull()
      await setting.publish(OrderPaid, paid('SF-2'))
      await settled('waiting', 2)
    } finally {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  test('that sends a compression bomb has no more than 4 KB of it read, without decompression', async () => {
    await setting.start(storefront())
    receiver.answer = (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(Buffer.alloc(3_000_000, 'z'))
    }
    await setting.publish(OrderPaid, paid('SF-1'))
    await settled('delivered')
    const [attempt] = await setting.suite.sql<{ answer: string }>('select answer from notifier.attempts')
    expect(attempt?.answer).toBe('z'.repeat(4096))
  })
})

describe('one endpoint that hangs and one that fails', () => {
  test('do not delay a third one', async () => {
    const hanging = await anotherReceiver()
    const failing = await anotherReceiver()
    hanging.answer = () => {}
    failing.answer = (response) => {
      response.statusCode = 500
      response.end()
    }
    await endpoint('whe_a_hanging', hanging.url)
    await endpoint('whe_b_failing', failing.url)
    // The clock of the notifier does not move, so that no pause of a circuit ends.
    // Nor does the timeout of a delivery, however slow the machine: the next ones would go to the hanging endpoint.
    await setting.start(storefront({ WEBHOOK_TIMEOUT_MS: '200000' }), manualClock(new Date()))
    const events = amount({ quick: 120, long: 400 })
    await publishPaid(events)
    await waitFor('all events at the third endpoint', () => receiver.received.length === events, 150_000)
    expect(new Set(idsOf(receiver)).size).toBe(events)
    expect(hanging.received.length).toBe(8)
    // The circuit opens with the tenth failure, when seven other deliveries can be in progress.
    await waitFor('the circuit of the failing endpoint to open', async () => {
      const rows = await setting.suite.sql(
        `select 1 from notifier.endpoints where id = 'whe_b_failing' and failures >= ${OPENS_AFTER}`,
      )
      return rows.length === 1
    })
    expect(failing.received.length).toBeGreaterThanOrEqual(OPENS_AFTER)
    expect(failing.received.length).toBeLessThanOrEqual(OPENS_AFTER + 7)
  })
})

describe('the circuit', () => {
  function failEveryDelivery(): void {
    receiver.answer = (response) => {
      response.statusCode = 500
      response.end()
    }
  }

  async function untilOpen(): Promise<void> {
    await waitFor('the circuit to open', async () => (await circuit()).failures >= OPENS_AFTER)
    await waitFor('no delivery to be in progress', async () =>
      (await setting.deliveries()).every(({ status }) => status !== 'sending'),
    )
  }

  test('is shared by two replicas: one probe after each pause, and the first success resumes delivery', async () => {
    const clock = manualClock(new Date())
    failEveryDelivery()
    await setting.start(storefront(), clock)
    await setting.start(storefront(), clock)
    const events = amount({ quick: 150, long: 300 })
    await publishPaid(events)
    await waitFor('all events to be consumed', async () => (await setting.deliveries()).length >= events)
    await untilOpen()
    const before = receiver.received.length
    const untried = (await setting.deliveries()).filter(({ attempts }) => attempts === 0).length
    expect(untried).toBeGreaterThan(events - 100)
    for (const [index, pauseMs] of [6001, 12_001, 24_001].entries()) {
      clock.advance(pauseMs)
      await waitFor(`probe ${index + 1}`, async () => (await circuit()).failures === OPENS_AFTER + index + 1)
      expect(receiver.received.length).toBe(before + index + 1)
    }
    receiver.answer = (response) => response.end()
    clock.advance(48_001)
    await waitFor('all untried deliveries', async () => {
      const deliveries = await setting.deliveries()
      return deliveries.every(({ status, attempts }) => attempts > 1 || status === 'delivered')
    })
    expect(await circuit()).toMatchObject({ failures: 0, paused_until: null })
    clock.advance((RETRY_DELAYS_MS[1] ?? 0) * 1.2 + 1)
    await settled('delivered', events)
  })

  test('lets another replica probe when the one that did has died', async () => {
    const clock = manualClock(new Date())
    failEveryDelivery()
    await setting.start(storefront(), clock)
    await publishPaid(20)
    await untilOpen()
    // This is the state that a replica leaves when it takes the probe and dies.
    await setting.suite.sql(
      `update notifier.endpoints set paused_until = '${new Date(clock.now().getTime() + 11_200).toISOString()}'`,
    )
    receiver.answer = (response) => response.end()
    const before = receiver.received.length
    clock.advance(11_000)
    await setting.publish(OrderPaid, paid('SF-late'))
    await waitFor('the event to be consumed', async () => (await setting.deliveries()).length === 21)
    expect(receiver.received.length).toBe(before)
    clock.advance(300)
    await settled('delivered', 21)
  })

  test('and the retry schedule survive a restart of everything', async () => {
    const clock = manualClock(new Date())
    failEveryDelivery()
    const first = await setting.start(storefront(), clock)
    await publishPaid(30)
    await waitFor('all events to be consumed', async () => (await setting.deliveries()).length === 30)
    await untilOpen()
    const paused = await circuit()
    const schedule = (await setting.deliveries()).map(({ id, next_attempt_at: at }) => ({ id, at }))
    await first.stop()
    receiver.answer = (response) => response.end()
    await setting.suite.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'notifier %'
        and datname = current_database()`,
    )
    const before = receiver.received.length
    await setting.start(storefront(), clock)
    expect(await circuit()).toEqual(paused)
    expect((await setting.deliveries()).map(({ id, next_attempt_at: at }) => ({ id, at }))).toEqual(schedule)
    expect(receiver.received.length).toBe(before)
    clock.advance(6001)
    await settled('delivered', 30)
  })
})

describe('two notifiers', () => {
  const ROUNDS = amount({ quick: 6, long: 20 })
  test(`deliver ${ROUNDS * 100} changes once each, and those of one product in their order`, async () => {
    let current = 0
    const underWay = new Set<string>()
    const twice: string[] = []
    const failed = new Set<unknown>()
    receiver.answer = (response, request) => {
      const subject = /"(?:slug|variantId)":"(p\d+)/.exec(request.body)?.[1] ?? ''
      if (underWay.has(subject)) twice.push(subject)
      underWay.add(subject)
      current++
      // None fails twice: its third attempt would follow only after minutes.
      const id = request.headers['webhook-id']
      const fails = current % 50 === 0 && !failed.has(id)
      if (fails) failed.add(id)
      setTimeout(() => {
        underWay.delete(subject)
        response.statusCode = fails ? 500 : 200
        response.end()
      }, current % 7)
    }
    await setting.start(storefront())
    await setting.start(storefront())
    // The first event connects its publisher, so it is published before the others.
    await setting.publish(ProductUpdated, { productId: 'p100', slug: 'p100-v1', version: 1 })
    const rounds = Array.from({ length: ROUNDS }, (_, index) => index + 1)
    for (const version of rounds) {
      await Promise.all(
        Array.from({ length: 100 }, (_, product) =>
          setting.publish(ProductUpdated, { productId: `p${product}`, slug: `p${product}-v${version}`, version }),
        ),
      )
    }
    await waitFor(
      'the last change of each product',
      async () => {
        const open = await setting.suite.sql(
          `select 1 from notifier.deliveries where status in ('queued', 'sending', 'waiting') limit 1`,
        )
        const [last] = await setting.suite.sql<{ count: number }>(
          `select count(*)::int from notifier.deliveries where status = 'delivered' and version = $1`,
          [ROUNDS],
        )
        return open.length === 0 && last?.count === 100
      },
      90_000,
    )
    expect(twice).toEqual([])
    expect(failed.size).toBeGreaterThan(0)
    const deliveries = await setting.suite.sql<{ event_id: string; subject: string; version: number }>(
      `select event_id, subject, version::int from notifier.deliveries where status = 'delivered'`,
    )
    const accepted = await setting.suite.sql<{ count: number }>(
      `select count(*)::int from notifier.attempts where status = 200 group by delivery_id having count(*) > 1`,
    )
    expect(accepted).toEqual([])
    const versions = new Map(deliveries.map((delivery) => [delivery.event_id, delivery]))
    const newest = new Map<string, number>()
    for (const id of idsOf(receiver)) {
      const { subject, version } = versions.get(id) ?? {}
      if (subject === undefined || version === undefined) continue
      expect(version).toBeGreaterThanOrEqual(newest.get(subject) ?? 0)
      newest.set(subject, version)
    }
  })
})

/**
 * Kills a notifier when its statement that records accepted deliveries writes the second of several, and starts the
 * next one.
 * @returns the ids of the events, all requests, and how many attempts each event took
 */
async function killWhileItRecords() {
  receiver = await anotherReceiver()
  const held = await holdAtRow(setting.suite.databaseAdminUrl, {
    table: 'notifier.deliveries',
    on: 'update',
    when: `new.status = 'delivered'`,
    row: 2,
  })
  const open: (() => void)[] = []
  receiver.answer = (response) => {
    open.push(() => response.end())
    // Accepted together, they are recorded together.
    if (open.length >= 4) for (const answer of open) answer()
  }
  const ids: string[] = []
  try {
    const notifier = spawnNotifier()
    for (let number = 1; number <= 4; number++) ids.push(await setting.publish(OrderPaid, paid(`SF-${number}`)))
    await held.reached()
    await kill(notifier)
    await held.terminate()
  } finally {
    await held.release()
  }
  await setting.start(storefront())
  const deliveries = await settled('delivered', ids.length)
  const attempts = new Map(deliveries.map(({ event_id: id, attempts }) => [id, attempts]))
  return { ids, requests: receiver.received, attempts }
}

describe('a notifier that is killed', () => {
  let killed: Awaited<ReturnType<typeof killWhileItRecords>>
  /** The bodies that arrived for each event. */
  const bodies = () =>
    killed.ids.map((id) => killed.requests.filter((one) => one.headers['webhook-id'] === id).map(({ body }) => body))

  beforeAll(async () => {
    try {
      killed = await killWhileItRecords()
    } finally {
      await cleanUp()
    }
  })

  test('after the receiver accepted a delivery, but before that was recorded, repeats the same bytes', () => {
    const repeated = killed.ids.filter((id) => killed.attempts.get(id) !== 1)
    expect(repeated.length).toBeGreaterThan(0)
    expect(repeated.map((id) => killed.attempts.get(id))).toEqual(repeated.map(() => 2))
    for (const sent of bodies()) expect(new Set(sent).size).toBe(1)
    expect(bodies().map((sent) => sent.length)).toEqual(killed.ids.map((id) => killed.attempts.get(id)))
  })

  test('in the middle of recording several deliveries repeats these with the same ids, and loses none', () => {
    const arrived = bodies().map((sent) => sent.length)
    expect(arrived.every((times) => times === 1 || times === 2)).toBe(true)
    // At least two shared the statement that did not commit.
    expect(arrived.filter((times) => times === 2).length).toBeGreaterThanOrEqual(2)
    expect(killed.requests).toHaveLength(arrived.reduce((sum, times) => sum + times, 0))
  })

  test('again and again uses up none of the retry schedule', async () => {
    receiver.answer = () => {}
    const received = spawnNotifier()
    await setting.publish(OrderPaid, paid('SF-1'))
    await waitFor('the first attempt', () => receiver.received.length === 1)
    await kill(received)
    const attempts = amount({ quick: [2], long: [2, 3] })
    for (const attempt of attempts) {
      const next = spawnNotifier()
      await waitFor(`attempt ${attempt}`, () => receiver.received.length === attempt)
      await kill(next)
    }
    const rows = await setting.suite.sql('select attempts, failures from notifier.deliveries')
    expect(rows).toEqual([{ attempts: attempts.length, failures: 0 }])
    expect(await circuit()).toMatchObject({ failures: 0, enabled: true })
  })
})
