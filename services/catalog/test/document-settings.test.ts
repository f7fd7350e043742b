import { sendRequest, type Messaging } from '@storefront/messaging'
import { ReadDocumentSettings } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningCatalog } from '../src/start.ts'
import { startTestCatalog } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog
let orders: Messaging

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  orders = await suite.openMessaging('orders')
  await waitFor('catalog on NATS', () => read())
})
afterAll(() => suite.stop())

const read = () => sendRequest(orders, ReadDocumentSettings, {})
const save = async (payload: object) => {
  const headers = suite.headers.admin()
  const { statusCode, body } = await catalog.app.inject({ method: 'PATCH', url: '/admin/storefront', headers, payload })
  expect(statusCode, body).toBe(200)
}

test('the documents of orders get the name and the address of the shop, its time zone and its methods of delivery', async () => {
  const address = { name: 'Linen & Co Ltd', line1: '1 Mill Lane', city: 'Belfast', country: 'GB' }
  await save({
    store: { name: 'Linen & Co', address, email: 'hello@linen.example' },
    commerce: {
      timeZone: 'Europe/London',
      shippingMethods: [
        { id: 'standard', label: 'Royal Mail', price: 500 },
        { id: 'express', price: 900 },
      ],
    },
  })
  expect(await read()).toEqual({
    storeName: 'Linen & Co',
    storeAddress: address,
    storeEmail: 'hello@linen.example',
    timeZone: 'Europe/London',
    shippingMethods: [
      { id: 'standard', label: 'Royal Mail' },
      { id: 'express', label: 'express' },
    ],
  })
})

test('a shop that has set none of it gets documents without', async () => {
  await save({ store: { name: null, address: null, email: '' }, commerce: { timeZone: null, shippingMethods: null } })
  expect(await read()).toEqual({ storeName: '', timeZone: 'UTC', shippingMethods: [] })
})
