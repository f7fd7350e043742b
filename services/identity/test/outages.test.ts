import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '@storefront/tools/infrastructure'
import { ADMIN, createSetting, PASSWORD, type Setting } from './setting.ts'

let shop: Setting

beforeAll(async () => {
  const nowhere = `127.0.0.1:${await freePort()}`
  shop = await createSetting({ NATS_URL: `nats://${nowhere}`, REDIS_URL: `redis://${nowhere}` })
})
afterAll(() => shop.stop())

describe('without NATS and Redis', () => {
  test('the service starts, is ready, and signs customers and admins in and out', async () => {
    expect((await shop.call('GET', '/readyz')).status).toBe(200)
    const { customer } = await shop.register('ada@mail.example')
    const steps = [
      await shop.call('POST', '/auth/login', { email: 'ada@mail.example', password: PASSWORD }),
      await shop.call('GET', '/me', undefined, shop.as(customer.id)),
      await shop.call('POST', '/me/addresses', { line1: '1' }, shop.as(customer.id)),
      await shop.call('POST', '/auth/logout', undefined, shop.as(customer.id)),
      await shop.call('POST', '/newsletter', { email: 'ada@mail.example' }),
      await shop.call('POST', '/auth/password/forgot', { email: 'ada@mail.example' }),
      await shop.call('POST', '/auth/email/verify', undefined, shop.as(customer.id)),
      await shop.call('POST', '/admin/auth/login', ADMIN),
      await shop.call('GET', '/.well-known/jwks.json'),
    ]
    expect(steps.map((step) => step.status)).toEqual(steps.map(() => 200))
  })
})
