import { PUBLIC_CACHE_CONTROL } from '@storefront/http/testing'
import { manualClock } from '@storefront/service/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSuite, startOwnNats, waitFor, type OwnNats, type Suite } from '@storefront/tools/testing'
import { json, runGateway, startService, type TestGateway, type TestService } from './setup.ts'

let suite: Suite
let nats: OwnNats
let catalog: TestService
let gateway: TestGateway
const clock = manualClock('2026-01-05T10:00:00.000Z')

beforeAll(async () => {
  suite = await createSuite()
  nats = await startOwnNats()
  catalog = await startService((_request, response) =>
    json(response, 200, { ok: true }, { 'cache-control': PUBLIC_CACHE_CONTROL }),
  )
  gateway = await runGateway(suite, { catalog: catalog.url }, { NATS_URL: nats.urlFor('gateway') }, clock)
})

afterAll(async () => {
  await gateway.stop()
  await catalog.stop()
  await nats.remove()
  await suite.stop()
})

async function outcome(): Promise<string | null> {
  const response = await fetch(`${gateway.url}/products/shirt`)
  await response.arrayBuffer()
  return response.headers.get('x-cache')
}

test('without NATS no response is served beyond its max-age, and the cache is emptied when NATS is back', async () => {
  await waitFor('the connection to NATS', async () => {
    clock.advance(61_000)
    return (await outcome()) === 'STALE'
  })
  await waitFor('the refresh', async () => (await outcome()) === 'HIT')

  await nats.kill()
  expect(await outcome()).toBe('HIT')
  await waitFor('the outage to be noticed', async () => {
    clock.advance(61_000)
    return (await outcome()) === 'MISS'
  })
  expect(await outcome()).toBe('HIT')

  await nats.start()
  await waitFor('the cache to be emptied', async () => (await outcome()) === 'MISS')
  expect(await outcome()).toBe('HIT')
})
