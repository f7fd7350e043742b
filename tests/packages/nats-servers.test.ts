import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openMessaging } from '@storefront/messaging'
import { createSuite, type Suite } from '@storefront/tools/testing'

let suite: Suite

beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

test('of several servers the first one of the address is used while it is there', async () => {
  const own = inject('servers').natsUrls.catalog
  const other = own.replace('127.0.0.1', 'localhost')
  expect(other).not.toBe(own)
  const connections = Array.from({ length: 8 }, () =>
    openMessaging({ url: `${own},${other}`, service: 'catalog', namespace: suite.namespace, log: suite.log }),
  )
  const servers = await Promise.all(connections.map(async ({ opened }) => (await opened).getServer()))
  await Promise.all(connections.map((messaging) => messaging.close()))
  expect(servers).toEqual(servers.map(() => new URL(own).host))
})
