import { createActorKeys, actorHeaders } from '@storefront/service/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSetting, errorOf, type Setting } from './setting.ts'

let shop: Setting

beforeAll(async () => {
  shop = await createSetting()
})
afterAll(() => shop.stop())

describe('the account', () => {
  test('is shown to its customer and not to a signed-out, forged or deleted one', async () => {
    const { token, customer } = await shop.register()
    const mine = await shop.call('GET', '/me', undefined, shop.as(customer.id))
    expect(mine).toMatchObject({ status: 200, body: customer, headers: { 'cache-control': 'private, no-store' } })

    const forged = actorHeaders(createActorKeys())
    const outsiders = [
      {},
      { authorization: `Bearer ${token}` },
      { 'x-actor': JSON.stringify({ kind: 'customer', customerId: customer.id, sessionId: 'sess_1' }) },
      { 'x-actor': Buffer.from(JSON.stringify({ kind: 'customer', customerId: customer.id })).toString('base64url') },
      forged.customer(customer.id),
      shop.suite.headers.anonymous(),
      shop.suite.headers.admin(),
      shop.as('cus_gone'),
    ]
    for (const headers of outsiders) {
      const response = await shop.call('GET', '/me', undefined, headers)
      expect(errorOf(response)).toEqual({ status: 401, code: 'unauthenticated' })
    }
  })

  test('accepts new names and a phone number, keeps omitted fields, and removes emptied ones', async () => {
    const { customer } = await shop.register()
    const change = (body: object) => shop.call('PATCH', '/me', body, shop.as(customer.id))
    const changed = await change({ firstName: ' Grace ', phone: '+1 555 0100', marketingOptIn: true })
    expect(changed.body).toEqual({ ...customer, firstName: 'Grace', phone: '+1 555 0100' })
    expect((await change({ lastName: 'Hopper', phone: null })).body).toEqual({
      ...customer,
      firstName: 'Grace',
      lastName: 'Hopper',
    })
    expect((await change({ phone: '1' })).body).toHaveProperty('phone', '1')
    expect((await change({ phone: ' ' })).body).not.toHaveProperty('phone')
    const [row] = await shop.suite.sql('select marketing_opt_in from identity.customers where id = $1', [customer.id])
    expect(row).toEqual({ marketing_opt_in: true })
  })

  test('accepts neither a new email address nor any other unknown field', async () => {
    const { customer } = await shop.register()
    const body = { email: 'other@mail.example', id: 'cus_1', emailVerified: true, addresses: [], password: 'x' }
    expect((await shop.call('PATCH', '/me', body, shop.as(customer.id))).body).toEqual(customer)
  })

  test('accepts no line break in a name or a phone number', async () => {
    const { customer } = await shop.register()
    for (const body of [{ firstName: 'A\r\nBcc: everybody' }, { lastName: 'a\tb' }, { phone: '1\n2' }]) {
      const response = await shop.call('PATCH', '/me', body, shop.as(customer.id))
      expect(errorOf(response)).toEqual({ status: 422, code: 'validation_failed' })
    }
  })

  test('cannot be changed without a session', async () => {
    const response = await shop.call('PATCH', '/me', { firstName: 'Eve' })
    expect(errorOf(response)).toEqual({ status: 401, code: 'unauthenticated' })
    const gone = await shop.call('PATCH', '/me', { firstName: 'Eve' }, shop.as('cus_gone'))
    expect(errorOf(gone)).toEqual({ status: 401, code: 'unauthenticated' })
  })
})
