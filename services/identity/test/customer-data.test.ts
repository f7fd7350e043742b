import { CustomerDeleted, PERMISSIONS } from '@storefront/contracts'
import type { Messaging } from '@storefront/messaging'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFakeRecords, untilConnected } from './fake-services.ts'
import { createSetting, errorOf, type Setting } from './setting.ts'

let shop: Setting
let recordServices: Messaging[]

beforeAll(async () => {
  shop = await createSetting()
  const services = ['orders', 'cart', 'catalog', 'notifier'] as const
  recordServices = await Promise.all(services.map((service) => startFakeRecords(shop.suite, service, () => ({}))))
  const { customer } = await shop.register()
  await untilConnected(shop.suite, () => exportOf(customer.id))
})
afterAll(async () => {
  for (const messaging of recordServices) await messaging.close()
  await shop.stop()
})

const owner = () => shop.asAdmin('user_owner', [...PERMISSIONS])
const support = () => shop.asAdmin('user_sue', ['customers:read', 'customers:write'])
const exportOf = (id: string, headers = support()) =>
  shop.call('GET', `/admin/customers/${id}/export`, undefined, headers)
const remove = (id: string, headers = owner()) => shop.call('DELETE', `/admin/customers/${id}`, undefined, headers)
const audit = (id: string) =>
  shop.suite.sql('select actor, action, email from identity.admin_audit where subject = $1 order by id', [id])

test('an export is the document that the customer gets, and leaves an entry in the audit', async () => {
  const { customer } = await shop.register('written@mail.example')
  const own = await shop.call('GET', '/me/export', undefined, shop.as(customer.id))
  const found = await exportOf(customer.id)
  expect(found.status).toBe(200)
  expect(found.headers['content-disposition']).toBe('attachment; filename="personal-data.json"')
  expect(found.body).toEqual({ ...Object(own.body), generatedAt: expect.any(String) })
  expect(await audit(customer.id)).toEqual([{ actor: 'user_sue', action: 'export_customer', email: null }])
})

test('an owner deletes an account once, as the customer would, and the audit has no address', async () => {
  const { customer } = await shop.register('leaves@mail.example')
  expect(errorOf(await remove(customer.id, support()))).toMatchObject({ status: 403 })
  const both = await Promise.all([remove(customer.id), remove(customer.id)])
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 404]))
  expect(errorOf(await shop.call('GET', '/me', undefined, shop.as(customer.id)))).toMatchObject({ status: 401 })
  const events = await waitFor('the event', async () => {
    const all = await shop.suite.eventsOf(CustomerDeleted)
    return all.some(({ customerId }) => customerId === customer.id) && all
  })
  expect(events.filter(({ customerId }) => customerId === customer.id)).toHaveLength(1)
  expect(await audit(customer.id)).toEqual([{ actor: 'user_owner', action: 'delete_customer', email: null }])
})

test('an account that does not exist is not found', async () => {
  for (const response of [await exportOf('cus_none'), await remove('cus_none')]) {
    expect(errorOf(response)).toMatchObject({ status: 404, code: 'not_found' })
  }
})
