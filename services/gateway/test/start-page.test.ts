import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { json, runGateway, startService, type TestGateway, type TestService } from './setup.ts'

let suite: Suite
let storefront: TestService
let gateway: TestGateway

beforeAll(async () => {
  suite = await createSuite()
  storefront = await startService((_request, response) => json(response, 404, {}))
  gateway = await runGateway(
    suite,
    {},
    { STOREFRONT_ORIGINS: `${storefront.url},http://127.0.0.1:9`, PUBLIC_BASE_PATH: '/v1' },
  )
})

afterAll(async () => {
  await gateway.stop()
  await storefront.stop()
  await suite.stop()
})

const open = (path: string, accept = 'text/html,application/xhtml+xml,*/*;q=0.8') =>
  fetch(gateway.url + path, { headers: { accept } })

describe('a person who opens the address of the shop in a browser', () => {
  test.each(['/v1', '/v1/', '/v1?from=mail'])('sees at %s what this is, and links to the next pages', async (path) => {
    const response = await open(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    const page = await response.text()
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)
    expect(links).toEqual([storefront.url, '/v1/console', '/v1/docs', '/v1/openapi.json', '/v1/readyz'])
    for (const link of links.slice(1)) expect((await open(link ?? '')).status, link).not.toBe(404)
  })

  test('causes no more than one request to the storefronts for a while', async () => {
    const before = storefront.requests.length
    await Promise.all(Array.from({ length: 20 }, () => open('/v1/')))
    expect(storefront.requests.length - before).toBeLessThanOrEqual(1)
  })
})

test.each(['application/json', '*/*', ''])('a program that accepts %j gets the same as JSON', async (accept) => {
  const response = await open('/v1', accept)
  expect(await response.json()).toMatchObject({
    name: 'Storefront Commerce API',
    links: [
      { name: 'Storefront' },
      { name: 'Console', address: '/v1/console' },
      { name: 'API documentation', address: '/v1/docs' },
      {},
      {},
    ],
  })
})

test.each(['/', '/v1/nowhere', '/v1/index.html', '/v1//'])('%s is still an error in JSON', async (path) => {
  const response = await open(path)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'not_found' })
})

test('the start page can only be read', async () => {
  const response = await fetch(`${gateway.url}/v1`, { method: 'POST' })
  expect(response.status).toBe(405)
  expect(await response.json()).toMatchObject({ code: 'method_not_allowed' })
})
