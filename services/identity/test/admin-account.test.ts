import { PERMISSIONS } from '@storefront/contracts'
import { actorHeaders, createActorKeys } from '@storefront/service/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, claimsOf, createSetting, errorOf, tokenOf, type Setting } from './setting.ts'

let shop: Setting

beforeAll(async () => {
  shop = await createSetting()
})
afterAll(() => shop.stop())

const whoAmI = (headers: object) => shop.call('GET', '/admin/auth/me', undefined, headers)

describe('the admin who is signed in', () => {
  test('is shown with role and permissions, and the permissions of this session', async () => {
    const response = await shop.call('POST', '/admin/auth/login', ADMIN)
    const userId = String(claimsOf(tokenOf(response))['sub'])
    const me = await whoAmI(shop.asAdmin(userId, ['catalog:read'], 'sess_test'))
    expect(me).toMatchObject({
      status: 200,
      body: {
        user: { id: userId, email: ADMIN.email, role: 'owner', permissions: [...PERMISSIONS], secondFactor: false },
        permissions: ['catalog:read'],
      },
    })
  })

  test('is never a customer, a visitor, a key or a forged actor', async () => {
    const { token, customer } = await shop.register()
    const forbidden = { status: 403, code: 'forbidden' }
    const unauthenticated = { status: 401, code: 'unauthenticated' }
    expect(errorOf(await whoAmI(shop.as(customer.id)))).toEqual(forbidden)
    expect(errorOf(await whoAmI({ ...shop.as(customer.id), authorization: `Bearer ${token}` }))).toEqual(forbidden)
    expect(errorOf(await whoAmI(shop.asAdmin('key_1', [...PERMISSIONS])))).toEqual(forbidden)
    expect(errorOf(await whoAmI({}))).toEqual(unauthenticated)
    expect(errorOf(await whoAmI(actorHeaders(createActorKeys()).admin()))).toEqual(unauthenticated)
    expect(errorOf(await whoAmI(shop.asAdmin('user_gone', ['catalog:read'], 'sess_test')))).toEqual(unauthenticated)
  })
})
