import { Redis } from 'ioredis'
import { PRICE_FIELDS, priceEntryKey } from '@storefront/contracts'
import { manualClock } from '@storefront/service/testing'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renewAgainOnce } from '../src/products/response-format.queries.ts'
import { fill, pageOf, PUBLIC_URL, shirt, startTestCatalog } from './catalog.ts'
import { projectedFacts } from './price-facts.ts'

let suite: Suite
let redis: Redis

beforeAll(async () => {
  suite = await createSuite('catalog')
  redis = new Redis(suite.redisUrl)
})
afterAll(async () => {
  redis.disconnect()
  await suite.stop()
})

test('the pictures in the price projection follow the public address, under a new version', async () => {
  const former = await startTestCatalog(suite)
  await fill(former.app, suite, { products: [shirt('linen', { sizes: ['M'] })] })
  const variantId = (await pageOf(former.app, 'linen')).variants[0]?.id ?? ''
  const untilAt = (publicUrl: string) =>
    waitFor(`a picture at ${publicUrl}`, async () => {
      const facts = await projectedFacts(redis, suite, variantId)
      return facts?.image.url.startsWith(`${publicUrl}/`) === true
    })
  const version = async () =>
    Number(await redis.hget(priceEntryKey(suite.namespace, variantId), PRICE_FIELDS.factsVersion))
  await untilAt(PUBLIC_URL)
  const before = await version()
  await former.stop()

  const catalog = await startTestCatalog(suite, { PUBLIC_URL: 'http://moved.test' })
  await untilAt('http://moved.test')
  // Carts read facts again only under a higher version.
  expect(await version()).toBe(before + 1)
  await catalog.stop()
})

test('values that replicas with the former address still store are renewed once, after five minutes', async () => {
  const former = await startTestCatalog(suite)
  await fill(former.app, suite, { products: [shirt('wool', { sizes: ['M'] })] })
  await former.stop()
  const clock = manualClock('2025-03-03T12:00:00.000Z')
  const publicUrl = 'http://next.test'
  const catalog = await startTestCatalog(suite, { PUBLIC_URL: publicUrl }, clock)
  const { db } = catalog.context
  const untilRenewed = () =>
    waitFor('the page', async () => (await pageOf(catalog.app, 'wool')).images[0]?.url.startsWith(`${publicUrl}/`))
  const queued = () => suite.sql('select product_id from catalog.refresh_queue')
  await untilRenewed()
  await waitFor('an empty queue', async () => (await queued()).length === 0)
  await suite.sql('update catalog.product_responses set page = replace(page, $1, $2)', [publicUrl, PUBLIC_URL])
  clock.advance(5 * 60_000 - 1)
  await renewAgainOnce(db, clock.now())
  expect(await queued()).toEqual([])
  clock.advance(1)
  await renewAgainOnce(db, clock.now())
  await untilRenewed()
  await waitFor('an empty queue', async () => (await queued()).length === 0)
  await renewAgainOnce(db, clock.now())
  expect(await queued()).toEqual([])
  await catalog.stop()
})
