import {
  currentOrder,
  OrderCancelled,
  OrderFulfilled,
  OrderPaid,
  OrderPlaced,
  OrderRefunded,
} from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fitForEvents } from '../src/orders/order-event-data.ts'
import { relayed } from './events.ts'
import { createRefundsShop, TOTAL, type RefundsShop } from './refunds-shop.ts'
import { orderOf, usd } from './shop.ts'

let shop: RefundsShop

beforeAll(async () => {
  shop = await createRefundsShop()
})
afterAll(() => shop.stop())
beforeEach(() => {
  shop.provider.behavior = 'normal'
  shop.provider.configured = true
})

const admin = () => shop.suite.headers.admin()
const change = async (id: string, body: unknown) =>
  orderOf(await shop.call('PATCH', `/admin/orders/${id}`, body, admin()))

/** The events of an order after it was placed, in their order within each kind. */
async function eventsAbout(id: string) {
  await relayed(shop.suite)
  const of = <Event extends { orderId: string }>(events: Event[]) => events.filter(({ orderId }) => orderId === id)
  return {
    paid: of(await shop.suite.eventsOf(OrderPaid)),
    fulfilled: of(await shop.suite.eventsOf(OrderFulfilled)),
    refunded: of(await shop.suite.eventsOf(OrderRefunded)),
    cancelled: of(await shop.suite.eventsOf(OrderCancelled)),
  }
}

describe('events of an order', () => {
  test('carry it as its buyer sees it: the payment, the parcel, and no merchant’s field', async () => {
    const { id } = await shop.place()
    const tracking = { carrier: 'UPS', code: '1Z', url: 'https://ups.example/1Z' }
    await change(id, { status: 'fulfilled', tracking })
    const { paid, fulfilled } = await eventsAbout(id)
    expect(paid).toMatchObject([
      { order: { id, status: 'paid', payment: { provider: 'demo', status: 'captured', method: 'demo' } } },
    ])
    expect(fulfilled).toMatchObject([{ locale: 'en-US', order: { status: 'fulfilled', tracking } }])
    for (const { order, customerId } of [...paid, ...fulfilled]) {
      expect(order?.payment).not.toHaveProperty('reference')
      expect(order).not.toHaveProperty('attention')
      expect(order).not.toHaveProperty('accessToken')
      expect(order).not.toHaveProperty('customerId')
      expect(customerId).toBeUndefined()
    }
  })

  test('name the customer of the order', async () => {
    const cart = shop.addCart({ var_m: 1 }, { customerId: 'cus_ada' })
    const { id } = orderOf(await shop.checkOut(cart.id, undefined, shop.suite.headers.customer('cus_ada')))
    await waitFor('the payment', async () => (await shop.order(id)).status === 'paid')
    expect((await eventsAbout(id)).paid).toMatchObject([
      { customerId: 'cus_ada', order: { email: 'ada@mail.example' } },
    ])
  })
})

describe('a refund', () => {
  test('of a part is published with its amount and the order after it', async () => {
    const { id } = await shop.place()
    orderOf(await shop.refund(id, { amount: 920, reason: 'a stain' }))
    const { refunded, cancelled } = await eventsAbout(id)
    expect(refunded).toHaveLength(1)
    expect(refunded[0]).toMatchObject({
      refund: { amount: usd(920), reason: 'a stain', status: 'succeeded', restocked: false },
      order: { status: 'paid', refundedTotal: usd(920), payment: { status: 'partially_refunded' } },
    })
    expect(refunded[0]?.order?.refunds).toEqual([refunded[0]?.refund])
    expect(cancelled).toEqual([])
  })

  test('of the full amount cancels the order: both events are published once, and both contain the refund', async () => {
    const { id } = await shop.place()
    orderOf(await shop.refund(id, { amount: 1000 }))
    orderOf(await shop.refund(id))
    const { refunded, cancelled } = await eventsAbout(id)
    expect(refunded.map(({ refund, order }) => [refund.amount, refund.restocked, order?.status])).toEqual([
      [usd(1000), false, 'paid'],
      [usd(TOTAL - 1000), true, 'cancelled'],
    ])
    expect(cancelled).toHaveLength(1)
    expect(cancelled[0]?.order).toMatchObject({ status: 'cancelled', refundedTotal: usd(TOTAL) })
    expect(cancelled[0]?.order?.refunds.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    for (const { order } of [...refunded, ...cancelled]) expect(order?.payment).not.toHaveProperty('reference')
  })

  test('is published when it has succeeded and not before, once, whatever the source of the update', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'pending'
    const [refund] = orderOf(await shop.refund(id, { amount: 100 })).refunds
    expect((await eventsAbout(id)).refunded).toEqual([])
    const update = shop.provider.settle(refund?.id ?? '', 'succeeded')
    await Promise.all([shop.notify(update), shop.notify(update), shop.notify(update)])
    expect((await eventsAbout(id)).refunded).toMatchObject([{ refund: { id: refund?.id, status: 'succeeded' } }])
  })

  test('that fails is not published', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'pending'
    const [refund] = orderOf(await shop.refund(id, { amount: 100 })).refunds
    await shop.notify(shop.provider.settle(refund?.id ?? '', 'failed'))
    expect((await eventsAbout(id)).refunded).toEqual([])
  })

  test('that is reversed publishes nothing, and the next one is published', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'pending'
    const [refund] = orderOf(await shop.refund(id)).refunds
    await shop.notify(shop.provider.settle(refund?.id ?? '', 'succeeded'))
    await shop.notify(shop.provider.settle(refund?.id ?? '', 'failed'))
    expect((await eventsAbout(id)).refunded).toHaveLength(1)
    shop.provider.behavior = 'normal'
    orderOf(await shop.refund(id))
    const { refunded, cancelled } = await eventsAbout(id)
    expect(refunded.map(({ order }) => order?.refundedTotal.amount)).toEqual([TOTAL, TOTAL])
    expect(cancelled).toHaveLength(1)
  })

  test('made in the dashboard of the provider is published like any other', async () => {
    const { id } = await shop.place()
    const update = { paymentReference: `demo_${id}`, reference: `re_${id}`, amount: usd(300) }
    await shop.notify(update)
    await shop.notify(update)
    expect((await eventsAbout(id)).refunded).toMatchObject([{ refund: { amount: usd(300), reference: `re_${id}` } }])
  })

  test('of a second payment names its reason, and does not cancel the order', async () => {
    const { id } = await shop.place()
    await shop.pay({ orderId: id })
    await waitFor('the refund', async () => (await eventsAbout(id)).refunded.length > 0)
    const { refunded, paid, cancelled } = await eventsAbout(id)
    expect(refunded).toMatchObject([
      {
        refund: {
          amount: usd(TOTAL),
          reason: 'The order was paid twice. This refund returns the second payment; your order is unchanged.',
        },
        order: { status: 'paid', refunds: [], refundedTotal: usd(0) },
      },
    ])
    expect({ paid: paid.length, cancelled: cancelled.length }).toEqual({ paid: 1, cancelled: 0 })
  })

  test('in another currency than the order is not published with wrong amounts', async () => {
    const { id } = await shop.place()
    await shop.pay({ orderId: id, currency: 'EUR' })
    await waitFor('the refund', async () => {
      const [refund] = await shop.suite.sql<{ status: string }>(
        'select status from orders.refunds where order_id = $1',
        [id],
      )
      return refund?.status === 'succeeded'
    })
    expect((await eventsAbout(id)).refunded).toEqual([])
  })
})

describe('an order that is canceled', () => {
  test('before it was paid is published once, without a refund', async () => {
    const { id } = await shop.place('api')
    await Promise.all([change(id, { status: 'cancelled' }), change(id, { status: 'cancelled' })])
    const { paid, refunded, cancelled } = await eventsAbout(id)
    expect(cancelled).toMatchObject([{ order: { status: 'cancelled', payment: { status: 'pending' }, refunds: [] } }])
    expect([paid, refunded]).toEqual([[], []])
  })

  test('and paid at the same time is never published as paid: its payment is refunded, and that is published', async () => {
    const { id } = await shop.place('api')
    await change(id, { status: 'cancelled' })
    await shop.pay({ orderId: id })
    await waitFor('the refund', async () => (await eventsAbout(id)).refunded.length > 0)
    const { paid, refunded, cancelled } = await eventsAbout(id)
    expect(paid).toEqual([])
    expect(refunded).toMatchObject([{ refund: { amount: usd(TOTAL) }, order: { status: 'cancelled' } }])
    expect(cancelled).toHaveLength(1)
  })
})

test('the event of the largest possible order is still accepted by NATS, without its images', async () => {
  const { id } = await shop.place()
  const order = await waitFor('the event', async () => {
    const found = (await shop.suite.eventsOf(OrderPlaced)).find((event) => event.order.id === id)
    return found && currentOrder(found.order)
  })
  const [line] = order.lines
  if (!line) throw new Error('the order is empty')
  expect(fitForEvents(order)).toBe(order)
  const options = Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [`${at}${'\u5b57'.repeat(99)}`, '\u5b57'.repeat(100)]),
  )
  const image = { url: `https://${'\u5b57'.repeat(1992)}`, alt: '\u5b57'.repeat(500) }
  const large = { ...line, title: '\u5b57'.repeat(300), productSlug: 'a'.repeat(200), options, image }
  const lines = Array.from({ length: 100 }, (_, at) => ({ ...large, id: `line_${at}` }))
  expect(Buffer.byteLength(JSON.stringify({ ...order, lines }))).toBeGreaterThan(1024 * 1024)
  await shop.suite.sql(`update orders.orders set document = document || $2::jsonb where id = $1`, [
    id,
    JSON.stringify({ lines }),
  ])
  orderOf(await shop.refund(id, { amount: 1 }))
  const { refunded } = await eventsAbout(id)
  expect(refunded[0]?.order?.lines).toHaveLength(100)
  expect(refunded[0]?.order?.lines[0]).toMatchObject({ title: large.title, options: {}, image: { url: '', alt: '' } })
  expect((await shop.order(id)).document.lines[0]?.options).toEqual(options)
})
