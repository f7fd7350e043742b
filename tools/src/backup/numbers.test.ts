import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createSuite, type Suite } from '../testing/index.ts'
import { withClient } from '../with-client.ts'
import { skipOrderNumbers } from './numbers.queries.ts'

let suite: Suite

beforeAll(async () => {
  suite = await createSuite('orders')
})
afterAll(() => suite.stop())

/** The restored database has the number 20,000 as its last, and no orders from which a busy hour could be estimated. */
beforeEach(async () => {
  await suite.sql(`select setval('orders.order_numbers', 20000)`)
})

const skip = (lastOrder: number) =>
  withClient({ connectionString: suite.databaseAdminUrl }, (client) =>
    skipOrderNumbers(client, { takenAt: new Date().toISOString(), lastOrder, replacesShop: false }),
  )

it('orders continue after the last number of the old database, if it is known', async () => {
  expect(await skip(45_678)).toBe(45_679)
  expect(await suite.sql(`select nextval('orders.order_numbers')::int as next`)).toEqual([{ next: 45_679 }])
})

it.each([0, 10_001, 20_999])('orders continue after the estimate when it is higher than %i', async (lastOrder) => {
  expect(await skip(lastOrder)).toBe(21_001)
})
