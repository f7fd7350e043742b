import { OrderCancelled, OrderRefunded, OrderRestocked, type Order } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { published } from './events.ts'
import { createRefundsShop, type RefundsShop } from './refunds-shop.ts'
import { errorOf, orderOf, usd } from './shop.ts'
import { timelineOf } from './timeline.ts'

/** Three shirts of 40.00 with 3.20 of tax, and 6.00 for shipping. */
const GOODS = 12_320
const TOTAL = GOODS + 600

let shop: RefundsShop

beforeAll(async () => {
  shop = await createRefundsShop()
  shop.stock.set('var_l', 1000)
})
afterAll(() => shop.stop())
beforeEach(() => {
  shop.provider.behavior = 'normal'
  shop.provider.beforeResponse = undefined
  Object.assign(shop.settings, { restockOnRefund: true, away: false })
})

const admin = () => shop.suite.headers.admin()

/** A paid order with the ids of its lines: three units in M, and others where a test needs them. */
async function place(lines: Record<string, number> = { var_m: 3 }): Promise<Order & { m: string; l: string }> {
  const order = orderOf(await shop.checkOut(shop.addCart(lines).id))
  await waitFor('the payment', async () => (await shop.order(order.id)).status === 'paid')
  const lineOf = (variantId: string) => order.lines.find((line) => line.variantId === variantId)?.id ?? ''
  return { ...order, m: lineOf('var_m'), l: lineOf('var_l') }
}

const units = (lineId: string, quantity = 1, more: object = {}) => ({ lines: [{ lineId, quantity, ...more }] })
const send = async (id: string, lineId: string, quantity: number) =>
  orderOf(await shop.call('POST', `/admin/orders/${id}/fulfilments`, units(lineId, quantity), admin()))
const setStatus = async (id: string, status: string) =>
  orderOf(await shop.call('PATCH', `/admin/orders/${id}`, { status }, admin()))
const labels = async (id: string) => (await timelineOf(shop, id)).map(({ kind, label }) => ({ kind, label }))
/** How many units each event returned, by variant. */
const returned = async (id: string) =>
  (await published(shop, OrderRestocked, id)).map(({ lines }) =>
    Object.fromEntries(lines.map(({ variantId, quantity }) => [variantId, quantity])),
  )
const amounts = ({ refunds }: Order) => refunds.map(({ amount }) => amount.amount)

describe('a refund of units', () => {
  test('refunds what was paid for them, and returns exactly these to the stock', async () => {
    const { id, m } = await place()
    const refunded = orderOf(await shop.refund(id, { ...units(m), reason: 'a stain' }))
    expect(refunded).toMatchObject({ status: 'paid', refundedTotal: usd(4107), paidForLines: usd(GOODS) })
    expect(refunded.refunds).toMatchObject([
      {
        amount: usd(4107),
        status: 'succeeded',
        restocked: true,
        lines: [{ lineId: m, quantity: 1, amount: usd(4107), restock: true, restocked: 1 }],
      },
    ])
    expect(await returned(id)).toEqual([{ var_m: 1 }])
    expect(await published(shop, OrderCancelled, id)).toEqual([])
    expect((await labels(id)).slice(-3)).toEqual([
      { kind: 'refund_requested', label: 'A refund of $41.07 for 1 × Linen shirt was requested.' },
      { kind: 'refund_succeeded', label: 'A refund of $41.07 for 1 × Linen shirt was made.' },
      { kind: 'restocked', label: 'For sale again: 1 × Linen shirt.' },
    ])
  })

  test('one by one adds up to what was paid for the line, and the full refund returns only the others', async () => {
    const { id, m, l } = await place({ var_m: 3, var_l: 2 })
    for (let unit = 0; unit < 3; unit++) orderOf(await shop.refund(id, units(m)))
    expect(errorOf(await shop.refund(id, units(m)))).toEqual({
      status: 409,
      code: 'conflict',
      message: 'No Linen shirt is left to refund. Nothing was refunded.',
      detail: { lines: [{ lineId: m, title: 'Linen shirt', wanted: 1, left: 0 }] },
    })
    orderOf(await shop.refund(id, units(l)))
    // 200.00 for the goods, 3.20 of tax.
    expect(amounts(orderOf(await shop.refund(id, units(l))))).toEqual([4064, 4064, 4064, 4064, 4064])
    const all = orderOf(await shop.refund(id))
    expect(all).toMatchObject({ status: 'cancelled', refundedTotal: all.total })
    expect(await returned(id)).toEqual([{ var_m: 1 }, { var_m: 1 }, { var_m: 1 }, { var_l: 1 }, { var_l: 1 }])
  })

  test('before a full refund leaves only the others to it, sent or not', async () => {
    for (const status of ['paid', 'fulfilled', 'delivered']) {
      const { id, m } = await place()
      if (status !== 'paid') await setStatus(id, 'fulfilled')
      if (status === 'delivered') await setStatus(id, 'delivered')
      orderOf(await shop.refund(id, units(m)))
      orderOf(await shop.refund(id, units(m, 1, { restock: false })))
      const all = orderOf(await shop.refund(id))
      expect(all.refundedTotal, status).toEqual(usd(TOTAL))
      expect(await returned(id), status).toEqual([{ var_m: 1 }, { var_m: 1 }])
    }
  })

  test.each([
    ['as the shop is configured', true, {}, {}, 1],
    ['as the shop is configured', false, {}, {}, 0],
    ['as the refund says', false, { restock: true }, {}, 1],
    ['as its line says', true, { restock: true }, { restock: false }, 0],
    ['as its line says', false, { restock: false }, { restock: true }, 1],
  ])('returns units %s', async (_, restockOnRefund, body, line, restocked) => {
    shop.settings.restockOnRefund = restockOnRefund
    const { id, m } = await place()
    const refunded = orderOf(await shop.refund(id, { ...units(m, 1, line), ...body }))
    expect(refunded.refunds).toMatchObject([{ restocked: restocked === 1, lines: [{ restocked }] }])
    expect(await returned(id)).toEqual(restocked === 1 ? [{ var_m: 1 }] : [])
  })

  test('with an amount refunds that amount, and records what was paid for the units', async () => {
    const { id, m } = await place()
    const refunded = orderOf(await shop.refund(id, { ...units(m, 2), amount: 5000 }))
    expect(refunded.refunds).toMatchObject([{ amount: usd(5000), lines: [{ quantity: 2, amount: usd(8213) }] }])
    expect(await returned(id)).toEqual([{ var_m: 2 }])
    expect(orderOf(await shop.refund(id, units(m))).refunds).toMatchObject([{}, { amount: usd(4107) }])
  })

  test('of more than is left to refund is rejected with that amount, and nothing is stored', async () => {
    const { id, m } = await place()
    orderOf(await shop.refund(id, { amount: TOTAL - 4000 }))
    const rejected = errorOf(await shop.refund(id, units(m)))
    expect(rejected).toMatchObject({ status: 422, code: 'amount_too_large', detail: { left: 4000 } })
    expect(await shop.refundsOf(id)).toHaveLength(1)
    orderOf(await shop.refund(id, { ...units(m), amount: 3999 }))
  })

  test.each([
    ['of a line of another order', () => units('line_other'), 'line_not_found'],
    ['of no line', () => ({ lines: [] }), 'validation_failed'],
    ['of one line twice', (m: string) => ({ lines: [...units(m).lines, ...units(m).lines] }), 'validation_failed'],
    ['of no unit', (m: string) => units(m, 0), 'validation_failed'],
    ['of more units than were bought', (m: string) => units(m, 4), 'conflict'],
  ])('%s is rejected', async (_, body, code) => {
    const { id, m } = await place()
    expect(errorOf(await shop.refund(id, body(m)))).toMatchObject({ code })
    expect(await shop.refundsOf(id)).toEqual([])
  })

  test('that cost nothing needs an amount', async () => {
    const { id, m } = await place()
    // With a discount of everything but the shipping.
    await shop.suite.sql(
      `update orders.orders set document = document || jsonb_build_object('discount', document->'subtotal',
         'total', document->'shipping') where id = $1`,
      [id],
    )
    expect(errorOf(await shop.refund(id, units(m)))).toMatchObject({ status: 422, code: 'invalid_amount' })
    orderOf(await shop.refund(id, { ...units(m), amount: 100 }))
  })

  test('of a payment in another currency needs an amount in it', async () => {
    const { id, m } = await place()
    await shop.suite.sql(`update orders.payments set currency = 'EUR' where order_id = $1`, [id])
    const rejected = errorOf(await shop.refund(id, units(m)))
    expect(rejected).toMatchObject({ code: 'currency_mismatch', detail: { sent: 'USD', currency: 'EUR' } })
  })

  test('is not seen by its buyer, nor in events', async () => {
    const { id, m } = await place()
    orderOf(await shop.refund(id, units(m)))
    const [event] = await published(shop, OrderRefunded, id)
    expect(event?.refund).toMatchObject({ amount: usd(4107), restocked: true })
    expect(event?.refund).not.toHaveProperty('lines')
    expect(event?.order).not.toHaveProperty('paidForLines')
    expect(event?.order?.refunds.map((refund) => Object.hasOwn(refund, 'lines'))).toEqual([false])
  })

  test('takes its units off what is left to send, those that were not sent first', async () => {
    const { id, m } = await place()
    await send(id, m, 1)
    orderOf(await shop.refund(id, units(m)))
    const rejected = await shop.call('POST', `/admin/orders/${id}/fulfilments`, units(m, 2), admin())
    expect(errorOf(rejected)).toMatchObject({ code: 'conflict', detail: { lines: [{ wanted: 2, left: 1 }] } })
    expect(await send(id, m, 1)).toMatchObject({ status: 'fulfilled' })
  })
})

describe('the end of an order', () => {
  test('by a cancellation returns only the units that no refund has returned', async () => {
    const { id, m } = await place()
    await send(id, m, 1)
    orderOf(await shop.refund(id, units(m)))
    await setStatus(id, 'cancelled')
    expect(await returned(id)).toEqual([{ var_m: 1 }, { var_m: 1 }])
  })

  test('by a cancellation decides about all units: a later refund of units returns none', async () => {
    const { id, m } = await place()
    await setStatus(id, 'cancelled')
    const refunded = orderOf(await shop.refund(id, units(m, 3, { restock: true })))
    expect(refunded.refunds).toMatchObject([{ restocked: false, lines: [{ quantity: 3, restocked: 0 }] }])
    expect(await returned(id)).toEqual([{ var_m: 3 }])
  })

  test('by a cancellation during a pending refund of units returns all of them once', async () => {
    for (const end of ['succeeded', 'failed'] as const) {
      const { id, m } = await place()
      shop.provider.behavior = 'pending'
      const refundId = orderOf(await shop.refund(id, units(m))).refunds[0]?.id ?? ''
      await setStatus(id, 'cancelled')
      expect(await shop.notify(shop.provider.settle(refundId, end))).toBe('noted')
      expect(await returned(id), end).toEqual([{ var_m: 3 }])
    }
  })

  test('by a refund of the last units returns none twice', async () => {
    const { id, m } = await place()
    orderOf(await shop.refund(id, { amount: 600 }))
    orderOf(await shop.refund(id, units(m, 2)))
    const last = orderOf(await shop.refund(id, units(m)))
    expect(last).toMatchObject({ status: 'cancelled', payment: { status: 'refunded' }, refundedTotal: usd(TOTAL) })
    expect(await returned(id)).toEqual([{ var_m: 2 }, { var_m: 1 }])
  })

  test('of an order that was sent, by a refund of units, leaves the others with the buyer', async () => {
    const { id, m } = await place()
    await setStatus(id, 'fulfilled')
    const all = orderOf(await shop.refund(id, { ...units(m), amount: TOTAL }))
    expect(all).toMatchObject({ status: 'fulfilled', payment: { status: 'refunded' } })
    expect(await returned(id)).toEqual([{ var_m: 1 }])
  })

  test('by a refund of units that was pending when the remaining money was refunded returns the others as well', async () => {
    const { id, m } = await place()
    await setStatus(id, 'fulfilled')
    shop.provider.behavior = 'pending'
    const refundId = orderOf(await shop.refund(id, units(m))).refunds[0]?.id ?? ''
    shop.provider.behavior = 'normal'
    orderOf(await shop.refund(id, { restock: true }))
    expect(await returned(id)).toEqual([])
    await shop.notify(shop.provider.settle(refundId, 'succeeded'))
    expect(await shop.order(id)).toMatchObject({ refundedMinor: TOTAL })
    expect(await returned(id)).toEqual([{ var_m: 1 }, { var_m: 2 }])
  })
})

describe('the units of a refund return once', () => {
  test('when its result is unknown at first, and when its update comes before the response', async () => {
    const { id, m } = await place()
    shop.provider.behavior = 'lost'
    expect(orderOf(await shop.refund(id, units(m))).refunds).toMatchObject([{ status: 'pending', restocked: false }])
    expect(await returned(id)).toEqual([])
    shop.provider.behavior = 'normal'
    await shop.makeDue()
    await waitFor('the refund', async () => (await shop.order(id)).refundedMinor === 4107)
    shop.provider.beforeResponse = async (refund) => {
      const update = shop.provider.refunds.get(refund.id)
      if (update) await Promise.all([shop.notify(update), shop.notify(update)])
    }
    orderOf(await shop.refund(id, units(m)))
    expect(await returned(id)).toEqual([{ var_m: 1 }, { var_m: 1 }])
  })

  test('when it fails after it was accepted, by the refund that follows', async () => {
    const { id, m } = await place()
    shop.provider.behavior = 'pending'
    const refundId = orderOf(await shop.refund(id, units(m, 3))).refunds[0]?.id ?? ''
    expect(errorOf(await shop.refund(id, units(m)))).toMatchObject({ code: 'conflict' })
    await shop.notify(shop.provider.settle(refundId, 'failed'))
    expect(await returned(id)).toEqual([])
    shop.provider.behavior = 'normal'
    expect(amounts(orderOf(await shop.refund(id, units(m, 3))))).toEqual([GOODS, GOODS])
    expect(await returned(id)).toEqual([{ var_m: 3 }])
  })

  test('when it is reversed and requested again', async () => {
    const { id, m } = await place()
    shop.provider.behavior = 'pending'
    const refundId = orderOf(await shop.refund(id, units(m))).refunds[0]?.id ?? ''
    await shop.notify(shop.provider.settle(refundId, 'succeeded'))
    await shop.notify(shop.provider.settle(refundId, 'failed'))
    shop.provider.behavior = 'normal'
    expect(orderOf(await shop.refund(id, units(m))).refunds).toMatchObject([
      { status: 'failed', lines: [{ restocked: 1 }] },
      { status: 'succeeded', lines: [{ restocked: 0 }] },
    ])
    orderOf(await shop.refund(id, units(m)))
    expect(await returned(id)).toEqual([{ var_m: 1 }, { var_m: 1 }])
  })

  test('when a rejected one is requested again with the same key', async () => {
    const { id, m } = await place()
    const refund = () =>
      shop.refund(id, units(m), { ...shop.suite.headers.admin(['orders:write']), 'idempotency-key': `key_${id}` })
    shop.provider.behavior = 'rejects'
    expect((await refund()).status).toBe(502)
    shop.provider.behavior = 'normal'
    for (const response of [await refund(), await refund()]) expect(response.status).toBe(200)
    expect(await returned(id)).toEqual([{ var_m: 1 }])
  })

  test('when many are requested at the same moment', async () => {
    const { id, m } = await place()
    const responses = await Promise.all(Array.from({ length: 8 }, () => shop.refund(id, units(m))))
    const rejected = responses.filter(({ status }) => status !== 200).map((response) => errorOf(response).code)
    expect(rejected).toEqual(Array.from({ length: 5 }, () => 'conflict'))
    expect(await shop.order(id)).toMatchObject({ refundedMinor: GOODS, status: 'paid' })
    expect(await returned(id)).toEqual([{ var_m: 1 }, { var_m: 1 }, { var_m: 1 }])
  })

  test('when the same one is recorded by hand with its reference', async () => {
    const { id, m } = await place()
    const recorded = { ...units(m), reference: `re_pieces_${id}` }
    for (let time = 0; time < 2; time++) orderOf(await shop.refund(id, recorded))
    expect(amounts(orderOf(await shop.refund(id, recorded)))).toEqual([4107])
    expect(await returned(id)).toEqual([{ var_m: 1 }])
  })

  test('beside the refund of a second payment, which returns none', async () => {
    const { id, m } = await place()
    orderOf(await shop.refund(id, units(m)))
    await shop.pay({ orderId: id, amountMinor: TOTAL })
    await shop.makeDue()
    await waitFor('the refund of the second payment', async () => (await shop.order(id)).attention === null)
    expect(await shop.order(id)).toMatchObject({ refundedMinor: 4107, status: 'paid' })
    expect(await returned(id)).toEqual([{ var_m: 1 }])
  })
})

test('an order without a hold returns no units', async () => {
  const { id, m } = await place()
  await shop.suite.sql('update orders.orders set claim = null where id = $1', [id])
  expect(orderOf(await shop.refund(id, units(m))).refunds).toMatchObject([{ restocked: false }])
  expect(await returned(id)).toEqual([])
})
