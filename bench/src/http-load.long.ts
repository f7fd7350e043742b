import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { listen } from '@storefront/tools/listen'
import { loadPaths } from './http-load.ts'

test('a response that is not a success counts as a failure, and not for the rate', async () => {
  const server = createServer((_request, response) => response.writeHead(503).end())
  const { url, close } = await listen(server)
  const { perSecond, failures } = await loadPaths(url, ['/products'], { connections: 2, seconds: 1 })
  await close()
  expect(perSecond).toBe(0)
  expect(failures).toBeGreaterThan(0)
})

test('the rate is that of the successes', async () => {
  let requests = 0
  const server = createServer((_request, response) => response.writeHead(requests++ % 4 === 0 ? 200 : 503).end())
  const { url, close } = await listen(server)
  const { perSecond, failures } = await loadPaths(url, ['/products'], { connections: 2, seconds: 1 })
  await close()
  expect(perSecond).toBeGreaterThan(0)
  expect(perSecond).toBeLessThan(failures)
})
