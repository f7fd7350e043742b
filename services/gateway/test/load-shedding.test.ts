import { afterAll, beforeAll, expect, test } from 'vitest'
import { PUBLIC_CACHE_CONTROL } from '@storefront/chassis'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { json, runGateway, startService, type TestGateway, type TestService } from './setup.ts'

let suite: Suite
let service: TestService
let gateway: TestGateway

beforeAll(async () => {
  suite = await createSuite()
  service = await startService((_request, response) =>
    json(response, 200, {}, { 'cache-control': PUBLIC_CACHE_CONTROL }),
  )
  gateway = await runGateway(suite, { catalog: service.url, cart: service.url })
})

afterAll(async () => {
  await gateway.stop()
  await service.stop()
  await suite.stop()
})

function blockEventLoop(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('with more to do than it can, the gateway refuses what costs work, and recovers', async () => {
  const status = async (path: string, method = 'GET') => (await fetch(gateway.url + path, { method })).status
  expect(await status('/products')).toBe(200)
  let round = 0
  const refused = await waitFor('a refusal', async () => {
    blockEventLoop(650)
    round++
    const answers = await Promise.all(
      ['/carts/x', '/products', '/healthz', `/products/${round}`].map((path) => status(path)),
    )
    return answers[0] === 503 && answers
  })
  expect(refused).toEqual([503, 200, 200, 503])
  await waitFor('the recovery', async () => (await status('/carts/x')) === 200)
})
