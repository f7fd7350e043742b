import { relayBatch } from '@storefront/messaging/testing'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, headers, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { consume, natsAddress, publish, type Consumer, type Messaging } from '@storefront/messaging'
import { createDatabase, transaction } from '@storefront/postgres'
import { systemClock } from '@storefront/service'
import {
  CustomerVerified,
  deadLetterSubject,
  eventsStream,
  eventSubject,
  newId,
  OrderCancelled,
  OrderFulfilled,
  OrderPaid,
  WishlistSaved,
  type EventDefinition,
} from '@storefront/contracts'
import { recordRunningShop } from '../running-shop.ts'
import { readSettings } from '../shop-settings.ts'
import { builtProgram, createSuite, temporaryFolder, waitFor, type Suite } from '../testing/index.ts'
import { readEventArguments } from './event-arguments.ts'
import { replayEvents } from './replay-events.ts'
import { runCommand } from './run-command.ts'
import { openShopStreams } from './shop-streams.ts'
import { processTerminal, type Terminal } from './terminal.ts'

const repository = resolve(import.meta.dirname, '../../..')
const EVENTS = await builtProgram('tools/src/events/main.ts')

let suite: Suite
const open = (service: 'orders' | 'cart') =>
  createDatabase<{ effects: { number: string } }>({
    url: suite.databaseUrl(service),
    poolSize: 4,
    name: service,
    log: suite.log,
  })

let orders: ReturnType<typeof open>
let cart: ReturnType<typeof open>
let from: Messaging
let to: Messaging
let admin: NatsConnection
const consumers: Consumer[] = []

beforeAll(async () => {
  suite = await createSuite('orders', 'cart')
  orders = open('orders')
  cart = open('cart')
  from = await suite.openMessaging('orders')
  to = await suite.openMessaging('cart')
  admin = await connect(natsAddress(inject('servers').natsAdminUrl))
  await suite.sql('create table cart.effects (number text not null)')
  await suite.sql(`grant select, insert on cart.effects to ${new URL(suite.databaseUrl('cart')).username}`)
})

afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()))
})

afterAll(async () => {
  await admin.close()
  await orders.destroy()
  await cart.destroy()
  await suite.stop()
})

interface Ending {
  code: number
  out: string
  err: string
}

function environment(more: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    NATS_URL: inject('servers').natsAdminUrl,
    NAMESPACE: suite.namespace,
    ...more,
  }
}

/** Runs the command as `main.ts` does, without a terminal to confirm on. */
async function events(args: string[], more: Record<string, string> = {}): Promise<Ending> {
  const ending: Ending = { code: 0, out: '', err: '' }
  const terminal: Terminal = {
    ...processTerminal(),
    out: (text) => void (ending.out += text),
    note: (text) => void (ending.err += text),
  }
  const signal = AbortSignal.timeout(25_000)
  ending.code = await runCommand(args, { env: environment(more), terminal, signal })
  return ending
}

/** Publishes like the relay, but with the id and time that a test needs. */
async function publishEvent<Data>(
  event: EventDefinition<string, Data>,
  data: Data,
  more: { at?: Date } = {},
): Promise<string> {
  const id = newId('event')
  const envelope = { id, name: event.name, at: (more.at ?? systemClock.now()).toISOString(), data }
  const subject = eventSubject(suite.namespace, event)
  await jetstream(admin).publish(subject, JSON.stringify(envelope), { msgID: id })
  return id
}

const cancelled = (number: string) => ({ orderId: `order_${number}`, number, cartId: `cart_${number}` })

function listen(definition: EventDefinition<string, { number: string }> = OrderCancelled): void {
  consumers.push(
    consume({ db: cart, messaging: to, log: suite.log }, definition, async (tx, received) => {
      for (const { data } of received) await tx.insertInto('effects').values({ number: data.number }).execute()
    }),
  )
}

/** Like a consumer that was deployed with a bug: it gives up at once. */
const MISREAD = { ...OrderCancelled, data: z.object({ number: z.string(), weight: z.int() }) }

const effects = async (prefix: string) =>
  (await suite.sql<{ number: string }>('select number from cart.effects where number like $1', [`${prefix}%`]))
    .map(({ number }) => number)
    .toSorted()

/** Writes a dead letter like a consumer of an earlier version, with fewer headers. */
async function addDeadLetter(event: EventDefinition, payload: string, sequence: number): Promise<void> {
  const head = headers()
  head.set('Nats-Msg-Id', `test:${sequence}`)
  head.set('X-Reason', 'no room for it')
  await jetstream(to.connection()).publish(deadLetterSubject(suite.namespace, 'cart', event.name), payload, {
    headers: head,
  })
}

const letterNumbers = (out: string) => [...out.matchAll(/^(\d+) /gm)].map(([, number = '']) => number)

test('--help prints the usage, and invalid arguments are errors in one sentence', async () => {
  const helped = await events(['--help'])
  expect(helped.code).toBe(0)
  expect(helped.out).toContain('dead-letters')
  for (const [args, sentence] of [
    [[], /npm run events -- COMMAND/],
    [['tial'], /tial is an unknown command: use tail, replay/],
    [['tail', '--dry-run'], /tail has no option --dry-run, only --event/],
    [['tail', '--color'], /--color.*--help/],
    [['tail', '--event', 'order.pait'], /There is no event order\.pait.*order\.paid/],
    [['tail', '--service', 'basket'], /There is no service basket.*cart/],
    [['tail', '--since', 'yesterday'], /--since must be a time such as .*10m/],
    [['tail', '--count', '0'], /--count must be a whole number/],
    [['replay'], /--from/],
    [['dead-letters', 'show'], /by its number/],
    [['dead-letters', 'replay', '1', '--all'], /by its number/],
    [['dead-letters', 'burn', '1'], /list, show, replay and drop/],
  ] as const) {
    const { code, err } = await events([...args])
    expect(err).toMatch(sentence)
    expect(code).toBe(2)
  }
})

test('without a running shop the command names what to do, and shows no password', async () => {
  const away = await events(['consumers'], { NATS_URL: 'nats://launcher:topsecret@127.0.0.1:1' })
  expect(away).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/NATS does not respond at .*127\.0\.0\.1:1.*start the shop/),
  })
  expect(away.err).not.toContain('topsecret')
  const folder = await events(['consumers'], { NATS_URL: '', DATA_DIR: '/nowhere/at/all' })
  expect(folder).toMatchObject({ code: 1, err: expect.stringContaining('/nowhere/at/all: run npm start first') })
  const namespace = await events(['tail', '--count', '1'], { NAMESPACE: 'missing' })
  expect(namespace).toMatchObject({ code: 1, err: expect.stringContaining('missing_EVENTS') })
})

test('a shop that runs on the NATS of its operator is found by its data folder', async () => {
  const folder = await temporaryFolder('data')
  const given = { NATS_URL: inject('servers').natsAdminUrl, DATABASE_URL: suite.databaseUrl('orders') }
  recordRunningShop(folder, readSettings(given), systemClock.now())
  const found = await events(['consumers'], { NATS_URL: '', DATA_DIR: folder })
  expect(found).toMatchObject({ code: 0, out: expect.stringContaining('SERVICE') })
})

test('the command as a process prints an error on standard error, and ends with 1', async () => {
  const child = spawn(process.execPath, [EVENTS, 'consumers'], {
    cwd: repository,
    env: environment({ NATS_URL: 'nats://launcher:topsecret@127.0.0.1:1' }),
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/NATS does not respond at .*127\.0\.0\.1:1.*start the shop/)
  expect(err).not.toContain('topsecret')
})

test('the user of a service, which has fewer permissions, gets a message with the required user', async () => {
  const { code, err } = await events(['consumers'], { NATS_URL: suite.env('cart')['NATS_URL'] ?? '' })
  expect(code).toBe(1)
  expect(err).toMatch(/user of the migrate step|start the shop/)
})

describe('tail', () => {
  test('shows the events since a time, with personal data only on request', async () => {
    const id = await publishEvent(CustomerVerified, { customerId: 'customer_tail', email: 'ada@mail.example' })
    await publishEvent(OrderPaid, { orderId: 'order_tail', number: 'T-1' })
    const short = await events(['tail', '--since', '5m', '--event', 'customer.verified', '--count', '1'])
    expect(short.out).toContain(`customer.verified   ${id}  customerId=customer_tail`)
    expect(short.out).not.toContain('ada@')
    const full = await events(['tail', '--since', '5m', '--service', 'identity', '--count', '1', '--full', '--json'])
    expect(z.looseObject({ id: z.string(), data: z.unknown() }).parse(JSON.parse(full.out))).toMatchObject({
      id,
      data: { email: 'ada@mail.example' },
    })
  })

  test('shows new events as they are published, and Ctrl-C ends it cleanly', async () => {
    const child = spawn(process.execPath, [EVENTS, 'tail', '--event', 'order.paid'], {
      cwd: repository,
      env: environment(),
    })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    const ended = new Promise((settle) => child.once('exit', (code, signal) => settle(signal ?? code)))
    let published = 0
    await waitFor('a line', async () => {
      await publishEvent(OrderPaid, { orderId: 'order_live', number: `live-${++published}` })
      return out.includes('number=live-')
    })
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(out).not.toContain('customer.verified')
  })
})

describe('replay', () => {
  test('of a span takes effect only in consumers that missed an event', async () => {
    const began = new Date(systemClock.now().getTime() - 50).toISOString()
    listen()
    await transaction(orders, (tx) => publish(tx, OrderCancelled, cancelled('had-1'), systemClock.now()))
    await relayBatch(orders, from)
    await publishEvent(OrderCancelled, cancelled('had-2'))
    await waitFor('both effects', async () => (await effects('had')).length === 2)
    // As if the consumer had been restored from a backup that lacks the second event.
    await suite.sql(`delete from cart.effects where number = 'had-2'`)
    await suite.sql(`delete from cart.inbox where event_id = (select max(event_id) from cart.inbox)`)
    const dry = await events(['replay', '--from', began, '--event', 'order.cancelled', '--dry-run'])
    expect(dry.out).toMatch(/EVENT +COUNT +FIRST +LAST +CONSUMED BY\norder\.cancelled +2 .*cart, notifier\n$/)
    const unconfirmed = await events(['replay', '--from', began, '--event', 'order.cancelled'])
    expect(unconfirmed).toMatchObject({ code: 1, err: expect.stringContaining('--yes') })
    expect((await suite.eventsOf(OrderCancelled)).length).toBe(2)
    const done = await events(['replay', '--from', began, '--event', 'order.cancelled', '--yes'])
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('2 events published again.') })
    await waitFor('the lost effect', async () => (await effects('had')).length === 2)
    // Another replay finds each event once, although the stream now contains it again.
    const again = await events(['replay', '--from', began, '--event', 'order.cancelled', '--yes'])
    expect(again.out).toContain('2 events published again.')
    await publishEvent(OrderCancelled, cancelled('had-3'))
    await waitFor('the later effect', async () => (await effects('had')).length === 3)
    expect(await effects('had')).toEqual(['had-1', 'had-2', 'had-3'])
  })

  test('of 5,000 events shows its progress, and names the remaining span when it is stopped', async () => {
    const began = systemClock.now()
    const numbers = Array.from({ length: 5000 }, (_, at) => at)
    for (let at = 0; at < numbers.length; at += 250) {
      const some = numbers.slice(at, at + 250)
      await Promise.all(
        some.map((one) => publishEvent(WishlistSaved, { entryId: `entry_${one}`, productId: 'prod_1' })),
      )
    }
    const from = new Date(began.getTime() - 50)
    const streams = await openShopStreams(environment())
    const args = ['replay', '--event', 'wishlist.saved', '--yes']
    const replay = async (span: string[], stopAfter = Infinity) => {
      const stopping = new AbortController()
      const out: string[] = []
      const reached: number[] = []
      const wanted = readEventArguments([...args, ...span], systemClock.now())
      if (wanted === 'help') throw new Error('the arguments only print the help')
      const done = await replayEvents(streams, wanted, {
        now: systemClock.now(),
        signal: stopping.signal,
        terminal: { out: (text) => void out.push(text), note: () => {}, confirm: () => Promise.resolve(false) },
        progress: {
          reached(_what, count, total) {
            reached.push(count)
            if (total > 0 && count >= stopAfter) stopping.abort()
          },
          print: () => {},
          end: () => {},
        },
      })
      return { done, reached, last: out.at(-1) ?? '' }
    }
    try {
      const stopped = await replay(['--from', from.toISOString()], 1000)
      expect(stopped.done).toBe(1000)
      expect(stopped.reached).toEqual([200, 400, 600, 800, 1000])
      const rest = /^Stopped after 1,000 of 5,000 events\. Remaining: (--from \S+ --to \S+)\n$/.exec(stopped.last)?.[1]
      const { done, last } = await replay((rest ?? '').split(' '))
      expect(last).toBe(`${done.toLocaleString('en-US')} events published again.\n`)
      // Events of the last millisecond are published again, because it is unknown whether all of them were.
      expect(done).toBeGreaterThanOrEqual(4000)
      expect(done).toBeLessThan(4500)
    } finally {
      await streams.close()
    }
    const subject = eventSubject(suite.namespace, WishlistSaved)
    const manager = await jetstreamManager(admin)
    const { state } = await manager.streams.info(eventsStream(suite.namespace), { subjects_filter: subject })
    expect(state.subjects?.[subject]).toBeGreaterThanOrEqual(10_000)
  })

  test('of a single event needs no span, and reports an event that does not exist', async () => {
    const id = await publishEvent(OrderCancelled, cancelled('single-1'))
    const { out } = await events(['replay', '--id', id, '--yes'])
    expect(out).toContain('1 event published again.')
    const none = await events(['replay', '--id', 'evt_none', '--yes'])
    expect(none).toMatchObject({ code: 0, out: 'There is no event in this span.\n' })
  })

  test('rejects a span beyond the receipts of consumers, and skips events that are too old or unreadable', async () => {
    const rejected = await events(['replay', '--from', '8d', '--yes'])
    expect(rejected).toMatchObject({ code: 1, err: expect.stringMatching(/seven days.*fourteen/) })
    const began = systemClock.now().toISOString()
    await publishEvent(OrderFulfilled, cancelled('old-1'), {
      at: new Date(systemClock.now().getTime() - 8 * 86_400_000),
    })
    await jetstream(admin).publish(eventSubject(suite.namespace, OrderFulfilled), '{"id":"ev')
    // All of that may take less than a millisecond, and a span without a length is rejected.
    await waitFor('the next millisecond', () => new Date().toISOString() > began)
    const { out, err } = await events(['replay', '--from', began, '--event', 'order.fulfilled', '--yes'])
    expect(out, err).toMatch(
      /no event in this span.*\nSkipped: message \d+ \(older than seven days\), message \d+ \(it is not JSON\)/,
    )
  })
})

describe('dead letters', () => {
  test('are listed, and take effect once when they are replayed after the fault is fixed', async () => {
    listen()
    await publishEvent(OrderCancelled, cancelled('before-1'))
    await waitFor('the earlier effect', async () => (await effects('before')).length === 1)
    await consumers.pop()?.stop()
    listen(MISREAD)
    const id = await publishEvent(OrderCancelled, cancelled('dead-1'))
    await waitFor('the dead letter', async () => (await suite.deadLetters()).length > 0)
    const list = await events(['dead-letters'])
    expect(list.out).toMatch(/^SEQUENCE +SERVICE +EVENT +ID +WHEN +REASON\n/)
    expect(list.out).toContain(id)
    expect(list.out).toMatch(/cart +order\.cancelled .*weight/s)
    const [number = ''] = letterNumbers(list.out)
    expect((await events(['dead-letters', 'show', number])).out).not.toContain('cart_dead-1')
    expect((await events(['dead-letters', 'show', number, '--full'])).out).toContain('"cartId": "cart_dead-1"')
    await consumers.pop()?.stop()
    listen()
    const replayed = await events(['dead-letters', 'replay', number])
    expect(replayed).toMatchObject({ code: 0, out: expect.stringContaining('published again') })
    await waitFor('the effect', async () => (await effects('dead-1')).length > 0)
    expect((await events(['dead-letters'])).out).toBe('There are no dead letters.\n')
    await publishEvent(OrderCancelled, cancelled('dead-2'))
    await waitFor('the next effect', async () => (await effects('dead-2')).length === 1)
    expect(await effects('dead-1')).toEqual(['dead-1'])
    expect((await events(['dead-letters', 'replay', number])).err).toContain(`There is no dead letter ${number}`)
  })

  test('that cannot be read stay, are reported, and can be dropped', async () => {
    await addDeadLetter(OrderCancelled, '{"id":"evt_1","email":"ada@mail.example', 1)
    const id = newId('event')
    const good = { id, name: 'order.cancelled', at: systemClock.now().toISOString(), data: cancelled('all-1') }
    await addDeadLetter(OrderCancelled, JSON.stringify(good), 2)
    const all = await events(['dead-letters', 'replay', '--all', '--yes', '--service', 'cart'])
    expect(all).toMatchObject({ code: 1, out: expect.stringContaining(id) })
    expect(all.err).toMatch(/cannot be read \(it is not JSON\).*\n1 of 2 dead letters could not be replayed/s)
    expect(all.err + all.out).not.toContain('ada@')
    const list = await events(['dead-letters', 'list'])
    const [number = '', ...more] = letterNumbers(list.out)
    expect(more).toEqual([])
    expect((await events(['dead-letters', 'show', number])).out).not.toContain('ada@')
    expect((await events(['dead-letters', 'drop', number])).err).toContain('--yes')
    expect((await events(['dead-letters', 'drop', number, '--yes'])).code).toBe(0)
    expect((await events(['dead-letters'])).out).toBe('There are no dead letters.\n')
  })

  test('that are old are replayed only by force when other consumers may have deleted their receipts', async () => {
    const at = new Date(systemClock.now().getTime() - 20 * 86_400_000).toISOString()
    const event = { id: newId('event'), name: 'order.cancelled', at, data: cancelled('aged-1') }
    await addDeadLetter(OrderCancelled, JSON.stringify(event), 3)
    const [number = ''] = letterNumbers((await events(['dead-letters'])).out)
    const rejected = await events(['dead-letters', 'replay', number])
    expect(rejected).toMatchObject({ code: 1, err: expect.stringMatching(/notifier may have deleted.*--force/) })
    expect((await events(['dead-letters', 'replay', number, '--force'])).code).toBe(0)
    listen()
    await waitFor('the effect', async () => (await effects('aged')).length === 1)
  })
})

test('consumers shows the waiting events of each consumer', async () => {
  await Promise.all((['catalog', 'notifier'] as const).map((service) => suite.addConsumersOf(service)))
  await publishEvent(OrderPaid, { orderId: 'order_waits', number: 'W-1' })
  const { out } = await events(['consumers', '--event', 'order.paid'])
  expect(out).toMatch(/^SERVICE +EVENT +WAITING +IN PROGRESS +RETRIED +LAST HANDLED\n/)
  expect(out).toMatch(/^catalog +order\.paid +[1-9]\d* +0 +0 +never$/m)
  expect(out).toMatch(/^notifier +order\.paid +[1-9]\d* +0 +0 +never$/m)
  expect(out.trim().split('\n')).toHaveLength(3)
})
