import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOf, Order, StockMovement, type Product } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { expectShopBalanced, stockOf } from './support/shop-balance.ts'
import { readOrder, waitForPayment } from './support/paid-order.ts'
import { openShop, type TestShop } from './support/shop.ts'

const UNITS = 10

let shop: TestShop
let shirt: Product

beforeAll(async () => {
  shop = await openShop()
  shirt = await shop.stockProduct('linen-shirt', UNITS)
})
afterAll(() => shop.stop())

const variantId = () => shirt.variants[0]?.id ?? ''
const read = (id: string) => readOrder(shop, id)
const refund = async (id: string, body: object) => {
  const response = await shop.admin.post(`/admin/orders/${id}/refunds`, body)
  return response.status === 200 ? Order.parse(response.body) : response
}
const waitForStock = (onHand: number) =>
  waitFor(`${onHand} on hand`, async () => (await stockOf(shop, variantId())).onHand === onHand)
/** What the ledger has of the shirt, latest first. */
const movements = async () => {
  const { body } = await shop.admin.get(`/admin/variants/${variantId()}/movements`)
  return listOf(StockMovement)
    .parse(body)
    .items.map(({ kind, onHandDelta, reference }) => ({ kind, onHandDelta, reference }))
}

/** The units that refunds and cancellations of all orders so far have returned. */
const returnedUnits = async () =>
  (await movements()).filter(({ kind }) => kind === 'returned').reduce((sum, each) => sum + each.onHandDelta, 0)

/** Three shirts, paid by the demo provider. */
async function buy(): Promise<Order> {
  const { id } = await shop.client().buy(variantId(), 3)
  return waitForPayment(shop.admin, `/admin/orders/${id}`)
}

test('a merchant refunds an order unit by unit: each returns to the stock once, and the full refund returns what remains', async () => {
  const { id, lines, total } = await buy()
  const [line] = lines
  await waitForStock(UNITS - 3)
  const unit = { lines: [{ lineId: line?.id, quantity: 1, restock: true }] }
  expect(await refund(id, unit)).toMatchObject({ status: 'paid', refunds: [{ restocked: true }] })
  await waitForStock(UNITS - 2)
  const twice = await refund(id, unit)
  await waitForStock(UNITS - 1)
  expect(await refund(id, { lines: [{ lineId: line?.id, quantity: 2 }] })).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: { lines: [{ wanted: 2, left: 1 }] } },
  })
  const all = await refund(id, {})
  expect(all).toMatchObject({ status: 'cancelled', refundedTotal: total, payment: { status: 'refunded' } })
  await waitForStock(UNITS)
  const returned = (await movements()).filter(({ kind }) => kind === 'returned')
  expect(returned.map(({ onHandDelta }) => onHandDelta)).toEqual([1, 1, 1])
  expect(new Set(returned.map(({ reference }) => reference)).size).toBe(1)
  expect(twice).toMatchObject({ paidForLines: (await read(id)).paidForLines })
  await expectShopBalanced(shop)
})

test('refunds of one line at the same moment, and a cancellation, return no unit twice', async () => {
  const { id, lines } = await buy()
  await waitForStock(UNITS - 3)
  const before = await returnedUnits()
  const unit = { lines: [{ lineId: lines[0]?.id, quantity: 1, restock: true }] }
  await Promise.all([
    refund(id, unit),
    refund(id, unit),
    shop.admin.call('PATCH', `/admin/orders/${id}`, { status: 'cancelled' }),
    refund(id, unit),
    refund(id, unit),
  ])
  await waitFor('the refunds', async () => (await read(id)).refunds.every(({ status }) => status === 'succeeded'))
  await waitForStock(UNITS)
  expect((await read(id)).status).toBe('cancelled')
  await expectShopBalanced(shop)
  expect((await returnedUnits()) - before).toBe(3)
})

test('units of a refund that stay off sale are in neither the stock nor a later full refund', async () => {
  const { id, lines } = await buy()
  const off = { lines: [{ lineId: lines[0]?.id, quantity: 1, restock: false }] }
  expect(await refund(id, off)).toMatchObject({ refunds: [{ restocked: false }] })
  await refund(id, {})
  await waitForStock(UNITS - 1)
  expect(await read(id)).toMatchObject({ status: 'cancelled', refunds: [{ restocked: false }, { restocked: true }] })
})
