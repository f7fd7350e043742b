import { deleteOldReceipts } from '@storefront/messaging'
import { deleteSentEvents } from '@storefront/messaging/testing'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, startRetention, transaction } from '@storefront/postgres'
import { systemClock } from '@storefront/service'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { sql } from 'kysely'

const MANY = 5000

let suite: Suite
let orders: Kysely<unknown>

beforeAll(async () => {
  suite = await createSuite('orders')
  orders = createDatabase({ url: suite.databaseUrl('orders'), poolSize: 4, name: 'orders', log: suite.log })
})

afterAll(async () => {
  await orders.destroy()
  await suite.stop()
})

const kept = async () =>
  (await suite.sql<{ id: string }>('select id from orders.sent_events order by sent_events.id')).map(({ id }) =>
    Number(id),
  )

async function deleteAllSent(): Promise<void> {
  while (await deleteSentEvents(orders));
}

/** Inserts events with these ids that JetStream stored this long ago. */
async function send(from: number, to: number, ago: string): Promise<void> {
  await suite.sql(
    `insert into orders.sent_events (id, event_id, name, payload, sent_at)
     select id, 'event_' || id, 'order.paid', '{}', now() - $3::interval from generate_series($1::int, $2::int) as id`,
    [from, to, ago],
  )
}

test('sent events are deleted after a day, whatever their number or order, and locked rows block none', async () => {
  await send(1, 1, '1 hour')
  await send(2, MANY, '25 hours')
  await send(MANY + 1, MANY + 3, '23 hours')
  await transaction(orders, async (tx) => {
    // Another replica is deleting these.
    await sql`select from sent_events where id between 10 and 19 for update`.execute(tx)
    await deleteAllSent()
    expect(await kept()).toEqual([1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, MANY + 1, MANY + 2, MANY + 3])
  })
  await deleteAllSent()
  expect(await kept()).toEqual([1, MANY + 1, MANY + 2, MANY + 3])
})

test('old receipts are deleted some at a time, the oldest first, and locked rows block none', async () => {
  await suite.sql(
    `insert into orders.inbox (consumer, event_id, received_at)
     select 'orders_test', 'event_' || id, now() - interval '15 days' - id * interval '1 minute'
     from generate_series(1, 5) as id`,
  )
  await suite.sql(`insert into orders.inbox (consumer, event_id, received_at) values ('orders_test', 'young', now())`)
  const left = async () =>
    (await suite.sql<{ id: string }>('select event_id as id from orders.inbox order by received_at')).map(
      ({ id }) => id,
    )
  expect(await deleteOldReceipts(orders, 2)).toBe(2)
  expect(await left()).toEqual(['event_3', 'event_2', 'event_1', 'young'])
  await transaction(orders, async (tx) => {
    await sql`select from inbox where event_id = 'event_2' for update`.execute(tx)
    expect(await deleteOldReceipts(orders, 10)).toBe(2)
  })
  expect(await deleteOldReceipts(orders, 10)).toBe(1)
  expect(await left()).toEqual(['young'])
})

test('a clean-up ends after its current batch when the service stops', async () => {
  let batches = 0
  const rows = {
    keptMs: 0,
    everyMs: 1,
    async deleteBefore(_db: unknown, _before: Date, limit: number) {
      await sql`select 1`.execute(orders)
      batches++
      return limit
    },
  }
  const timers = startRetention({ rows }, { db: orders, clock: systemClock, log: suite.log })
  await waitFor('several batches', () => batches > 2)
  const before = batches
  await Promise.all(timers.map((timer) => timer.stop()))
  expect(batches).toBeLessThanOrEqual(before + 1)
})
