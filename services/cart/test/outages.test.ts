import { readConfig } from '@storefront/service'
import { freePort } from '@storefront/tools/infrastructure'
import { startOwnRedis, waitFor, type OwnRedis } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CartConfig } from '../src/config.ts'
import { startCart, type RunningCart } from '../src/start.ts'
import { cartOf, contentOf, createShop, errorOf, usd, type Shop } from './shop.ts'

let redis: OwnRedis
let shop: Shop

beforeAll(async () => {
  redis = await startOwnRedis()
  shop = await createShop({ redisUrl: redis.url })
  await shop.shelf.put('var_m', { price: usd(4000), inventory: 10 })
  await shop.shelf.put('var_l', { price: usd(5000), inventory: 10 })
})
afterAll(async () => {
  await shop.stop()
  await redis.remove()
})

describe('without Redis', () => {
  test('carts are priced by requests to catalog, and by the price projection again when Redis is back', async () => {
    const cart = await shop.cartWith({ var_m: 2 })
    const requests = shop.shelf.requests()
    await redis.stop()
    expect(cartOf(await shop.call('GET', `/carts/${cart.id}`)).total).toEqual(usd(8000))
    expect(shop.shelf.requests()).toBe(requests + 1)
    const add = { variant_id: 'var_l', quantity: 1 }
    expect(cartOf(await shop.call('POST', `/carts/${cart.id}/lines`, add)).total).toEqual(usd(13_000))
    const line = `/carts/${cart.id}/lines/${cart.lines[0]?.id}`
    expect(cartOf(await shop.call('PATCH', line, { quantity: 1 })).total).toEqual(usd(9000))
    expect(contentOf(cartOf(await shop.call('DELETE', line)))).toEqual([['var_l', 1]])
    expect(cartOf(await shop.call('POST', '/carts', {})).lines).toEqual([])
    expect(errorOf(await shop.call('POST', `/carts/${cart.id}/lines`, { variant_id: 'var_x' }))).toMatchObject({
      code: 'variant_not_found',
    })
    expect((await shop.call('GET', '/readyz')).status).toBe(200)

    await redis.start()
    await waitFor('a price from the projection', async () => {
      const before = shop.shelf.requests()
      cartOf(await shop.call('GET', `/carts/${cart.id}`))
      return shop.shelf.requests() === before
    })
  })

  test('a Redis that hangs delays no cart: the response comes while it still hangs', async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    const pid = redis.pid ?? 0
    expect(pid).toBeGreaterThan(0)
    process.kill(pid, 'SIGSTOP')
    try {
      expect(cartOf(await shop.call('GET', `/carts/${id}`)).total).toEqual(usd(4000))
    } finally {
      process.kill(pid, 'SIGCONT')
    }
  })
})

describe('without Redis and NATS', () => {
  let alone: RunningCart

  beforeAll(async () => {
    const nowhere = `127.0.0.1:${await freePort()}`
    const env = { ...shop.suite.env('cart'), NATS_URL: `nats://${nowhere}`, REDIS_URL: `redis://${nowhere}`, PORT: '0' }
    alone = await startCart(readConfig(CartConfig, env), shop.suite.log)
  })
  afterAll(() => alone.stop())

  test('every operation on a cart returns 503 as JSON with a time to retry, and changes nothing', async () => {
    const cart = await shop.cartWith({ var_m: 2 })
    const line = `/carts/${cart.id}/lines/${cart.lines[0]?.id}`
    const operations = [
      ['GET', `/carts/${cart.id}`],
      ['POST', '/carts', {}],
      ['POST', `/carts/${cart.id}/lines`, { variant_id: 'var_m', quantity: 1 }],
      ['PATCH', line, { quantity: 1 }],
      ['DELETE', line],
      ['DELETE', `/carts/${cart.id}/lines`],
      ['POST', `/carts/${cart.id}/discount`, { code: 'SAVE' }],
    ] as const
    for (const [method, url, payload] of operations) {
      const response = await alone.app.inject({ method, url, ...(payload === undefined ? {} : { payload }) })
      const rejected = errorOf({ status: response.statusCode, headers: {}, body: response.json() })
      expect(rejected, `${method} ${url}`).toMatchObject({ status: 503, code: 'service_unavailable' })
      expect(response.headers['retry-after']).toBe('2')
      expect(response.headers['cache-control']).toBe('private, no-store')
    }
    expect(contentOf(cartOf(await shop.call('GET', `/carts/${cart.id}`)))).toEqual([['var_m', 2]])
  })

  test('requests that need neither are rejected as usual', async () => {
    expect((await alone.app.inject({ url: '/carts/cart_nothing' })).statusCode).toBe(404)
    expect((await alone.app.inject({ url: '/healthz' })).statusCode).toBe(200)
    expect((await alone.app.inject({ url: '/readyz' })).statusCode).toBe(200)
  })
})

describe('without NATS alone', () => {
  test('carts are priced by the price projection', async () => {
    const nats = `nats://127.0.0.1:${await freePort()}`
    const env = { ...shop.suite.env('cart'), NATS_URL: nats, REDIS_URL: redis.url, PORT: '0' }
    const cart = await startCart(readConfig(CartConfig, env), shop.suite.log)
    try {
      const create = () => cart.app.inject({ method: 'POST', url: '/carts' })
      await waitFor('the price projection', async () => (await create()).statusCode === 200)
      const { id } = (await create()).json()
      const payload = { variant_id: 'var_m', quantity: 2 }
      const added = await cart.app.inject({ method: 'POST', url: `/carts/${id}/lines`, payload })
      expect(added.json()).toMatchObject({ total: usd(8000) })

      // Written by the previous version, which had no SKU: it is still sold.
      await shop.shelf.put('var_before', { price: usd(1000), inventory: 10 })
      await shop.shelf.dropSkuInRedis('var_before')
      const old = { variant_id: 'var_before', quantity: 1 }
      const both = await cart.app.inject({ method: 'POST', url: `/carts/${id}/lines`, payload: old })
      expect(both.json()).toMatchObject({ total: usd(9000), lines: [{ sku: 'LS-var_m' }, { variantId: 'var_before' }] })

      // Whether this variant is sold cannot be known.
      await shop.shelf.deleteInRedis('var_m')
      const more = {
        method: 'PATCH',
        url: `/carts/${id}/lines/${both.json().lines[0].id}`,
        payload: { quantity: 3 },
      } as const
      expect((await cart.app.inject(more)).statusCode).toBe(503)
    } finally {
      await cart.stop()
    }
  })
})
