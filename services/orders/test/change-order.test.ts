import {
  Order,
  OrderCancelled,
  OrderFulfilled,
  OrderPaid,
  OrderPlaced,
  OrderRestocked,
  TrackingUpdated,
} from '@storefront/contracts'
import { waitFor, waitForLock } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { published, relayed } from './events.ts'
import { createShop, orderOf, errorOf, type Shop } from './shop.ts'
import { timelineOf } from './timeline.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 1000)
  shop.stock.set('var_l', 1000)
})
afterAll(() => shop.stop())

const admin = () => shop.suite.headers.admin()
const change = (path: string, body: unknown, headers: object = admin()) =>
  shop.call('PATCH', `/admin/orders/${path}`, body, headers)
const show = async (path: string) => orderOf(await shop.call('GET', `/admin/orders/${path}`, undefined, admin()))
const timeline = (id: string) => timelineOf(shop, id)
const kinds = async (id: string) => (await timeline(id)).map((step) => step.kind)
/** An order that waits for the merchant to mark it as paid. */
const place = async (lines: Record<string, number> = { var_m: 1 }) =>
  orderOf(await shop.checkOut(shop.addCart(lines, { checkoutMode: 'api' }).id))
/** Waits until the demo provider has consumed every order: it ignores those that are paid. */
const receivedAll = async () => {
  await relayed(shop.suite)
  const placed = (await shop.suite.eventsOf(OrderPlaced)).length
  await waitFor('the consumer', async () => (await shop.suite.sql('select 1 from orders.inbox')).length >= placed)
}
/** The order as its buyer sees it, as an event carries it. */
const shownAs = (order: Order, status: Order['status']) => {
  const {
    attention: _attention,
    tags: _tags,
    fulfilments: _fulfilments,
    paidForLines: _paidForLines,
    payment,
    ...shown
  } = order
  const { reference: _reference, ...rest } = payment
  const optionNames = shown.lines.map(({ options }) => Object.keys(options))
  return { ...shown, payment: rest, status, optionNames }
}
const set = (id: string, assignments: string) =>
  shop.suite.sql(`update orders.orders set ${assignments} where id = $1`, [id])

describe('a merchant changes the status of an order', () => {
  test('from placed to paid, fulfilled and delivered, by id or number, and each change is in the timeline', async () => {
    const { id, number, total } = await place()
    const paid = orderOf(await change(id, { status: 'paid' }))
    expect(paid).toMatchObject({
      status: 'paid',
      payment: { provider: 'invoice', status: 'captured', reference: `manual_${id}` },
    })
    expect(orderOf(await change(number, { status: 'fulfilled' })).status).toBe('fulfilled')
    expect(orderOf(await change(id, { status: 'delivered' })).status).toBe('delivered')
    const steps = await timeline(id)
    expect(steps.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['placed', undefined],
      ['payment_captured', 'user_test'],
      ['paid', 'user_test'],
      ['fulfilled', 'user_test'],
      ['delivered', 'user_test'],
    ])
    expect(steps[1]?.label).toBe(`A payment of $${(total.amount / 100).toFixed(2)} was received by invoice.`)
    const asItIs = { orderId: id, number, locale: 'en-US' }
    expect(await published(shop, OrderPaid, id)).toEqual([{ ...asItIs, order: shownAs(paid, 'paid') }])
    expect(await published(shop, OrderFulfilled, id)).toEqual([{ ...asItIs, order: shownAs(paid, 'fulfilled') }])
  })

  test('and may send a change twice: the second request changes nothing', async () => {
    const { id } = await place()
    for (const status of ['paid', 'paid', 'fulfilled', 'fulfilled']) {
      expect(orderOf(await change(id, { status })).status).toBe(status)
    }
    expect(await kinds(id)).toEqual(['placed', 'payment_captured', 'paid', 'fulfilled'])
    expect(await published(shop, OrderPaid, id)).toHaveLength(1)
    expect(await published(shop, OrderFulfilled, id)).toHaveLength(1)
  })

  test('but only along the allowed transitions', async () => {
    const { id } = await place()
    const errors = [
      ['delivered', 'placed', ['paid', 'fulfilled', 'cancelled']],
      ['fulfilled'],
      ['paid', 'fulfilled', ['delivered']],
      ['cancelled', 'fulfilled', ['delivered']],
      ['placed', 'fulfilled', ['delivered']],
      ['delivered'],
      ['cancelled', 'delivered', []],
    ] as const
    for (const [to, from, allowed] of errors) {
      const response = await change(id, { status: to, tracking: { carrier: 'never', code: 'kept', url: '' } })
      const { status } = response
      const shown = status === 200 ? { status } : errorOf(response)
      expect(shown).toMatchObject(
        from === undefined
          ? { status: 200 }
          : { status: 409, code: 'invalid_transition', detail: { from, to, allowed } },
      )
    }
    const unknown = await change(id, { status: 'lost' })
    expect(errorOf(unknown)).toMatchObject({ status: 422, code: 'invalid_status' })
    expect(errorOf(await change('order_nothing', { status: 'paid' }))).toMatchObject({ status: 404, code: 'not_found' })
  })

  test('a rejected request changes nothing', async () => {
    const { id } = await place()
    await set(id, `attention = 'amount_mismatch'`)
    const body = { status: 'delivered', tracking: { carrier: 'UPS', code: '1Z', url: '' }, attention: null }
    expect((await change(id, body)).status).toBe(409)
    expect(await show(id)).toMatchObject({ status: 'placed', attention: 'amount_mismatch' })
    expect(await show(id)).not.toHaveProperty('tracking')
    expect(await kinds(id)).toEqual(['placed'])
  })

  test('and marks an order as paid whose payment had another amount: no further payment is recorded', async () => {
    const { id } = await place()
    await set(
      id,
      `attention = 'amount_mismatch', captured_minor = 1, payment_status = 'captured',
      payment_reference = 'pay_1'`,
    )
    const paid = orderOf(await change(id, { status: 'paid', attention: null }))
    expect(paid).toMatchObject({ status: 'paid', payment: { reference: 'pay_1' } })
    expect(paid).not.toHaveProperty('attention')
    expect(await kinds(id)).toEqual(['placed', 'attention_cleared', 'paid'])
    expect(await published(shop, OrderPaid, id)).toHaveLength(1)
    expect(await shop.suite.sql('select 1 from orders.payments where order_id = $1', [id])).toEqual([])
  })

  test('only with the permission for it', async () => {
    const { id } = await place()
    for (const [headers, status] of [
      [{}, 401],
      [shop.suite.headers.customer('cus_ada'), 403],
      [shop.suite.headers.admin(['orders:read']), 403],
    ] as const) {
      expect((await change(id, { status: 'paid' }, headers)).status).toBe(status)
    }
    expect((await show(id)).status).toBe('placed')
  })
})

describe('canceling', () => {
  test('puts the goods on sale again, once, and publishes what catalog needs', async () => {
    const { id, number, placedAt } = await place({ var_m: 2, var_l: 1 })
    const [{ claim, cartId } = { claim: '', cartId: '' }] = await shop.suite.sql<{ claim: string; cartId: string }>(
      'select claim, cart_id as "cartId" from orders.orders where id = $1',
      [id],
    )
    const responses = await Promise.all(Array.from({ length: 6 }, () => change(id, { status: 'cancelled' })))
    for (const response of responses) expect(orderOf(response).status).toBe('cancelled')
    const order = await show(id)
    expect(order).not.toHaveProperty('attention')
    const eventData = { orderId: id, number, cartId, locale: 'en-US', order: shownAs(order, 'cancelled') }
    expect(await published(shop, OrderCancelled, id)).toEqual([eventData])
    const lines = [
      { variantId: 'var_m', quantity: 2 },
      { variantId: 'var_l', quantity: 1 },
    ]
    expect(await published(shop, OrderRestocked, id)).toEqual([{ orderId: id, claim, placedAt, lines }])
    expect(await kinds(id)).toEqual(['placed', 'cancelled', 'restocked'])
  })

  test('releases the discount redemption', async () => {
    const { id } = await place()
    await set(id, `discount_claim = 'use_1'`)
    await change(id, { status: 'cancelled' })
    expect(await published(shop, OrderCancelled, id)).toMatchObject([{ discountClaim: 'use_1' }])
  })

  test('of an order that is flagged for a refund already does not flag it again', async () => {
    const { id } = await place()
    await change(id, { status: 'paid' })
    await set(id, `attention = 'refund_due'`)
    expect(orderOf(await change(id, { status: 'cancelled' }))).toMatchObject({ attention: 'refund_due' })
    expect(await kinds(id)).toEqual(['placed', 'payment_captured', 'paid', 'cancelled', 'restocked'])
  })

  test('of a paid order keeps the money, and flags the order for a refund', async () => {
    const { id } = await place()
    await change(id, { status: 'paid' })
    // Clearing the earlier attention does not clear that of the cancellation itself.
    const cancelled = orderOf(await change(id, { status: 'cancelled', attention: null }))
    expect(cancelled).toMatchObject({ status: 'cancelled', attention: 'refund_due', refundedTotal: { amount: 0 } })
    expect(await kinds(id)).toEqual(['placed', 'payment_captured', 'paid', 'cancelled', 'attention', 'restocked'])
    const steps = await shop.suite.sql<{ detail: unknown }>(
      `select detail from orders.order_timeline where order_id = $1 and kind = 'attention'`,
      [id],
    )
    expect(steps).toEqual([{ detail: { attention: 'refund_due' } }])
    expect(orderOf(await change(id, { attention: null }))).not.toHaveProperty('attention')
  })

  test('of an order that is refunded, or whose refund is pending, does not flag it', async () => {
    const [refunded, pending, halfPending] = [await place(), await place(), await place()]
    for (const { id } of [refunded, pending, halfPending]) await change(id, { status: 'paid' })
    await set(refunded.id, 'refunded_minor = captured_minor')
    for (const { id, share } of [
      { id: pending.id, share: 1 },
      { id: halfPending.id, share: 2 },
    ]) {
      await shop.suite.sql(
        `insert into orders.refunds (id, order_id, provider, amount_minor, currency, status, created_at)
         select 'refund_' || id, id, 'demo', captured_minor / $2::integer, 'USD', 'pending', now() from orders.orders
         where id = $1`,
        [id, share],
      )
    }
    expect(orderOf(await change(refunded.id, { status: 'cancelled' }))).not.toHaveProperty('attention')
    expect(orderOf(await change(pending.id, { status: 'cancelled' }))).not.toHaveProperty('attention')
    expect(orderOf(await change(halfPending.id, { status: 'cancelled' })).attention).toBe('refund_due')
  })

  test('of an order without a hold returns nothing', async () => {
    const { id } = await place()
    await set(id, `claim = null, attention = 'out_of_stock', captured_minor = 1`)
    expect(orderOf(await change(id, { status: 'cancelled' }))).toMatchObject({ attention: 'refund_due' })
    expect(await published(shop, OrderRestocked, id)).toEqual([])
    expect(await published(shop, OrderCancelled, id)).toHaveLength(1)
  })

  test('and fulfilling at the same moment end in one of the two, published once', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await place()
      const responses = await Promise.all([change(id, { status: 'cancelled' }), change(id, { status: 'fulfilled' })])
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 409]))
      const { status } = await show(id)
      expect(await published(shop, OrderRestocked, id)).toHaveLength(status === 'cancelled' ? 1 : 0)
      expect(await published(shop, OrderFulfilled, id)).toHaveLength(status === 'fulfilled' ? 1 : 0)
    }
  })

  test('and a payment of the demo provider at once flag the order for a refund, and return its goods once', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = orderOf(await shop.checkOut(shop.addCart().id))
      await change(id, { status: 'cancelled' })
      const order = await waitFor('the payment', async () => {
        const now = await show(id)
        return now.payment.status === 'captured' ? now : undefined
      })
      expect(order).toMatchObject({ status: 'cancelled', attention: 'refund_due' })
      expect((await kinds(id)).filter((kind) => kind === 'cancelled' || kind === 'restocked')).toHaveLength(2)
    }
  })
})

test('a merchant and the demo provider report at once that an order is paid: it is one payment, and nothing is refunded', async () => {
  for (let round = 0; round < 8; round++) {
    const { id } = orderOf(await shop.checkOut(shop.addCart().id))
    const body = round % 2 === 0 ? { status: 'paid' } : { payment: { status: 'captured', reference: 'at the door' } }
    expect(orderOf(await change(id, body)).status).toBe('paid')
    await receivedAll()
    expect(await published(shop, OrderPaid, id)).toHaveLength(1)
    expect(await kinds(id)).toEqual(['placed', 'payment_captured', 'paid'])
    const order = await show(id)
    expect(order).toMatchObject({ payment: { provider: 'demo', reference: `demo_${id}` }, refunds: [] })
    expect(order).not.toHaveProperty('attention')
    expect(await shop.suite.sql('select 1 from orders.refunds where order_id = $1', [id])).toEqual([])
  }
})

describe('the payment of an order', () => {
  const captured = { payment: { status: 'captured' } }
  const payments = (id: string) =>
    shop.suite.sql('select provider, reference, amount_minor::int as amount from orders.payments where order_id = $1', [
      id,
    ])

  test.each(['fulfilled', 'delivered'])(
    'is made on delivery: an order that is %s by then keeps its status',
    async (status) => {
      const { id, total } = await place()
      await change(id, { status: 'fulfilled' })
      await change(id, { status })
      const paid = orderOf(
        await change(id, { payment: { status: 'captured', method: 'cash', reference: `door ${id}` } }),
      )
      expect(paid).toMatchObject({
        status,
        payment: { provider: 'invoice', status: 'captured', method: 'cash', reference: `door ${id}` },
      })
      expect(await payments(id)).toEqual([{ provider: 'invoice', reference: `door ${id}`, amount: total.amount }])
      expect((await timeline(id)).at(-1)).toMatchObject({ kind: 'payment_captured', actor: 'user_test' })
      const refunded = orderOf(await shop.call('POST', `/admin/orders/${id}/refunds`, { restock: true }, admin()))
      expect(refunded).toMatchObject({ status, refundedTotal: total, payment: { status: 'refunded' } })
      expect(refunded.refunds).toMatchObject([{ amount: total, restocked: true }])
    },
  )

  test('marks an unsent order as paid, with a separate request and with the next status', async () => {
    const [one, other] = [await place(), await place()]
    expect(orderOf(await change(one.id, captured))).toMatchObject({
      status: 'paid',
      payment: { reference: `manual_${one.id}` },
    })
    expect(orderOf(await change(other.id, { ...captured, status: 'fulfilled' })).status).toBe('fulfilled')
    expect(await published(shop, OrderPaid, one.id)).toHaveLength(1)
    // One request makes two changes in sequence, and each event contains the order after its change.
    expect((await published(shop, OrderPaid, other.id)).map(({ order }) => order?.status)).toEqual(['paid'])
    expect((await published(shop, OrderFulfilled, other.id)).map(({ order }) => order?.status)).toEqual(['fulfilled'])
    expect(await kinds(other.id)).toEqual(['placed', 'payment_captured', 'paid', 'fulfilled'])
  })

  test('is recorded once, however often it is reported', async () => {
    const { id } = await place()
    const body = { payment: { status: 'captured', reference: `wire ${id}` } }
    for (const response of await Promise.all(Array.from({ length: 10 }, () => change(id, body)))) {
      expect(orderOf(response).status).toBe('paid')
    }
    expect(orderOf(await change(id, captured)).payment.reference).toBe(`wire ${id}`)
    expect(await payments(id)).toHaveLength(1)
    expect(await kinds(id)).toEqual(['placed', 'payment_captured', 'paid'])
  })

  test('cannot differ from the recorded one, nor belong to another order', async () => {
    const [one, other] = [await place(), await place()]
    await change(one.id, { payment: { status: 'captured', reference: `wire ${one.id}` } })
    for (const [id, reference] of [
      [one.id, 'another'],
      [other.id, `wire ${one.id}`],
    ] as const) {
      const response = await change(id, { payment: { status: 'captured', reference } })
      expect(errorOf(response)).toMatchObject({ status: 409, code: 'conflict' })
    }
    expect((await show(other.id)).payment.status).toBe('pending')
  })

  test.each([{}, { status: 'paid' }])(
    'cannot be the one that another replica records for another order at the same moment: %j',
    async (more) => {
      const [one, other] = [await place(), await place()]
      const reference = `wire ${one.id}`
      await shop.suite.sql('begin')
      await shop.suite.sql(
        `insert into orders.payments (provider, reference, order_id, status, amount_minor, currency, received_at)
         values ('invoice', $1, $2, 'captured', 4920, 'USD', now())`,
        [reference, one.id],
      )
      const request = change(other.id, { payment: { status: 'captured', reference }, ...more })
      await waitForLock(shop.suite, 'insert into payments ')
      await shop.suite.sql('commit')
      expect(errorOf(await request)).toMatchObject({ status: 409, code: 'conflict' })
      expect(await show(other.id)).toMatchObject({ status: 'placed', payment: { status: 'pending' } })
      expect(await payments(other.id)).toEqual([])
      expect(await kinds(other.id)).toEqual(['placed'])
    },
  )

  test('that arrives after a cancellation must be refunded', async () => {
    const { id } = await place()
    await change(id, { status: 'cancelled' })
    expect(orderOf(await change(id, captured))).toMatchObject({ status: 'cancelled', attention: 'refund_due' })
    expect(
      orderOf(await shop.call('POST', `/admin/orders/${id}/refunds`, { restock: false }, admin())),
    ).not.toHaveProperty('attention')
  })

  test.each([
    { status: 'refunded' },
    {},
    { status: 'captured', reference: ' ' },
    { status: 'captured', reference: 5 },
    null,
  ])('cannot be %j', async (payment) => {
    const { id } = await place()
    expect(errorOf(await change(id, { payment }))).toMatchObject({ status: 422, code: 'validation_failed' })
  })
})

describe('the tracking of an order', () => {
  const UPS = { carrier: 'UPS', code: '1Z999', url: 'https://ups.example/1Z999' }

  test('is set with a status or without one, also later, and the buyer sees it', async () => {
    const placed = await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode: 'api' }).id)
    const { id, accessToken } = orderOf(placed)
    expect(orderOf(await change(id, { status: 'fulfilled', tracking: UPS }))).toMatchObject({
      status: 'fulfilled',
      tracking: UPS,
    })
    await change(id, { tracking: UPS })
    const changed = { carrier: 'DHL', code: 'JJD1', url: '' }
    expect(orderOf(await change(id, { tracking: { carrier: ' DHL ', code: ' JJD1 ' } }))).toMatchObject({
      tracking: changed,
    })
    const seen = orderOf(await shop.call('GET', `/orders/${id}?token=${accessToken}`))
    expect(seen.tracking).toEqual(changed)
    expect(orderOf(await change(id, { tracking: null }))).not.toHaveProperty('tracking')
    expect(await kinds(id)).toEqual(['placed', 'tracking', 'fulfilled', 'tracking', 'tracking'])
    expect((await timeline(id))[1]?.label).toBe('The tracking of the parcel was changed to UPS 1Z999.')
  })

  test.each([
    { url: 'javascript:alert(1)' },
    { url: 'ftp://files.example' },
    { url: 'ups' },
    { url: `https://ups.example/${'x'.repeat(2000)}` },
    { carrier: 'x'.repeat(101) },
    { code: 'x'.repeat(201) },
    { code: 5 },
    'UPS',
  ])('is rejected when it is %j', async (tracking) => {
    const { id } = await place()
    expect(errorOf(await change(id, { tracking }))).toMatchObject({ status: 422, code: 'validation_failed' })
    expect(Order.parse(await show(id)).tracking).toBeUndefined()
  })

  test.each([
    [{}, ['carrier', 'code', 'url'], '`carrier`, `code` or `url`'],
    [{ carrier: ' ', code: '', url: '' }, ['carrier', 'code', 'url'], '`carrier`, `code` or `url`'],
    [{ carrier: 'UPS' }, ['code', 'url'], '`code` or `url`'],
    [{ code: '1Z' }, ['carrier'], '`carrier`'],
    [{ url: 'https://ups.example/1Z' }, ['carrier'], '`carrier`'],
  ])('is rejected as %j, and the error names the missing fields', async (tracking, fields, named) => {
    const { id } = await place()
    const error = errorOf(await change(id, { status: 'fulfilled', tracking }))
    const detail = { fields: fields.map((field) => `tracking.${field}`) }
    expect(error).toMatchObject({ status: 422, code: 'missing_fields', detail })
    expect(error.message).toContain(`Missing: ${named}.`)
    expect(await show(id)).toMatchObject({ status: 'placed' })
    expect(await kinds(id)).toEqual(['placed'])
  })

  test('that was stored incomplete by an older version may be sent back unchanged', async () => {
    const { id } = await place()
    const tracking = { carrier: 'UPS', code: '', url: '' }
    await set(id, `tracking = '${JSON.stringify(tracking)}'`)
    expect(orderOf(await change(id, { status: 'fulfilled', tracking }))).toMatchObject({
      status: 'fulfilled',
      tracking,
    })
  })

  test.each([
    [
      { carrier: 'UPS', url: UPS.url },
      { carrier: 'UPS', code: '', url: UPS.url },
    ],
  ])('may be sent as %j', async (tracking, kept) => {
    const { id } = await place()
    expect(orderOf(await change(id, { tracking })).tracking).toEqual(kept)
  })

  const corrections = async (id: string) => {
    return (await published(shop, TrackingUpdated, id)).map(({ order }) => order?.tracking)
  }

  test('publishes an event for each correction after an order was sent, and none for equal values', async () => {
    const { id, number } = await place()
    await change(id, { tracking: { carrier: 'Post', code: '1' } })
    await change(id, { status: 'fulfilled', tracking: UPS })
    expect(await corrections(id)).toEqual([])
    const corrected = { ...UPS, code: '1Z998' }
    await change(id, { tracking: corrected })
    await change(id, { tracking: { ...corrected, carrier: ' UPS ' } })
    await change(id, { status: 'fulfilled', tracking: corrected })
    expect(await corrections(id)).toEqual([corrected])
    await Promise.all([1, 2, 3].map(() => change(number, { tracking: UPS })))
    expect(await corrections(id)).toEqual([corrected, UPS])
    const [event] = await published(shop, TrackingUpdated, id)
    expect(event).toMatchObject({ orderId: id, number, locale: 'en-US', order: { id, status: 'fulfilled' } })
    expect(event?.order?.payment).not.toHaveProperty('reference')
  })

  test('that is added only after the parcel was sent publishes an event as well', async () => {
    const { id } = await place()
    await change(id, { status: 'fulfilled' })
    await change(id, { tracking: UPS })
    expect(await corrections(id)).toEqual([UPS])
  })

  test('publishes no event while the order is not sent, when it is removed, and once the parcel has arrived', async () => {
    const { id } = await place()
    await change(id, { tracking: UPS })
    await change(id, { status: 'fulfilled' })
    await change(id, { tracking: null })
    await change(id, { status: 'delivered', tracking: { ...UPS, code: '1Z997' } })
    await change(id, { tracking: UPS })
    expect(await corrections(id)).toEqual([])
  })

  test('that was changed by a failed request publishes no event', async () => {
    const { id } = await place()
    await change(id, { status: 'fulfilled', tracking: UPS })
    expect((await change(id, { status: 'cancelled', tracking: { ...UPS, code: '1Z996' } })).status).toBe(409)
    expect(await corrections(id)).toEqual([])
    expect((await show(id)).tracking).toEqual(UPS)
  })
})
