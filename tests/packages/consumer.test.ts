import { EventTooLarge, findStuckEvents, relayBatch, type ConsumerOptions } from '@storefront/messaging/testing'
import { jetstream } from '@nats-io/jetstream'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { consume, MAX_EVENT_BYTES, publish, type Consumer, type Messaging } from '@storefront/messaging'
import { createDatabase, transaction } from '@storefront/postgres'
import { systemClock, DependencyUnavailable } from '@storefront/service'
import { durableName, eventsStream, eventSubject, newId, OrderPaid, type ReceivedEvent } from '@storefront/contracts'
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
  orders = createDatabase({ url: suite.databaseUrl('orders'), poolSize: 4, name: 'orders', log: suite.log })
  notifier = createDatabase({ url: suite.databaseUrl('notifier'), poolSize: 4, name: 'notifier', log: suite.log })
  from = await suite.openMessaging('orders')
  to = await suite.openMessaging('notifier')
  await suite.sql('create table notifier.effects (number text not null)')
  await suite.sql(`grant select, insert on notifier.effects to ${new URL(suite.databaseUrl('notifier')).username}`)
})

afterAll(async () => {
  await orders.destroy()
  await notifier.destroy()
  await suite.stop()
})

beforeEach(async () => {
  await consumer?.stop()
  consumer = undefined
})

const publishEvent = (number: string) =>
  transaction(orders, (tx) => publish(tx, OrderPaid, { orderId: 'order_1', number }, systemClock.now()))

const startConsumer = (handler: (numbers: string[], events: Paid[]) => void, options: ConsumerOptions = {}) =>
  consume(
    { db: notifier, messaging: to, log: suite.log },
    OrderPaid,
    async (tx, events) => {
      const numbers = events.map((event) => event.data.number)
      for (const number of numbers) await sql`insert into effects (number) values (${number})`.execute(tx)
      handler(numbers, events)
    },
    options,
  )

const startTestConsumer = (handler: (numbers: string[], events: Paid[]) => void, options: ConsumerOptions = {}) => {
  consumer = startConsumer(handler, options)
}

/** Shortens the pauses between attempts, because these tests look at the number of attempts. */
const AT_ONCE: ConsumerOptions = { backoffMs: [1], outageRetryMs: 1 }

const effects = async (prefix: string) => {
  const rows = await suite.sql<{ number: string }>('select number from notifier.effects where number like $1', [
    `${prefix}%`,
  ])
  return rows.map((row) => row.number).toSorted()
}

describe('a consumer', () => {
  test('processes an event once when it is delivered twice', async () => {
    const events: Paid[] = []
    startTestConsumer((_numbers, batch) => events.push(...batch))
    await publishEvent('twice-1')
    await relayBatch(orders, from)
    const event = await waitFor('the event', () => events[0])
    // The same event again, without the message id by which the server would drop a duplicate.
    await jetstream(from.connection()).publish(eventSubject(suite.namespace, OrderPaid), JSON.stringify(event))
    await publishEvent('twice-2')
    await relayBatch(orders, from)
    await waitFor('the next event', async () => (await effects('twice')).includes('twice-2'))
    expect(await effects('twice')).toEqual(['twice-1', 'twice-2'])
  })

  test('processes others that arrive together with an event that it has processed before', async () => {
    const events: Paid[] = []
    startTestConsumer((_numbers, batch) => events.push(...batch))
    await publishEvent('mixed-1')
    await relayBatch(orders, from)
    const event = await waitFor('the event', () => events[0])
    await consumer?.stop()
    await jetstream(from.connection()).publish(eventSubject(suite.namespace, OrderPaid), JSON.stringify(event))
    for (const number of ['mixed-2', 'mixed-3']) await publishEvent(number)
    await relayBatch(orders, from)
    const later: string[] = []
    startTestConsumer((numbers) => later.push(...numbers))
    await waitFor('the other effects', async () => (await effects('mixed')).length === 3)
    expect(await effects('mixed')).toEqual(['mixed-1', 'mixed-2', 'mixed-3'])
    expect(later).toEqual(['mixed-2', 'mixed-3'])
  })

  test('retries an event that fails, and processes the events beside it once', async () => {
    let failures = 0
    startTestConsumer((numbers) => {
      if (numbers.includes('fails-2') && failures++ < 3) throw new Error('not now')
    })
    await Promise.all(['fails-1', 'fails-2', 'fails-3'].map(publishEvent))
    await relayBatch(orders, from)
    await waitFor('all effects', async () => (await effects('fails')).length === 3)
    expect(await effects('fails')).toEqual(['fails-1', 'fails-2', 'fails-3'])
    expect(failures).toBeGreaterThan(2)
  })

  test('dead-letters an event after its eighth failure, rolls its changes back, and continues', async () => {
    let failures = 0
    startTestConsumer((numbers) => {
      if (!numbers.includes('eight-1')) return
      failures += 1
      throw new Error('no room for it')
    }, AT_ONCE)
    const letters = (await suite.deadLetters()).length
    await publishEvent('eight-1')
    await relayBatch(orders, from)
    await waitFor('the dead letter', async () => (await suite.deadLetters()).length > letters)
    expect(failures).toBe(8)
    expect((await suite.deadLetters()).at(-1)).toMatchObject({
      subject: `${suite.namespace}.dead.notifier.order.paid`,
      reason: 'no room for it',
      headers: { 'X-Event': 'order.paid', 'X-Service': 'notifier', 'X-Deliveries': '8' },
    })
    await publishEvent('eight-2')
    await relayBatch(orders, from)
    await waitFor('the next event', async () => (await effects('eight')).length > 0)
    expect(await effects('eight')).toEqual(['eight-2'])
    expect(failures).toBe(8)
    expect(await suite.deadLetters()).toHaveLength(letters + 1)
  })

  test('does not count outages as failures: after ten of them an event still has eight attempts', async () => {
    let tries = 0
    startTestConsumer((numbers) => {
      if (!numbers.includes('outage-1')) return
      tries += 1
      if (tries <= 10) throw new DependencyUnavailable('postgres')
      if (tries <= 17) throw new Error('not now')
    }, AT_ONCE)
    const letters = (await suite.deadLetters()).length
    await publishEvent('outage-1')
    await relayBatch(orders, from)
    await waitFor('the last attempt', async () => tries >= 18 || (await suite.deadLetters()).length > letters)
    await waitFor('the effect', async () => (await effects('outage')).length === 1)
    expect(tries).toBe(18)
    expect(await suite.deadLetters()).toHaveLength(letters)
  })

  test('does not count lock timeouts as failures: after ten of them an event is still processed', async () => {
    let tries = 0
    const letters = (await suite.deadLetters()).length
    await suite.sql('begin')
    await suite.sql('lock table notifier.effects in exclusive mode')
    consumer = consume(
      { db: notifier, messaging: to, log: suite.log },
      OrderPaid,
      async (tx) => {
        tries += 1
        await sql`set local lock_timeout = 1`.execute(tx)
        await sql`insert into effects (number) values ('locked-1')`.execute(tx)
      },
      AT_ONCE,
    )
    await publishEvent('locked-1')
    await relayBatch(orders, from)
    await waitFor('ten attempts', async () => tries > 10 || (await suite.deadLetters()).length > letters)
    await suite.sql('commit')
    await waitFor('the effect', async () => (await effects('locked')).length === 1)
    expect(await suite.deadLetters()).toHaveLength(letters)
  })

  test('dead-letters an event after sixty lock timeouts', async () => {
    let tries = 0
    startTestConsumer((numbers) => {
      if (!numbers.includes('stuck-1')) return
      tries += 1
      throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
    }, AT_ONCE)
    const letters = (await suite.deadLetters()).length
    await publishEvent('stuck-1')
    await relayBatch(orders, from)
    await waitFor('the dead letter', async () => (await suite.deadLetters()).length > letters)
    expect(tries).toBe(60)
  })

  test('processes the events that arrive during a transaction together in the next one', async () => {
    const batches: string[][] = []
    const { promise: firstMayEnd, resolve: endFirst } = Promise.withResolvers<void>()
    consumer = consume({ db: notifier, messaging: to, log: suite.log }, OrderPaid, async (_tx, events) => {
      batches.push(events.map((event) => event.data.number).filter((number) => number.startsWith('share-')))
      if (batches.length === 1) await firstMayEnd
    })
    await publishEvent('share-0')
    await relayBatch(orders, from)
    await waitFor('the first transaction', () => batches.length === 1)
    const numbers = Array.from({ length: 10 }, (_, index) => `share-${index + 1}`)
    for (const number of numbers) await publishEvent(number)
    await relayBatch(orders, from)
    // The consumer has fetched every event that is no longer pending at the server.
    const stream = jetstream(to.connection())
    await waitFor('all events to be fetched', async () => {
      const info = await (
        await stream.consumers.get(eventsStream(suite.namespace), durableName('notifier', OrderPaid))
      ).info()
      return info.num_pending === 0
    })
    endFirst()
    await waitFor('all events to be processed', () => batches.flat().length === 11)
    expect(batches).toEqual([['share-0'], numbers])
  })

  test('that stops while events arrive leaves none of them unacknowledged', async () => {
    const publishDirectly = (number: string) => {
      const event = { id: newId('event'), name: OrderPaid.name, at: systemClock.now().toISOString() }
      const envelope = { ...event, data: { orderId: 'order_1', number } }
      return jetstream(from.connection()).publish(eventSubject(suite.namespace, OrderPaid), JSON.stringify(envelope))
    }
    startTestConsumer(() => {})
    const replicas = Array.from({ length: 30 }, () => startConsumer(() => {}))
    let published = 0
    const stops: Promise<void>[] = []
    for (const replica of replicas) {
      for (let more = 0; more < 20; more++) await publishDirectly(`stops-${published++}`)
      stops.push(replica.stop())
    }
    await Promise.all(stops)
    // The timeout of this wait is well below ACK_WAIT_MS.
    await waitFor('every effect', async () => (await effects('stops')).length === published)
    expect(new Set(await effects('stops')).size).toBe(published)
  })

  test('moves an event that cannot be parsed to the dead-letter stream, with the reason', async () => {
    const seen: string[] = []
    startTestConsumer((numbers) => seen.push(...numbers))
    await jetstream(from.connection()).publish(eventSubject(suite.namespace, OrderPaid), '{"id":"evt_1","name":', {
      msgID: 'evt_1',
    })
    await publishEvent('after-1')
    await relayBatch(orders, from)
    await waitFor('the next event', () => seen.includes('after-1'))
    const isUnreadable = ({ headers }: { headers: Record<string, string> }) => headers['X-Event-Id'] === 'evt_1'
    await waitFor('the dead letter', async () => (await suite.deadLetters()).some(isUnreadable))
    const [letter, ...more] = (await suite.deadLetters()).filter(isUnreadable)
    expect(more).toEqual([])
    expect(letter?.subject).toBe(`${suite.namespace}.dead.notifier.order.paid`)
    expect(letter?.reason).toMatch(/JSON/)
    expect(letter?.headers).toEqual({
      'Nats-Msg-Id': expect.stringMatching(/^notifier-order-paid:\d+$/),
      'X-Event-Id': 'evt_1',
      'X-Event': 'order.paid',
      'X-Service': 'notifier',
      'X-Subject': `${suite.namespace}.events.orders.order.paid`,
      'X-Sequence': expect.stringMatching(/^\d+$/),
      'X-Deliveries': '1',
      'X-At': expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      'X-Reason': letter?.reason,
    })
  })
})

describe('the relay', () => {
  test('publishes no event of an open transaction, and all of them after its commit', async () => {
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

  test('limits a batch by its bytes, and still publishes the largest events in their order', async () => {
    const received: string[] = []
    startTestConsumer((numbers) => received.push(...numbers.map((number) => number.slice(0, 7))))
    const numbers = Array.from({ length: 7 }, (_, at) => `large-${at}`)
    for (const number of numbers) await publishEvent(number + 'x'.repeat(900 * 1024))
    const sent = [await relayBatch(orders, from), await relayBatch(orders, from), await relayBatch(orders, from)]
    // Four of them are below 4 MB, and the fifth is included whole.
    expect(sent).toEqual([5, 2, 0])
    await waitFor('the last event', () => received.includes('large-6'))
    expect(received.filter((number) => number.startsWith('large-'))).toEqual(numbers)
  })

  test('gets no event that is too large for NATS: publishing it fails with its transaction', async () => {
    const tooLarge = transaction(orders, async (tx) => {
      await publish(tx, OrderPaid, { orderId: 'order_1', number: 'rejected-1' }, systemClock.now())
      await publish(tx, OrderPaid, { orderId: 'order_1', number: 'ä'.repeat(MAX_EVENT_BYTES / 2) }, systemClock.now())
    })
    await expect(tooLarge).rejects.toThrow(EventTooLarge)
    expect(await relayBatch(orders, from)).toBe(0)
  })

  test('skips events that it cannot publish, keeps them and reports them', async () => {
    const received: string[] = []
    startTestConsumer((numbers) => received.push(...numbers))
    const maxPayload = from.connection().info?.max_payload ?? 0
    expect(maxPayload).toBeGreaterThan(MAX_EVENT_BYTES)
    // The first was accepted by a NATS with a higher limit, the second is of a newer version that was rolled back.
    await suite.sql(`insert into orders.outbox (event_id, name, payload) values
      ('evt_long', 'order.paid', repeat('x', ${maxPayload + 1})), ('evt_new', 'order.praised', '{}')`)
    await publishEvent('behind-1')
    expect(await relayBatch(orders, from)).toBe(1)
    await waitFor('the event behind them', () => received.includes('behind-1'))
    expect(await findStuckEvents(orders, from)).toEqual([
      { eventId: 'evt_long', name: 'order.paid', bytes: maxPayload + 1 },
      { eventId: 'evt_new', name: 'order.praised', bytes: 2 },
    ])
    await suite.sql(`delete from orders.outbox`)
  })

  test('leaves the outbox to the replica that holds the lock', async () => {
    await publishEvent('busy-1')
    const [lock] = await suite.sql(`select pg_advisory_lock(hashtext('relay'), hashtext('orders'))`)
    expect(lock).toBeDefined()
    expect(await relayBatch(orders, from)).toBe('busy')
    await suite.sql(`select pg_advisory_unlock(hashtext('relay'), hashtext('orders'))`)
    expect(await relayBatch(orders, from)).toBe(1)
  })
})
