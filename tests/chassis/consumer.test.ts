import { jetstream } from '@nats-io/jetstream'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  consume,
  createDatabase,
  openMessaging,
  publish,
  relayBatch,
  systemClock,
  transaction,
  type Consumer,
  type Messaging,
} from '@storefront/chassis'
import { eventSubject, newId, OrderPaid, type ReceivedEvent } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'

type Paid = ReceivedEvent<{ orderId: string; number: string }>

let suite: Suite
let orders: Kysely<unknown>
let notifier: Kysely<unknown>
let from: Messaging
let to: Messaging
let consumer: Consumer | undefined

beforeAll(async () => {
  suite = await createSuite('orders', 'notifier')
  const common = { namespace: suite.namespace, log: suite.log }
  orders = createDatabase({ url: suite.databaseUrl('orders'), poolSize: 4, name: 'orders', log: suite.log })
  notifier = createDatabase({ url: suite.databaseUrl('notifier'), poolSize: 4, name: 'notifier', log: suite.log })
  from = openMessaging({ url: suite.env('orders')['NATS_URL'] ?? '', service: 'orders', ...common })
  to = openMessaging({ url: suite.env('notifier')['NATS_URL'] ?? '', service: 'notifier', ...common })
  await Promise.all([from.opened, to.opened])
  await suite.sql('create table notifier.effects (number text not null)')
  await suite.sql(`grant select, insert on notifier.effects to ${suite.namespace}_notifier`)
})

afterAll(async () => {
  await from.close()
  await to.close()
  await orders.destroy()
  await notifier.destroy()
  await suite.stop()
})

beforeEach(async () => {
  await consumer?.stop()
  consumer = undefined
})

const say = (number: string) =>
  transaction(orders, (tx) => publish(tx, OrderPaid, { orderId: 'order_1', number }, systemClock.now()))

const startConsumer = (handler: (numbers: string[], events: Paid[]) => void) =>
  consume({ db: notifier, messaging: to, log: suite.log }, OrderPaid, async (tx, events) => {
    const numbers = events.map((event) => event.data.number)
    for (const number of numbers) await sql`insert into effects (number) values (${number})`.execute(tx)
    handler(numbers, events)
  })

const listen = (handler: (numbers: string[], events: Paid[]) => void) => {
  consumer = startConsumer(handler)
}

const effects = async (prefix: string) => {
  const rows = await suite.sql<{ number: string }>('select number from notifier.effects where number like $1', [
    `${prefix}%`,
  ])
  return rows.map((row) => row.number).toSorted()
}

describe('a consumer', () => {
  test('acts once on an event that comes twice', async () => {
    const events: Paid[] = []
    listen((_numbers, batch) => events.push(...batch))
    await say('twice-1')
    await relayBatch(orders, from)
    const event = await waitFor('the event', () => events[0])
    // The same event again, past the server's own check of message ids.
    await jetstream(from.connection()).publish(eventSubject(suite.namespace, OrderPaid), JSON.stringify(event))
    await say('twice-2')
    await relayBatch(orders, from)
    await waitFor('the next event', async () => (await effects('twice')).includes('twice-2'))
    expect(await effects('twice')).toEqual(['twice-1', 'twice-2'])
  })

  test('tries an event that fails again, and its neighbours do not suffer', async () => {
    let failures = 0
    listen((numbers) => {
      if (numbers.includes('fails-2') && failures++ < 3) throw new Error('not now')
    })
    await Promise.all(['fails-1', 'fails-2', 'fails-3'].map(say))
    await relayBatch(orders, from)
    await waitFor('all effects', async () => (await effects('fails')).length === 3)
    expect(await effects('fails')).toEqual(['fails-1', 'fails-2', 'fails-3'])
    expect(failures).toBeGreaterThan(2)
  })

  test('that stops while events come in leaves none of them to the server, which waits long for an answer', async () => {
    const sayDirectly = (number: string) => {
      const event = { id: newId('event'), name: OrderPaid.name, at: systemClock.now().toISOString() }
      const envelope = { ...event, data: { orderId: 'order_1', number } }
      return jetstream(from.connection()).publish(eventSubject(suite.namespace, OrderPaid), JSON.stringify(envelope))
    }
    listen(() => {})
    const copies = Array.from({ length: 30 }, () => startConsumer(() => {}))
    let said = 0
    const stops: Promise<void>[] = []
    for (const copy of copies) {
      for (let more = 0; more < 20; more++) await sayDirectly(`stops-${said++}`)
      stops.push(copy.stop())
    }
    await Promise.all(stops)
    // The wait ends well before ACK_WAIT_MS.
    await waitFor('every effect', async () => (await effects('stops')).length === said)
  })

  test('puts what nobody can read on the dead-letter stream, with the reason', async () => {
    const seen: string[] = []
    listen((numbers) => seen.push(...numbers))
    await jetstream(from.connection()).publish(eventSubject(suite.namespace, OrderPaid), '{"id":"evt_1","name":')
    await say('after-1')
    await relayBatch(orders, from)
    await waitFor('the next event', () => seen.includes('after-1'))
    await waitFor('the dead letter', async () => (await suite.deadLetters()).length > 0)
    const [letter, ...more] = await suite.deadLetters()
    expect(more).toEqual([])
    expect(letter?.subject).toBe(`${suite.namespace}.dead.notifier.order.paid`)
    expect(letter?.reason).toMatch(/JSON/)
  })
})

describe('the relay', () => {
  test('publishes nothing of a transaction that is still open, and all of it afterwards', async () => {
    const { promise: open, resolve: commit } = Promise.withResolvers<void>()
    const writing = transaction(orders, async (tx) => {
      await publish(tx, OrderPaid, { orderId: 'order_1', number: 'open-1' }, systemClock.now())
      await open
    })
    expect(await relayBatch(orders, from)).toBe(0)
    commit()
    await writing
    expect(await relayBatch(orders, from)).toBe(1)
    expect(await relayBatch(orders, from)).toBe(0)
  })

  test('leaves the work to the copy that is at it', async () => {
    await say('busy-1')
    const [lock] = await suite.sql(`select pg_advisory_lock(hashtext('relay'), hashtext('orders'))`)
    expect(lock).toBeDefined()
    expect(await relayBatch(orders, from)).toBe('busy')
    await suite.sql(`select pg_advisory_unlock(hashtext('relay'), hashtext('orders'))`)
    expect(await relayBatch(orders, from)).toBe(1)
  })
})
