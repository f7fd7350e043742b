import { expect, test } from 'vitest'
import { readConfig } from '@storefront/service'
import { GatewayConfig } from './config.ts'

const service = 'http://127.0.0.1:9'
const needed = {
  NATS_URL: 'nats://127.0.0.1:9',
  REDIS_URL: 'redis://127.0.0.1:9',
  ACTOR_PUBLIC_KEY: 'a key',
  ACTOR_PRIVATE_KEY: 'a key',
  CATALOG_URL: service,
  CART_URL: service,
  ORDERS_URL: service,
  IDENTITY_URL: service,
  NOTIFIER_URL: service,
}

function limitsOf(settings: Record<string, string>) {
  const config = readConfig(GatewayConfig, { ...needed, ...settings })
  return [config.RATE_LIMIT_RESET, config.RATE_LIMIT_DISCOUNT, config.RATE_LIMIT_CHECKOUT, config.RATE_LIMIT_WEBHOOKS]
}

test('turning off the general limit turns off the stricter ones that are not set', () => {
  expect(limitsOf({})).toEqual([20, 60, 120, 6000])
  expect(limitsOf({ RATE_LIMIT_GENERAL: '0' })).toEqual([20, 0, 0, 0])
  expect(limitsOf({ RATE_LIMIT_AUTH: '0' })).toEqual([0, 60, 120, 6000])
  expect(limitsOf({ RATE_LIMIT_GENERAL: '0', RATE_LIMIT_CHECKOUT: '5', RATE_LIMIT_DISCOUNT: '7' })).toEqual([
    20, 7, 5, 0,
  ])
})
