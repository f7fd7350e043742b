import { listOf, OrderFulfilled, OrderRestocked, ParcelSent, TrackingUpdated, type Order } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { published } from './events.ts'
import { createShop, errorOf, orderOf, type Shop } from './shop.ts'
import { timelineOf } from './timeline.ts'

const UPS = { carrier: 'UPS', code: '1Z999', url: 'https://ups.example/1Z999' }
const DHL = { carrier: 'DHL', code: 'JJD1', url: '' }
let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 1000)
  shop.stock.set('var_l', 1000)
})
afterAll(() => shop.stop())

const admin = () => shop.suite.headers.admin()
const change = (id: string, body: unknown) => shop.call('PATCH', `/admin/orders/${id}`, body, admin())
const show = async (id: string) => orderOf(await shop.call('GET', `/admin/orders/${id}`, undefined, admin()))
const send = (id: string, body?: unknown, key?: string) =>
  shop.call('POST', `/admin/orders/${id}/fulfilments`, body, {
    ...admin(),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  })
const timeline = (id: string) => timelineOf(shop, id)
const kinds = async (id: string) => (await timeline(id)).map(({ kind }) => kind)

/** A paid order of three shirts in M and one in L, with the ids of its lines. */
async function place(): Promise<Order & { m: string; l: string }> {
  const cart = shop.addCart({ var_m: 3, var_l: 1 }, { checkoutMode: 'api' })
  const { id } = orderOf(await shop.checkOut(cart.id))
  const order = orderOf(await change(id, { status: 'paid' }))
  const lineOf = (variantId: string) => order.lines.find((line) => line.variantId === variantId)?.id ?? ''
  return { ...order, m: lineOf('var_m'), l: lineOf('var_l') }
}

describe('a merchant sends an order in several parcels', () => {
  test('and it keeps its status until the last one is sent', async () => {
    const { id, number, m, l } = await place()
    const first = orderOf(await send(number, { lines: [{ lineId: m, quantity: 2 }], tracking: UPS }))
    expect(first).toMatchObject({
      status: 'paid',
      tracking: UPS,
      fulfilments: [{ lines: [{ lineId: m, quantity: 2 }], tracking: UPS }],
    })
    const [sent] = await published(shop, ParcelSent, id)
    expect(sent).toMatchObject({
      number,
      order: { status: 'paid', tracking: UPS },
      parcel: { lines: [{ lineId: m, quantity: 2 }] },
    })
    expect(sent?.order).not.toHaveProperty('fulfilments')
    expect(await published(shop, OrderFulfilled, id)).toEqual([])

    const last = orderOf(await send(id, { tracking: DHL }))
    expect(last).toMatchObject({ status: 'fulfilled', tracking: DHL })
    expect(last.fulfilments?.map(({ lines, tracking }) => ({ lines, tracking }))).toEqual([
      { lines: [{ lineId: m, quantity: 2 }], tracking: UPS },
      {
        lines: [
          { lineId: m, quantity: 1 },
          { lineId: l, quantity: 1 },
        ],
        tracking: DHL,
      },
    ])
    expect(await show(id)).toEqual(last)
    expect(await published(shop, ParcelSent, id)).toHaveLength(1)
    expect(await published(shop, OrderFulfilled, id)).toMatchObject([{ order: { status: 'fulfilled', tracking: DHL } }])
    const steps = (await timeline(id)).slice(3)
    expect(steps.map(({ kind, label }) => [kind, label])).toEqual([
      ['parcel', 'A part of the order was sent (UPS 1Z999).'],
      ['parcel', 'A part of the order was sent (DHL JJD1).'],
      ['fulfilled', 'The order was sent.'],
    ])
    expect(steps[0]?.detail).toMatchObject({ lines: [{ lineId: m, title: 'Linen shirt', quantity: 2 }], ...UPS })
  })

  test('of which the buyer sees the tracking, and no parcels', async () => {
    const cart = shop.addCart({ var_m: 2 }, { checkoutMode: 'api' })
    const { id, accessToken, lines } = orderOf(await shop.checkOut(cart.id))
    await send(id, { lines: [{ lineId: lines[0]?.id, quantity: 1 }], tracking: UPS })
    const seen = orderOf(await shop.call('GET', `/orders/${id}?token=${accessToken}`))
    expect(seen).toMatchObject({ status: 'placed', tracking: UPS })
    expect(seen).not.toHaveProperty('fulfilments')
  })

  test('and an order that is sent whole has one parcel, as if its status had been set', async () => {
    const { id } = await place()
    expect(orderOf(await send(id, { tracking: UPS })).fulfilments).toHaveLength(1)
    expect((await kinds(id)).slice(3)).toEqual(['tracking', 'fulfilled'])
    const { id: other } = await place()
    expect(orderOf(await send(other)).fulfilments).toMatchObject([{ lines: [{ quantity: 3 }, { quantity: 1 }] }])
    expect(await show(other)).not.toHaveProperty('tracking')
  })

  test('and it is partial in the export until the last is sent', async () => {
    const { id, number, m } = await place()
    const exported = async () => {
      const { body } = await shop.orders.app.inject({ url: `/admin/orders/export?q=${number}`, headers: admin() })
      return body.split('\r\n')[1]?.split(',').slice(0, 5)
    }
    await send(id, { lines: [{ lineId: m, quantity: 1 }] })
    expect(await exported()).toEqual([number, 'ada@mail.example', 'captured', 'partial', 'paid'])
    await send(id)
    expect(await exported()).toEqual([number, 'ada@mail.example', 'captured', 'fulfilled', 'fulfilled'])
  })

  test('and finds it by the tracking code of each', async () => {
    const { id, l } = await place()
    await send(id, { lines: [{ lineId: l, quantity: 1 }], tracking: { carrier: 'UPS', code: 'EARLIER77' } })
    await send(id, { tracking: { carrier: 'UPS', code: 'LATER77' } })
    const found = (code: string) =>
      waitFor(`the order by ${code}`, async () => {
        const { body } = await shop.call('GET', `/admin/orders?q=${code}`, undefined, admin())
        const { items } = listOf(z.object({ id: z.string() })).parse(body)
        return items.length > 0 && items
      })
    expect(await found('EARLIER77')).toEqual([{ id }])
    expect(await found('LATER77')).toEqual([{ id }])
  })
})

describe('a parcel is rejected', () => {
  test('with more than is left, and the error says how much that is', async () => {
    const { id, m, l } = await place()
    await send(id, {
      lines: [
        { lineId: m, quantity: 2 },
        { lineId: l, quantity: 1 },
      ],
    })
    const before = await show(id)
    expect(errorOf(await send(id, { lines: [{ lineId: m, quantity: 2 }] }))).toEqual({
      status: 409,
      code: 'conflict',
      message: 'Only 1 × Linen shirt is left to send. The parcel was not sent.',
      detail: { lines: [{ lineId: m, title: 'Linen shirt', wanted: 2, left: 1 }] },
    })
    expect(errorOf(await send(id, { lines: [{ lineId: l, quantity: 1 }] })).message).toContain('No Linen shirt is left')
    expect(await show(id)).toEqual(before)
    expect(await published(shop, ParcelSent, id)).toHaveLength(1)
  })

  test('with lines twice, or nothing', async () => {
    const { id, m } = await place()
    for (const lines of [
      [],
      [{ lineId: m, quantity: 0 }],
      [{ lineId: m, quantity: 1.5 }],
      [
        { lineId: m, quantity: 1 },
        { lineId: m, quantity: 1 },
      ],
    ])
      expect(errorOf(await send(id, { lines }))).toMatchObject({ status: 422, code: 'validation_failed' })
    expect((await show(id)).fulfilments).toEqual([])
  })

  test('with a line of another order', async () => {
    const [{ id }, { m }] = [await place(), await place()]
    const error = errorOf(await send(id, { lines: [{ lineId: m, quantity: 1 }] }))
    expect(error).toMatchObject({ status: 404, code: 'line_not_found', detail: { lineIds: [m] } })
  })

  test('with incomplete tracking', async () => {
    const { id } = await place()
    const error = errorOf(await send(id, { tracking: { carrier: 'UPS' } }))
    expect(error).toMatchObject({ status: 422, code: 'missing_fields' })
    expect((await show(id)).status).toBe('paid')
  })

  test.each(['fulfilled', 'delivered', 'cancelled'])('of an order that is %s', async (status) => {
    const { id, m } = await place()
    if (status === 'delivered') await change(id, { status: 'fulfilled' })
    await change(id, { status })
    const error = errorOf(await send(id, { lines: [{ lineId: m, quantity: 1 }] }))
    expect(error).toMatchObject({ status: 409, code: 'invalid_transition', detail: { from: status, to: 'fulfilled' } })
  })

  test('of an order that does not exist', async () => {
    expect(errorOf(await send('order_nothing'))).toMatchObject({ status: 404, code: 'not_found' })
  })
})

describe('requests at the same moment', () => {
  test('never send a unit twice', async () => {
    const { id, m, l } = await place()
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, nth) => send(id, { lines: [{ lineId: nth % 4 === 3 ? l : m, quantity: 1 }] })),
    )
    const statuses = all.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(4)
    expect(statuses.filter((status) => status === 409)).toHaveLength(8)
    const order = await show(id)
    expect(order.status).toBe('fulfilled')
    const units = (order.fulfilments ?? []).flatMap(({ lines }) => lines)
    expect(units.map(({ lineId }) => lineId).toSorted()).toEqual([m, m, m, l].toSorted())
    expect(await published(shop, ParcelSent, id)).toHaveLength(3)
    expect(await published(shop, OrderFulfilled, id)).toHaveLength(1)
  })

  test('with the same key send one parcel', async () => {
    const { id, m } = await place()
    const body = { lines: [{ lineId: m, quantity: 1 }] }
    const all = await Promise.all(Array.from({ length: 5 }, () => send(id, body, 'parcel-1')))
    for (const response of all) expect(orderOf(response).fulfilments).toHaveLength(1)
    expect(errorOf(await send(id, { lines: [{ lineId: m, quantity: 2 }] }, 'parcel-1')).code).toBe(
      'idempotency_mismatch',
    )
    expect(orderOf(await send(id, body, 'parcel-2')).fulfilments).toHaveLength(2)
  })

  test('as a retry after the process died before it had stored its response, send one parcel', async () => {
    const { id, m } = await place()
    const body = { lines: [{ lineId: m, quantity: 1 }] }
    await send(id, body, 'lost')
    await shop.suite.sql('delete from orders.idempotency_keys')
    expect(orderOf(await send(id, body, 'lost')).fulfilments).toHaveLength(1)
    expect(await published(shop, ParcelSent, id)).toHaveLength(1)
  })

  test('with the key of another parcel of the order are rejected, also when its response is no longer stored', async () => {
    const { id, m, l } = await place()
    await send(id, { lines: [{ lineId: m, quantity: 1 }] }, 'reused')
    await shop.suite.sql('delete from orders.idempotency_keys')
    const other = await send(id, { lines: [{ lineId: l, quantity: 1 }] }, 'reused')
    expect(errorOf(other)).toMatchObject({ status: 409, code: 'idempotency_mismatch' })
    expect((await show(id)).fulfilments).toHaveLength(1)
  })
})

describe('the status of an order that was sent in part', () => {
  test('set to fulfilled sends everything that is left, with the tracking of the request', async () => {
    const { id, m, l } = await place()
    await send(id, { lines: [{ lineId: m, quantity: 3 }], tracking: UPS })
    const { fulfilments } = orderOf(await change(id, { status: 'fulfilled', tracking: DHL }))
    expect(fulfilments).toMatchObject([{ tracking: UPS }, { lines: [{ lineId: l, quantity: 1 }], tracking: DHL }])
    expect(await published(shop, TrackingUpdated, id)).toEqual([])
  })

  test('set to fulfilled without tracking sends a parcel without any', async () => {
    const { id, m } = await place()
    await send(id, { lines: [{ lineId: m, quantity: 3 }], tracking: UPS })
    const { fulfilments, tracking } = orderOf(await change(id, { status: 'fulfilled' }))
    expect(fulfilments?.[1]).not.toHaveProperty('tracking')
    // The buyer still sees where the other parcel is.
    expect(tracking).toEqual(UPS)
    const [event] = await published(shop, OrderFulfilled, id)
    expect(event?.order).not.toHaveProperty('tracking')
  })

  test.each([
    ['set to cancelled', (id: string) => change(id, { status: 'cancelled' })],
    [
      'that ends with a full refund',
      (id: string) => shop.call('POST', `/admin/orders/${id}/refunds`, { restock: true }, admin()),
    ],
  ])('%s returns only what was not sent', async (_, cancel) => {
    const { id, m } = await place()
    await send(id, { lines: [{ lineId: m, quantity: 2 }] })
    const cancelled = orderOf(await cancel(id))
    expect(cancelled).toMatchObject({ status: 'cancelled', fulfilments: [{ lines: [{ lineId: m, quantity: 2 }] }] })
    expect(await published(shop, OrderRestocked, id)).toMatchObject([
      {
        lines: [
          { variantId: 'var_m', quantity: 1 },
          { variantId: 'var_l', quantity: 1 },
        ],
      },
    ])
  })
})

describe('tracking', () => {
  test('that is corrected belongs to the newest parcel, and one event is published', async () => {
    const { id, m } = await place()
    await send(id, { lines: [{ lineId: m, quantity: 1 }], tracking: UPS })
    await send(id, { lines: [{ lineId: m, quantity: 1 }], tracking: DHL })
    const corrected = { ...DHL, code: 'JJD2' }
    const order = orderOf(await change(id, { tracking: corrected }))
    expect(order).toMatchObject({ tracking: corrected, fulfilments: [{ tracking: UPS }, { tracking: corrected }] })
    expect(await published(shop, TrackingUpdated, id)).toMatchObject([
      { order: { status: 'paid', tracking: corrected } },
    ])
  })

  test('that was set before anything was sent belongs to the first parcel', async () => {
    const { id } = await place()
    await change(id, { tracking: UPS })
    expect(orderOf(await change(id, { status: 'fulfilled' })).fulfilments).toMatchObject([{ tracking: UPS }])
    expect(await published(shop, OrderFulfilled, id)).toMatchObject([{ order: { tracking: UPS } }])
  })

  test('that was set before anything was sent belongs to the first of several parcels as well', async () => {
    const { id, m } = await place()
    await change(id, { tracking: UPS })
    const first = orderOf(await send(id, { lines: [{ lineId: m, quantity: 1 }] }))
    expect(first.fulfilments).toMatchObject([{ tracking: UPS }])
    expect(await published(shop, ParcelSent, id)).toMatchObject([{ order: { tracking: UPS } }])
    expect(orderOf(await send(id)).fulfilments?.[1]).not.toHaveProperty('tracking')
  })

  test('that was set before anything was sent ends when the first parcel is sent with null', async () => {
    const { id, m } = await place()
    await change(id, { tracking: UPS })
    const lines = [{ lineId: m, quantity: 1 }]
    const first = orderOf(await send(id, { lines, tracking: null }))
    expect(first.fulfilments?.[0]).not.toHaveProperty('tracking')
    expect(first).not.toHaveProperty('tracking')
    await send(id, { lines, tracking: DHL })
    expect(orderOf(await send(id, { tracking: null }))).toMatchObject({ status: 'fulfilled', tracking: DHL })
  })
})
