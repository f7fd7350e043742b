import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { waitFor } from '@storefront/tools/testing'
import { ADDED_KEY_HEADER } from '@storefront/contracts'
import { deleteOldKeys } from '../src/idempotency/idempotency.queries.ts'
import { BUYER, cookie, createShop, newBrowser, orderOf, errorOf, type Shop } from './shop.ts'

let shop: Shop
let unencrypted: Shop

beforeAll(async () => {
  shop = await createShop({ env: { SECRETS_KEY: 'a key of the shop, for tests' } })
  unencrypted = await createShop()
})
afterAll(async () => {
  await shop.stop()
  await unencrypted.stop()
})

let keys = 0
beforeEach(() => {
  keys++
  for (const each of [shop, unencrypted]) each.stock.set('var_m', 1000)
})

const NAME = 'b'.repeat(27)
const withKey = (key = `key-${keys}`, headers: object = cookie(newBrowser(shop, NAME))) => ({
  ...headers,
  'idempotency-key': key,
})
/** The bytes of a response, and its headers. */
const post = async (from: Shop, path: string, body: unknown, headers: object) => {
  const response = await from.orders.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  })
  return {
    status: response.statusCode,
    body: response.json<{ accessToken?: string }>(),
    text: response.body,
    replayed: response.headers['idempotent-replayed'],
  }
}
const rowIdOf = (caller: string, key: string) =>
  createHash('sha256')
    .update(JSON.stringify([caller, 'checkout', key]))
    .digest()

describe('the same key', () => {
  test('with the same request gets the same bytes, in whatever order its fields are', async () => {
    const path = `/carts/${shop.addCart().id}/checkout`
    const first = await post(shop, path, BUYER, withKey())
    const { email, ...rest } = BUYER
    const again = await post(shop, path, { ...rest, email }, withKey())
    expect(first).toMatchObject({ status: 200, replayed: undefined })
    expect(again).toEqual({ ...first, replayed: 'true' })
    const [row] = await shop.suite.sql<{ answer: string }>('select answer from orders.idempotency_keys where id = $1', [
      rowIdOf(`browser ${NAME}`, `key-${keys}`),
    ])
    expect(row?.answer).not.toContain(first.body.accessToken ?? 'a token')
  })

  test("replays a provider's page", async () => {
    const { id } = shop.addCart({ var_m: 1 }, { checkoutMode: 'redirect' })
    const before = shop.providers.demo.opened.length
    const first = await post(shop, '/checkout/sessions', { ...BUYER, cart_id: id }, withKey())
    const again = await post(shop, '/checkout/sessions', { ...BUYER, cart_id: id }, withKey())
    expect(again).toEqual({ ...first, replayed: 'true' })
    expect(shop.providers.demo.opened).toHaveLength(before + 1)
  })

  test('replays a page that has expired', async () => {
    const { id } = shop.addCart({ var_m: 1 }, { checkoutMode: 'redirect' })
    const headers = withKey()
    const first = await post(shop, `/carts/${id}/checkout`, BUYER, headers)
    expect(first.status).toBe(200)
    await shop.suite.sql(`update orders.payment_sessions set status = 'superseded' where cart_id = $1`, [id])
    expect(await post(shop, `/carts/${id}/checkout`, BUYER, headers)).toEqual({ ...first, replayed: 'true' })
  })

  test('with another request is rejected', async () => {
    const path = `/carts/${shop.addCart().id}/checkout`
    await post(shop, path, BUYER, withKey())
    const others: [string, object][] = [
      [path, { ...BUYER, email: 'eve@mail.example' }],
      [`/carts/${shop.addCart().id}/checkout`, BUYER],
    ]
    for (const [otherPath, body] of others) {
      expect(errorOf(await post(shop, otherPath, body, withKey()))).toMatchObject({
        status: 409,
        code: 'idempotency_mismatch',
      })
    }
  })

  test('of another browser is another key', async () => {
    const { id } = shop.addCart()
    const path = `/carts/${id}/checkout`
    await post(shop, path, BUYER, withKey())
    const other = await post(shop, path, BUYER, withKey(undefined, cookie(newBrowser(shop))))
    expect(other).toMatchObject({ status: 404, replayed: undefined })
    const customer = await post(shop, path, BUYER, withKey(undefined, shop.suite.headers.customer('cus_eve')))
    expect(customer).toMatchObject({ status: 404, replayed: undefined })
  })

  test('of clients without cookies is separate for each cart: they may all count from one', async () => {
    const anonymous = withKey('1', {})
    for (const { id } of [shop.addCart(), shop.addCart()]) {
      const path = `/carts/${id}/checkout`
      const first = await post(shop, path, BUYER, anonymous)
      const again = await post(shop, path, BUYER, anonymous)
      expect(first).toMatchObject({ status: 200, replayed: undefined })
      expect(again).toEqual({ ...first, replayed: 'true' })
      const read = await shop.call('GET', `/orders/${orderOf(first).id}`, undefined, {
        'x-order-token': again.body.accessToken,
      })
      expect(read.status).toBe(200)
      const other = await post(shop, path, { ...BUYER, email: 'eve@mail.example' }, anonymous)
      expect(errorOf(other)).toMatchObject({ status: 409, code: 'idempotency_mismatch' })
    }
  })

  test('of two concurrent requests does the work once, and both get its response', async () => {
    const path = `/carts/${shop.addCart({ var_m: 2 }).id}/checkout`
    const before = shop.quotes.length
    const responses = await Promise.all(Array.from({ length: 5 }, () => post(shop, path, BUYER, withKey())))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(responses.filter(({ replayed }) => replayed === 'true')).toHaveLength(4)
    expect(shop.quotes.length - before).toBe(1)
  })

  test('of a failed request may be used again', async () => {
    shop.stock.set('var_idem', 0)
    const path = `/carts/${shop.addCart({ var_idem: 1 }).id}/checkout`
    expect(await post(shop, path, BUYER, withKey())).toMatchObject({ status: 409, replayed: undefined })
    shop.stock.set('var_idem', 1)
    expect(await post(shop, path, BUYER, withKey())).toMatchObject({ status: 200, replayed: undefined })
    expect(await post(shop, path, BUYER, withKey())).toMatchObject({ status: 200, replayed: 'true' })
  })

  test('of a request that a crash interrupted is claimed again when its lease has ended', async () => {
    const path = `/carts/${shop.addCart().id}/checkout`
    const first = await post(shop, path, BUYER, withKey())
    const id = rowIdOf(`browser ${NAME}`, `key-${keys}`)
    await shop.suite.sql('update orders.idempotency_keys set answer = null where id = $1', [id])
    const second = post(shop, path, BUYER, withKey())
    await shop.suite.sql(`update orders.idempotency_keys set lease_until = now() - interval '1 second' where id = $1`, [
      id,
    ])
    const result = await second
    expect(result.replayed).toBeUndefined()
    expect(orderOf(result).id).toBe(orderOf(first).id)
  })

  test('of a client without cookies shows it the order whose response was lost because the process died', async () => {
    const path = `/carts/${shop.addCart().id}/checkout`
    const first = await post(shop, path, BUYER, withKey('1', {}))
    expect(first.status).toBe(200)
    await shop.suite.sql(`update orders.idempotency_keys set answer = null, lease_until = now() - interval '1 second'`)
    for (const [headers, body] of [
      [withKey('2', {}), BUYER],
      [{}, BUYER],
      [withKey('2', {}), { ...BUYER, email: 'eve@mail.example' }],
    ] as const) {
      expect(errorOf(await post(shop, path, body, headers))).toMatchObject({ status: 404, code: 'not_found' })
    }
    const remove = () => shop.suite.sql('delete from orders.idempotency_keys')
    const age = (days: number) =>
      shop.suite.sql(`update orders.orders set placed_at = placed_at - $1 * interval '1 day' where id = $2`, [
        days,
        orderOf(first).id,
      ])
    await remove()
    await age(1.1)
    expect(errorOf(await post(shop, path, BUYER, withKey('1', {})))).toMatchObject({ status: 404 })
    await age(-1.1)
    const again = await post(shop, path, BUYER, withKey('1', {}))
    expect(orderOf(again).id).toBe(orderOf(first).id)
    const token = { 'x-order-token': again.body.accessToken }
    expect((await shop.call('GET', `/orders/${orderOf(first).id}`, undefined, token)).status).toBe(200)
  })

  test('that the gateway added is not stored, but its client still gets the order when it is repeated', async () => {
    const path = `/carts/${shop.addCart({ var_m: 1 }).id}/checkout`
    const stored = () => shop.suite.sql('select from orders.idempotency_keys')
    const before = await stored()
    const added = { ...withKey('1', {}), [ADDED_KEY_HEADER]: '1' }
    const responses = await Promise.all(Array.from({ length: 5 }, () => post(shop, path, BUYER, added)))
    expect(await stored()).toHaveLength(before.length)
    expect(new Set(responses.map((response) => orderOf(response).id)).size).toBe(1)
    for (const response of [...responses, await post(shop, path, BUYER, added)]) {
      const token = { 'x-order-token': response.body.accessToken }
      expect(response.replayed).toBeUndefined()
      expect((await shop.call('GET', `/orders/${orderOf(response).id}`, undefined, token)).status).toBe(200)
    }
    const other = { ...added, 'idempotency-key': 'another-key' }
    expect(errorOf(await post(shop, path, BUYER, other))).toMatchObject({ status: 404, code: 'not_found' })
  })

  test('is not an access token: values derived from it open nothing', async () => {
    const path = `/carts/${shop.addCart().id}/checkout`
    const first = await post(shop, path, BUYER, withKey('1', {}))
    const hashes = await shop.suite.sql<{ hash: string }>(
      `select encode(secret_hash, 'base64') as hash from orders.order_capabilities where order_id = $1`,
      [orderOf(first).id],
    )
    const read = async (token: string) =>
      (await shop.call('GET', `/orders/${orderOf(first).id}`, undefined, { 'x-order-token': token })).status
    const [{ id, requestHash } = { id: '', requestHash: '' }] = await shop.suite.sql<
      Record<'id' | 'requestHash', string>
    >(
      `select encode(id, 'hex') as id, encode(request_hash, 'hex') as "requestHash" from orders.idempotency_keys
      order by started_at desc limit 1`,
    )
    const known = createHash('sha256')
      .update(JSON.stringify([id, requestHash]))
      .digest('base64url')
    const kept = createHash('sha256').update(`key:${known}`).digest('base64')
    expect(hashes.map(({ hash }) => hash)).toContain(kept)
    expect(await Promise.all([known, `key:${known}`, first.body.accessToken ?? ''].map(read))).toEqual([404, 404, 200])
  })

  test('is held for as long as the work takes', async () => {
    const path = `/carts/${shop.addCart().id}/checkout`
    const leaseOf = async () => {
      const [row] = await shop.suite.sql<{ ends: Date }>(
        'select lease_until as ends from orders.idempotency_keys where id = $1 and answer is null',
        [rowIdOf(`browser ${NAME}`, `key-${keys}`)],
      )
      return row?.ends.getTime()
    }
    await shop.suite.sql('begin; lock table orders.orders in exclusive mode')
    const response = post(shop, path, BUYER, withKey())
    const firstEnd = await waitFor('the key to be claimed', leaseOf)
    await waitFor('its lease to be renewed', async () => ((await leaseOf()) ?? 0) > firstEnd)
    await shop.suite.sql('commit')
    expect((await response).status).toBe(200)
  })

  test('is deleted after a day', async () => {
    const path = `/carts/${shop.addCart().id}/checkout`
    await post(shop, path, BUYER, withKey())
    const id = rowIdOf(`browser ${NAME}`, `key-${keys}`)
    const left = () => shop.suite.sql('select from orders.idempotency_keys where id = $1', [id])
    const dayAgo = new Date(Date.now() - 24 * 3600 * 1000)
    await deleteOldKeys(shop.orders.context.db, dayAgo, 1000)
    expect(await left()).toHaveLength(1)
    await shop.suite.sql(`update orders.idempotency_keys set started_at = now() - interval '25 hours' where id = $1`, [
      id,
    ])
    await deleteOldKeys(shop.orders.context.db, dayAgo, 1000)
    expect(await left()).toEqual([])
  })

  test.each(['', 'with space', 'x'.repeat(256), 'schlüssel'])('cannot be %j', async (key) => {
    const path = `/carts/${shop.addCart().id}/checkout`
    expect(errorOf(await post(shop, path, BUYER, withKey(key)))).toMatchObject({
      status: 422,
      code: 'validation_failed',
      message: expect.stringContaining('`Idempotency-Key` must have 1 to 255 visible characters'),
    })
  })
})

describe('without a SECRETS_KEY', () => {
  test('no token is stored; a replay gets a new one that opens the order, as the first does', async () => {
    const path = `/carts/${unencrypted.addCart().id}/checkout`
    const first = await post(unencrypted, path, BUYER, withKey())
    const again = await post(unencrypted, path, BUYER, withKey())
    expect(again).toMatchObject({ status: 200, replayed: 'true' })
    expect(again.body.accessToken).not.toBe(first.body.accessToken)
    expect({ ...again.body, accessToken: '' }).toEqual({ ...first.body, accessToken: '' })
    const kept = await unencrypted.suite.sql<{ answer: string }>('select answer from orders.idempotency_keys')
    expect(kept.map(({ answer: response }) => response).join(' ')).not.toContain('accessToken')
    for (const { accessToken } of [first.body, again.body]) {
      const orderPath = `/orders/${orderOf(first).id}`
      expect((await unencrypted.call('GET', orderPath, undefined, { 'x-order-token': accessToken })).status).toBe(200)
    }
  })

  test('the new token opens a payment page as well', async () => {
    const { id } = unencrypted.addCart({ var_m: 1 }, { checkoutMode: 'redirect' })
    const body = { ...BUYER, cart_id: id }
    await post(unencrypted, '/checkout/sessions', body, withKey())
    const again = await post(unencrypted, '/checkout/sessions', body, withKey())
    const [opened] = unencrypted.providers.demo.opened
    const path = `/checkout/sessions/${opened?.id}`
    const read = () => unencrypted.call('GET', path, undefined, { 'x-order-token': again.body.accessToken })
    await waitFor('the session', async () => (await read()).status === 200)
    expect((await read()).status).toBe(200)
  })
})
