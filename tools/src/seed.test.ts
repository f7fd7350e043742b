import { expect, onTestFinished, test } from 'vitest'
import { seed } from './seed.ts'
import { createFakeServer, type FakeResponse } from './testing/fake-server.ts'

/** Loads into a shop that gives these responses, one for each request. */
async function seedInto(...responses: FakeResponse[]) {
  const gateway = await createFakeServer(() => responses.shift() ?? { status: 500, body: {} })
  onTestFinished(() => gateway.stop())
  const login = { adminEmail: 'admin@example.com', adminPassword: 'secret' }
  const loaded = seed({ url: gateway.url, ...login, mediaDir: '/nowhere', print: () => {} })
  await loaded.catch(() => {})
  return { loaded, calls: gateway.calls }
}

test('a shop that is not available yet is asked again', async () => {
  const busy = { status: 503, body: { message: 'Not yet.' } }
  const { loaded, calls } = await seedInto(busy, busy, { status: 200, body: { version: 3 } })
  expect(await loaded).toBe(false)
  expect(calls).toEqual(Array(3).fill('GET /storefront'))
})

test('a shop that fails is not asked again', async () => {
  const { loaded, calls } = await seedInto({ status: 500, body: { message: 'Oops.' } })
  await expect(loaded).rejects.toThrow('The shop responds with an error (500 Oops.): see its logs.')
  expect(calls).toHaveLength(1)
})
