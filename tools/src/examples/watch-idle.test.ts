import { SERVICE_NAMES } from '@storefront/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSuite, type Suite } from '../testing/index.ts'
import { UNFINISHED } from './watch-idle.ts'

let suite: Suite

beforeAll(async () => {
  suite = await createSuite(...SERVICE_NAMES)
})
afterAll(() => suite.stop())

const unfinished = async () => (await suite.sql<{ what: string }>(UNFINISHED)).map(({ what }) => what)

test('a shop is idle once its products are ranked, and not while events and products wait', async () => {
  expect(await unfinished()).toEqual(['first ranking'])
  await suite.sql('update catalog.listing_state set bestseller_units = 5')
  expect(await unfinished()).toEqual([])
  await suite.sql(`insert into catalog.refresh_queue (product_id) values ('prod_1')`)
  await suite.sql(`insert into orders.outbox (event_id, name, payload) values ('evt_1', 'order.paid', '{}')`)
  expect(await unfinished()).toEqual(['event order.paid', 'response of prod_1'])
})
