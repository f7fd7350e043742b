import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, headers, type NatsConnection } from '@nats-io/transport-node'
import { sql, type Kysely } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { eventsStream, eventSubject, OrderPaid } from '@storefront/contracts'
import { consume, natsAddress, publishAll, replyToFindMissingReceipts, type Messaging } from '@storefront/messaging'
import { publishNextLost, relayBatch } from '@storefront/messaging/testing'
import { createDatabase, transaction } from '@storefront/postgres'
import { createLog, DependencyUnavailable, systemClock, type Clock, type Stoppable } from '@storefront/service'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'

let suite: Suite
let orders: Kysely<unknown>
let notifier: Kysely<unknown>
let from: Messaging
let to: Messaging
let admin: NatsConnection
const consumers: Stoppable[] = []

beforeAll(async () => {
  suite = await createSuite('orders', 'notifier')
  orders = createDatabase({ url: suite.databaseUrl('orders'), poolSize: 4, name: 'orders', log: suite.log })
  notifier = createDatabase({ url: suite.databaseUrl('notifier'), poolSize: 4, name: 'notifier', log: suite.log })
  from = await suite.openMessaging('orders')
  to = await suite.openMessaging('notifier')
  admin = await connect(natsAddress(inject('servers').natsAdminUrl))
  replyToFindMissingReceipts({ db: notifier, messaging: to, verifyActor: () => undefined, log: suite.log })
  await suite.sql('create table notifier.effects (number text not null)')
  await suite.sql(`grant select, insert on notifier.effects to ${new URL(suite.databaseUrl('notifier')).username}`)
  // The first check finds no events yet: it only records the time from which the next ones read them.
  await publishLost()
})

beforeEach(async () => {
  await loseEvents()
  await suite.sql('delete from orders.sent_events')
})

afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()))
})

afterAll(async () => {
  await admin.close()
  await orders.destroy()
  await notifier.destroy()
  await suite.stop()
})

const publishLost = (more: { clock?: Clock; messaging?: Messaging } = {}) =>
  publishNextLost({ db: orders, messaging: from, log: suite.log, clock: systemClock, ...more }, 'notifier')

/** Publishes events that JetStream accepts. */
async function publishEvents(...numbers: string[]): Promise<void> {
  const all = numbers.map((number) => ({ orderId: `order_${number}`, number }))
  await transaction(orders, (tx) => publishAll(tx, OrderPaid, all, systemClock.now()))
  while (Number(await relayBatch(orders, from)) > 0);
}

/** JetStream accepts events and loses them, four minutes ago. */
async function loseLongAgo(...numbers: string[]): Promise<void> {
  await publishEvents(...numbers)
  await loseEvents()
  await pass('4 minutes')
}

/** JetStream loses everything that it has accepted so far. */
async function loseEvents(): Promise<void> {
  await (await jetstreamManager(admin)).streams.purge(eventsStream(suite.namespace))
}

/** As if all events had been published this much earlier. */
async function pass(time: string): Promise<void> {
  await suite.sql('update orders.sent_events set sent_at = sent_at - $1::interval', [time])
  await suite.sql('update orders.receipt_checks set checked_until = checked_until - $1::interval', [time])
}

function startConsumer(): void {
  consumers.push(
    consume({ db: notifier, messaging: to, log: suite.log }, OrderPaid, async (tx, events) => {
      for (const { data } of events) await sql`insert into effects (number) values (${data.number})`.execute(tx)
    }),
  )
}

async function effects(prefix: string): Promise<string[]> {
  const rows = await suite.sql<{ number: string }>(
    'select number from notifier.effects where number like $1 order by number',
    [`${prefix}%`],
  )
  return rows.map(({ number }) => number)
}

/** How many messages with events of this kind JetStream has. */
async function stored(): Promise<number> {
  const subject = eventSubject(suite.namespace, OrderPaid)
  const manager = await jetstreamManager(admin)
  const { state } = await manager.streams.info(eventsStream(suite.namespace), { subjects_filter: subject })
  return state.subjects?.[subject] ?? 0
}

test('an event that JetStream lost is published again after three minutes, and takes effect once', async () => {
  await publishEvents('lost-1')
  await loseEvents()
  startConsumer()
  await publishEvents('lost-2')
  await waitFor('the later event', async () => (await effects('lost')).length === 1)
  await pass('2 minutes')
  await publishLost()
  expect(await stored()).toBe(1)
  await pass('61 seconds')
  await publishLost()
  await waitFor('the lost event', async () => (await effects('lost')).length === 2)
  await pass('4 minutes')
  await publishLost()
  expect(await stored()).toBe(2)
  expect(await effects('lost')).toEqual(['lost-1', 'lost-2'])
})

test('an event whose repeat is lost as well is published once more', async () => {
  await publishEvents('again-1')
  for (let round = 0; round < 3; round++) {
    await loseEvents()
    await pass('4 minutes')
    await publishLost()
    expect(await stored()).toBe(1)
  }
  startConsumer()
  await waitFor('the event', async () => (await effects('again')).length === 1)
})

test('the repeats of an event that a consumer is still trying become rarer', async () => {
  await publishEvents('rare-1')
  await suite.sql(
    `update orders.sent_events set payload = jsonb_set(payload::jsonb, '{at}', to_jsonb($1::text))::text`,
    [new Date(systemClock.now().getTime() - 12 * 60_000).toISOString()],
  )
  await loseEvents()
  await pass('4 minutes')
  await publishLost()
  expect(await stored()).toBe(1)
  await pass('11 minutes')
  await publishLost()
  expect(await stored()).toBe(1)
  await pass('2 minutes')
  await publishLost()
  expect(await stored()).toBe(2)
  startConsumer()
  await waitFor('the event', async () => (await effects('rare')).length === 1)
})

test('a thousand lost events are published page by page, and the events of one time together', async () => {
  const numbers = Array.from({ length: 1050 }, (_, index) => `many-${String(index).padStart(4, '0')}`)
  await loseLongAgo(...numbers)
  startConsumer()
  while (await publishLost());
  await waitFor('all events', async () => (await effects('many')).length === numbers.length)
  expect(await effects('many')).toEqual(numbers)
})

test('an event that was given up is not published again, and takes effect when its dead letter is replayed', async () => {
  const misread = { ...OrderPaid, data: z.object({ orderId: z.string(), number: z.string(), weight: z.int() }) }
  const misreading = consume({ db: notifier, messaging: to, log: suite.log }, misread, async (tx) => {
    await sql`select 1`.execute(tx)
  })
  await publishEvents('given-up-1')
  await waitFor('the dead letter', async () => (await suite.deadLetters()).length === 1)
  await waitFor('its record', async () => {
    const rows = await suite.sql<{ given: boolean }>('select given_up_at is not null as given from notifier.inbox')
    return rows.some(({ given }) => given)
  })
  await misreading.stop()
  const before = await stored()
  await pass('4 minutes')
  await publishLost()
  expect(await stored()).toBe(before)

  const [event] = await suite.sql<{ id: string; payload: string }>(
    'select event_id as id, payload from orders.sent_events',
  )
  startConsumer()
  for (const time of [1, 2]) await replay(event, time)
  await publishEvents('given-up-2')
  await waitFor('both effects', async () => (await effects('given-up')).length === 2)
  expect(await effects('given-up')).toEqual(['given-up-1', 'given-up-2'])
  expect(await suite.sql('select from notifier.inbox where given_up_at is not null')).toEqual([])
})

/** Publishes an event as the replay of a dead letter does. */
async function replay(event: { id: string; payload: string } | undefined, time: number): Promise<void> {
  if (!event) throw new Error('the event was not published')
  const head = headers()
  head.set('Nats-Msg-Id', `replay:${time}`)
  head.set('X-Event-Id', event.id)
  await jetstream(admin).publish(eventSubject(suite.namespace, OrderPaid), event.payload, { headers: head })
}

test('events that still wait for a consumer are not taken for lost', async () => {
  await publishEvents(...Array.from({ length: 1001 }, (_, index) => `waiting-${index}`))
  await pass('4 minutes')
  expect(await publishLost()).toBe(false)
  expect(await stored()).toBe(1001)
  startConsumer()
  await waitFor('all events', async () => (await effects('waiting')).length === 1001)
  while (await publishLost());
  expect(await stored()).toBe(1001)
})

test('an event that is older than a day is reported, and not published again', async () => {
  const lines: string[] = []
  const log = createLog({ service: 'test', level: 'error' }, { write: (line: string) => void lines.push(line) })
  await loseLongAgo('old-1')
  const tomorrow = { now: () => new Date(systemClock.now().getTime() + 25 * 3_600_000) }
  await publishNextLost({ db: orders, messaging: from, log, clock: tomorrow }, 'notifier')
  expect(await stored()).toBe(0)
  expect(lines.join('')).toMatch(/"consumer":"notifier","events":\["order\.paid evt_/)
  await publishLost()
  expect(await stored()).toBe(0)
})

test('while a consumer does not reply, nothing is published, and the events are checked later', async () => {
  await loseLongAgo('silent-1')
  await expect(publishLost({ messaging: { ...from, namespace: `${suite.namespace}away` } })).rejects.toThrow(
    DependencyUnavailable,
  )
  expect(await stored()).toBe(0)
  await publishLost()
  expect(await stored()).toBe(1)
})

test('only one of two replicas checks, and a check that fails after publishing publishes the same repeat', async () => {
  await loseLongAgo('crash-1')
  const crashed = orders.transaction().execute(async (tx) => {
    await sql`select from receipt_checks for update`.execute(tx)
    expect(await publishLost()).toBe(false)
    expect(await stored()).toBe(0)
    throw new Error('crashed')
  })
  await expect(crashed).rejects.toThrow('crashed')
  await suite.sql(`create function orders.fail() returns trigger language plpgsql as $$ begin raise 'crashed'; end $$`)
  await suite.sql(
    'create trigger fail before update on orders.receipt_checks for each row execute function orders.fail()',
  )
  await expect(publishLost()).rejects.toThrow('crashed')
  expect(await stored()).toBe(1)
  await suite.sql('drop trigger fail on orders.receipt_checks')
  await publishLost()
  expect(await stored()).toBe(1)
})
