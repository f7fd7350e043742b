import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql, type Kysely } from 'kysely'
import { OrderPaid } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { consume, publish, startRelay } from '@storefront/messaging'
import { createDatabase, transaction } from '@storefront/postgres'
import { systemClock } from '@storefront/service'

let suite: Suite
let orders: Kysely<unknown>
let notifier: Kysely<unknown>

beforeAll(async () => {
  suite = await createSuite('orders', 'notifier')
  orders = createDatabase({ url: suite.databaseUrl('orders'), poolSize: 4, name: 'orders', log: suite.log })
  notifier = createDatabase({ url: suite.databaseUrl('notifier'), poolSize: 4, name: 'notifier', log: suite.log })
})

afterAll(async () => {
  await orders.destroy()
  await notifier.destroy()
  await suite.stop()
})

describe('an event', () => {
  test('is published when its transaction commits, and is processed once by its consumer', async () => {
    const from = await suite.openMessaging('orders')
    const to = await suite.openMessaging('notifier')
    const relay = startRelay({ db: orders, messaging: from, log: suite.log, clock: systemClock })
    const seen: string[] = []
    const consumer = consume({ db: notifier, messaging: to, log: suite.log }, OrderPaid, async (tx, events) => {
      await sql`select 1`.execute(tx)
      seen.push(...events.map((event) => event.data.number))
    })
    await transaction(orders, (tx) => publish(tx, OrderPaid, { orderId: 'order_1', number: 'SF-1' }, systemClock.now()))
    await expect(
      transaction(orders, async (tx) => {
        await publish(tx, OrderPaid, { orderId: 'order_2', number: 'SF-2' }, systemClock.now())
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    await waitFor('the event', () => seen.length > 0)
    await transaction(orders, (tx) => publish(tx, OrderPaid, { orderId: 'order_3', number: 'SF-3' }, systemClock.now()))
    await waitFor('the next event', () => seen.length > 1)
    expect(seen).toEqual(['SF-1', 'SF-3'])
    await consumer.stop()
    await relay.stop()
  })
})
