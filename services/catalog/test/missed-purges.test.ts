import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSuite, openTcpProxy, waitFor, type Suite, type TcpProxy } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { fill, shirt, startTestCatalog } from './catalog.ts'
import { collectPurges } from './collect-purges.ts'

let suite: Suite
/** The proxy between this service and NATS. */
let proxy: TcpProxy
let catalog: RunningCatalog
/** The surrogate keys that gateways are to purge; they have NATS all the time. */
let purged: string[]

beforeAll(async () => {
  suite = await createSuite('catalog')
  proxy = await openTcpProxy()
  purged = await collectPurges(await suite.openMessaging('gateway'))
  const natsUrl = proxy.through(suite.env('catalog')['NATS_URL'] ?? '')
  proxy.cut()
  catalog = await startTestCatalog(suite, { NATS_URL: natsUrl })
})

beforeEach(() => void purged.splice(0))

afterAll(async () => {
  await catalog.stop()
  await proxy.close()
  await suite.stop()
})

const isConnected = () => catalog.context.messaging.isConnected()

test('a service that changed something before its first connection to NATS purges everything then', async () => {
  expect(isConnected()).toBe(false)
  await fill(catalog.app, suite, { products: [shirt('early')] })
  expect(purged).toEqual([])
  proxy.repair()
  await waitFor('the purge', () => purged.includes('*'))
})

test('a service that lost NATS purges everything when it is connected again', async () => {
  await waitFor('the connection', isConnected)
  proxy.cut()
  await waitFor('the loss', () => !isConnected())
  await fill(catalog.app, suite, { products: [shirt('unseen')] })
  expect(purged).not.toContain('product:unseen')
  proxy.repair()
  await waitFor('the purge', () => purged.includes('*'))
})
