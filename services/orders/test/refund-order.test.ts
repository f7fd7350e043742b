import { listOf, OrderCancelled, OrderRestocked } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { relayed } from './events.ts'
import { createRefundsShop, TOTAL, type RefundsShop } from './refunds-shop.ts'
import { orderOf, errorOf, usd } from './shop.ts'

let shop: RefundsShop

beforeAll(async () => {
  shop = await createRefundsShop()
})
afterAll(() => shop.stop())
beforeEach(() => {
  shop.provider.behavior = 'normal'
  shop.provider.configured = true
  shop.provider.beforeResponse = undefined
  shop.provider.beforeRejection = undefined
  Object.assign(shop.settings, { restockOnRefund: true, away: false })
})

const published = async (orderId: string) => {
  await relayed(shop.suite)
  return {
    cancelled: (await shop.suite.eventsOf(OrderCancelled)).filter((event) => event.orderId === orderId).length,
    restocked: (await shop.suite.eventsOf(OrderRestocked)).filter((event) => event.orderId === orderId).length,
  }
}
const returnedAtProvider = (orderId: string) =>
  [...shop.provider.refunds.values()]
    .filter(({ paymentReference }) => paymentReference === `demo_${orderId}`)
    .reduce((sum, { amount }) => sum + amount.amount, 0)

describe('a refund', () => {
  test('requires the permission to write orders', async () => {
    const { id } = await shop.place()
    expect((await shop.refund(id, {}, {})).status).toBe(401)
    expect((await shop.refund(id, {}, shop.suite.headers.customer('cus_ada'))).status).toBe(403)
    expect((await shop.refund(id, {}, shop.suite.headers.admin(['orders:read']))).status).toBe(403)
    expect(await shop.refundsOf(id)).toEqual([])
  })

  test('of an unknown order is not found', async () => {
    expect(errorOf(await shop.refund('order_nothing'))).toMatchObject({ status: 404, code: 'not_found' })
  })
})

describe('a refund', () => {
  test('of a part is made at the provider, counts, and leaves order and goods as they are', async () => {
    const { id, number } = await shop.place()
    const refunded = orderOf(await shop.refund(number, { amount: 920, reason: ' a stain ' }))
    expect(refunded).toMatchObject({ id, status: 'paid', refundedTotal: usd(920) })
    expect(refunded.payment).toMatchObject({ status: 'partially_refunded', reference: `demo_${id}` })
    const [refund] = refunded.refunds
    expect(refund).toEqual({
      id: refund?.id,
      amount: usd(920),
      reason: 'a stain',
      createdAt: refund?.createdAt,
      reference: `re_${refund?.id}`,
      restocked: false,
      status: 'succeeded',
    })
    expect(returnedAtProvider(id)).toBe(920)
    expect(await published(id)).toEqual({ cancelled: 0, restocked: 0 })
    const steps = (await shop.timeline(id)).filter(({ kind }) => kind.startsWith('refund'))
    expect(steps).toMatchObject([
      { kind: 'refund_requested', actor: 'user_test', detail: { refundId: refund?.id, amount: 920 } },
      { kind: 'refund_succeeded', actor: 'user_test', detail: { refundId: refund?.id, amount: 920 } },
    ])
  })

  test('without a body returns the remaining amount, and cancels an order that was not sent; its goods are returned', async () => {
    const { id } = await shop.place()
    orderOf(await shop.refund(id, { amount: 1000 }))
    const refunded = orderOf(await shop.refund(id))
    expect(refunded).toMatchObject({ status: 'cancelled', refundedTotal: usd(TOTAL), payment: { status: 'refunded' } })
    expect(refunded.refunds.map(({ amount, restocked }) => [amount, restocked])).toEqual([
      [usd(1000), false],
      [usd(TOTAL - 1000), true],
    ])
    expect(refunded.attention).toBeUndefined()
    expect(await published(id)).toEqual({ cancelled: 1, restocked: 1 })
    expect(errorOf(await shop.refund(id))).toMatchObject({ status: 409, code: 'already_refunded' })
    expect(errorOf(await shop.refund(id, { amount: 1 }))).toMatchObject({ status: 409, code: 'already_refunded' })
    expect(returnedAtProvider(id)).toBe(TOTAL)
  })

  test.each([
    { what: 'a part of a payment in another currency', paid: { amount: 740_000, currency: 'INR' }, refunded: 10_000 },
    { what: 'what was paid beyond the total', paid: usd(3 * TOTAL), refunded: 2 * TOTAL },
  ])('of $what does not cancel the order that a merchant accepted', async ({ paid, refunded }) => {
    const { id } = await shop.place('api')
    await shop.pay({ orderId: id, amountMinor: paid.amount, currency: paid.currency })
    await shop.setStatus(id, 'paid')
    expect(orderOf(await shop.refund(id, { amount: refunded })).payment.status).toBe('partially_refunded')
    expect(await shop.order(id)).toMatchObject({ status: 'paid', refundedMinor: refunded })
    expect(await published(id)).toEqual({ cancelled: 0, restocked: 0 })
    orderOf(await shop.refund(id))
    expect(await published(id)).toEqual({ cancelled: 1, restocked: 1 })
  })

  test('of Money is the same as of minor units, in the currency of the payment only', async () => {
    const { id } = await shop.place()
    expect(errorOf(await shop.refund(id, { amount: { amount: 920, currency: 'EUR' } }))).toEqual({
      status: 422,
      code: 'currency_mismatch',
      message: '`amount` is in EUR; the payment was in USD. Send it in USD.',
      detail: { sent: 'EUR', currency: 'USD' },
    })
    const refunded = orderOf(await shop.refund(id, { amount: usd(920) }))
    expect(refunded).toMatchObject({ refunds: [{ amount: usd(920) }], refundedTotal: usd(920) })
    expect(returnedAtProvider(id)).toBe(920)
  })

  test('is shown with Money in the timeline, however its entries are stored', async () => {
    const { id } = await shop.place()
    orderOf(await shop.refund(id, { amount: 920 }))
    const { body } = await shop.call('GET', `/admin/orders/${id}/timeline`, undefined, shop.suite.headers.admin())
    const { items } = listOf(z.object({ kind: z.string(), detail: z.looseObject({}), label: z.string() })).parse(body)
    const detail = expect.objectContaining({ amount: usd(920) })
    expect(items.filter(({ kind }) => kind.startsWith('refund'))).toEqual([
      { kind: 'refund_requested', detail, label: 'A refund of $9.20 was requested.' },
      { kind: 'refund_succeeded', detail, label: 'A refund of $9.20 was made.' },
    ])
    expect(items.find(({ kind }) => kind === 'payment_captured')?.detail).toMatchObject({ amount: usd(TOTAL) })
    for (const step of items) expect(step.detail).not.toHaveProperty('currency')
    expect((await shop.timeline(id)).at(-1)?.detail).toMatchObject({ amount: 920, currency: 'USD' })
  })

  test.each([0, -5, 1.5, '100', null, usd(0), { amount: 5 }, { amount: 1.5, currency: 'USD' }, [1]])(
    'of %j is rejected as an invalid amount',
    async (amount) => {
      expect(errorOf(await shop.refund('order_nothing', { amount }))).toMatchObject({
        status: 422,
        code: 'invalid_amount',
      })
    },
  )

  test('of more than the remaining amount is rejected with that amount', async () => {
    const { id } = await shop.place()
    orderOf(await shop.refund(id, { amount: 4000 }))
    const rejected = errorOf(await shop.refund(id, { amount: 921 }))
    expect(rejected).toMatchObject({ status: 422, code: 'amount_too_large', detail: { left: 920 } })
  })

  test('of an order that was not paid yet is rejected', async () => {
    const { id } = await shop.place('api')
    expect(errorOf(await shop.refund(id))).toMatchObject({ status: 402, code: 'payment_not_captured' })
    expect(errorOf(await shop.refund(id, { reference: 're_1' }))).toMatchObject({ code: 'payment_not_captured' })
    expect(await shop.refundsOf(id)).toEqual([])
  })

  test('of a payment taken by hand is only recorded', async () => {
    const { id } = await shop.place('api')
    await shop.pay({ orderId: id, provider: 'invoice', reference: `invoice ${id}` })
    const refunded = orderOf(await shop.refund(id))
    expect(refunded).toMatchObject({ status: 'cancelled', payment: { status: 'refunded' } })
    expect(refunded.refunds).toMatchObject([{ amount: usd(TOTAL), status: 'succeeded', restocked: true }])
    expect(refunded.refunds[0]?.reference).toBeUndefined()
    expect(shop.provider.requests.has(refunded.refunds[0]?.id ?? '')).toBe(false)
  })

  test('with a reference is only recorded, and once', async () => {
    const { id } = await shop.place()
    const requests = shop.provider.requests.size
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => shop.refund(id, { amount: 500, reference: `re_hand_${id}` })),
    )
    for (const response of responses) expect(orderOf(response).refundedTotal).toEqual(usd(500))
    // Also when nothing is left.
    orderOf(await shop.refund(id, { reference: `re_rest_${id}` }))
    const again = orderOf(await shop.refund(id, { reference: `re_rest_${id}` }))
    expect(again.refunds.map(({ amount }) => amount)).toEqual([usd(500), usd(TOTAL - 500)])
    expect(shop.provider.requests.size).toBe(requests)
    const other = await shop.place()
    expect(errorOf(await shop.refund(other.id, { reference: `re_rest_${id}` }))).toMatchObject({ code: 'conflict' })
    expect(await shop.refundsOf(other.id)).toEqual([])
  })

  test('that the provider rejects changes nothing, and may be requested again', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'rejects'
    const rejected = errorOf(await shop.refund(id))
    expect(rejected).toMatchObject({ status: 502, code: 'bad_gateway' })
    expect(rejected.message).not.toContain('charge_disputed')
    expect(await shop.order(id)).toMatchObject({ status: 'paid', refundedMinor: 0, attention: null })
    expect(await shop.refundsOf(id)).toMatchObject([{ status: 'failed', restocked: false }])
    expect((await shop.timeline(id)).at(-1)).toMatchObject({
      kind: 'refund_failed',
      detail: { why: 'charge_disputed' },
    })
    shop.provider.behavior = 'normal'
    expect(orderOf(await shop.refund(id)).refunds.map(({ status }) => status)).toEqual(['failed', 'succeeded'])
    expect(returnedAtProvider(id)).toBe(TOTAL)
  })

  test('of a provider that is not configured is rejected before anything is stored', async () => {
    const { id } = await shop.place()
    shop.provider.configured = false
    expect(errorOf(await shop.refund(id))).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(await shop.refundsOf(id)).toEqual([])
    // A refund that was already made there can still be recorded.
    expect(orderOf(await shop.refund(id, { reference: `re_out_${id}` })).payment.status).toBe('refunded')
  })

  test('whose payment is unknown requires the reference', async () => {
    const { id } = await shop.place()
    await shop.suite.sql('update orders.orders set payment_reference = null where id = $1', [id])
    const rejected = errorOf(await shop.refund(id))
    expect(rejected).toMatchObject({ status: 422, code: 'missing_fields', detail: { fields: ['reference'] } })
    expect(orderOf(await shop.refund(id, { reference: `re_named_${id}` })).payment.status).toBe('refunded')
  })
})

describe('an idempotency key', () => {
  const withKey = (key: string, userHeaders = shop.suite.headers.admin(['orders:write'])) => ({
    ...userHeaders,
    'idempotency-key': key,
  })

  test('refunds a part once, however often and concurrently it is requested', async () => {
    const { id } = await shop.place()
    const refund = () => shop.refund(id, { amount: 100 }, withKey('k1'))
    for (const response of await Promise.all([refund(), refund(), refund()])) expect(response.status).toBe(200)
    shop.provider.behavior = 'unreachable'
    expect(orderOf(await refund()).refundedTotal).toEqual(usd(100))
    shop.provider.behavior = 'normal'
    expect(orderOf(await shop.refund(id, { amount: 100 }, withKey('k2'))).refundedTotal).toEqual(usd(200))
    const other = await shop.place()
    expect(errorOf(await shop.refund(other.id, { amount: 100 }, withKey('k1'))).code).toBe('idempotency_mismatch')
  })

  test('of a rejected refund may be used again', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'rejects'
    for (let time = 0; time < 2; time++) expect((await shop.refund(id, {}, withKey('k3'))).status).toBe(502)
    shop.provider.behavior = 'normal'
    expect(orderOf(await shop.refund(id, {}, withKey('k3'))).refundedTotal).toEqual(usd(TOTAL))
    expect(orderOf(await shop.refund(id, {}, withKey('k3'))).refunds).toHaveLength(3)
  })
})

describe('an idempotency key whose response is no longer stored', () => {
  const refundWithKey = (id: string, body: object) =>
    shop.refund(id, body, { ...shop.suite.headers.admin(['orders:write']), 'idempotency-key': `refund-of-${id}` })
  const dayLater = () => shop.suite.sql('delete from orders.idempotency_keys')

  test('returns the refund to the same request, and rejects another one', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'pending'
    const refunds = orderOf(await refundWithKey(id, { amount: 100, reason: 'late' })).refunds
    await dayLater()
    expect(orderOf(await refundWithKey(id, { reason: 'late', amount: 100 })).refunds).toEqual(refunds)
    await dayLater()
    for (const body of [{ amount: 200, reason: 'late' }, { amount: 100 }, { reference: 're_by_hand' }])
      expect(errorOf(await refundWithKey(id, body))).toMatchObject({ status: 409, code: 'idempotency_mismatch' })
    expect(await shop.refundsOf(id)).toHaveLength(1)
  })

  test('returns a refund that an earlier version made, whose request is not known', async () => {
    const { id } = await shop.place()
    await refundWithKey(id, { amount: 100 })
    await dayLater()
    await shop.suite.sql('update orders.refunds set request_hash = null where order_id = $1', [id])
    expect(orderOf(await refundWithKey(id, { amount: 200 })).refundedTotal).toEqual(usd(100))
  })
})

describe('the goods of a full refund', () => {
  test.each([
    ['return by default', true, {}, 'paid', 1],
    ['stay off sale when the shop is configured so', false, {}, 'paid', 0],
    ['stay off sale when the merchant requests it', true, { restock: false }, 'paid', 0],
    ['return when the merchant requests it', false, { restock: true }, 'paid', 1],
    ['return after the delivery', true, {}, 'delivered', 1],
    ['stay off sale after the delivery when the merchant requests it', true, { restock: false }, 'delivered', 0],
  ])('%s', async (_what, restockOnRefund, body, status, restocked) => {
    shop.settings.restockOnRefund = restockOnRefund
    const { id } = await shop.place()
    await shop.setStatus(id, status)
    const refunded = orderOf(await shop.refund(id, body))
    expect(refunded.status).toBe(status === 'paid' ? 'cancelled' : status)
    expect(refunded.refunds[0]?.restocked).toBe(restocked === 1)
    expect(await published(id)).toEqual({ cancelled: status === 'paid' ? 1 : 0, restocked })
  })

  test('stay off sale after a partial refund, whatever the merchant requests', async () => {
    const { id } = await shop.place()
    orderOf(await shop.refund(id, { amount: TOTAL - 1, restock: true }))
    expect(await published(id)).toEqual({ cancelled: 0, restocked: 0 })
  })

  test('return once: not again when the order was canceled before', async () => {
    for (const restock of [true, false]) {
      const { id } = await shop.place()
      await shop.cancel(id, restock)
      const refunded = orderOf(await shop.refund(id, { restock: true }))
      expect(refunded).toMatchObject({ status: 'cancelled', refunds: [{ restocked: false }] })
      expect(await published(id)).toEqual({ cancelled: 1, restocked: restock ? 1 : 0 })
    }
  })

  test('depend on a setting that is read before anything is stored, unless the request decides it', async () => {
    const { id } = await shop.place()
    shop.settings.away = true
    expect(errorOf(await shop.refund(id))).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(await shop.refundsOf(id)).toEqual([])
    expect(orderOf(await shop.refund(id, { restock: true })).refunds).toMatchObject([{ restocked: true }])
  })
})

describe('a refund whose result is unknown', () => {
  test.each(['unreachable', 'lost'] as const)('is listed as pending and settled later, once (%s)', async (behavior) => {
    const { id } = await shop.place()
    shop.provider.behavior = behavior
    const pending = orderOf(await shop.refund(id, { reason: 'lost parcel' }))
    expect(pending).toMatchObject({ status: 'paid', refundedTotal: usd(0), payment: { status: 'captured' } })
    const [refund] = pending.refunds
    expect(refund).toMatchObject({ status: 'pending', amount: usd(TOTAL), restocked: false })
    expect(errorOf(await shop.refund(id))).toMatchObject({ code: 'already_refunded' })
    const [row] = await shop.suite.sql<{ last_error: string }>('select last_error from orders.refunds where id = $1', [
      refund?.id,
    ])
    expect(row?.last_error).toContain('demo is unavailable')

    shop.provider.behavior = 'normal'
    await shop.makeDue()
    await waitFor('the refund', async () => (await shop.order(id)).status === 'cancelled')
    expect(await shop.refundsOf(id)).toMatchObject([{ status: 'succeeded', restocked: true }])
    expect(shop.provider.requests.get(refund?.id ?? '')).toBe(behavior === 'unreachable' ? 2 : 1)
    expect(returnedAtProvider(id)).toBe(TOTAL)
    expect(await published(id)).toEqual({ cancelled: 1, restocked: 1 })
  })

  test('waits while the provider reports it as pending, and shows a failure to the merchant', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'pending'
    const refundId = orderOf(await shop.refund(id)).refunds[0]?.id ?? ''
    const inspections = shop.provider.inspections
    await shop.makeDue()
    await waitFor('an inspection', () => Promise.resolve(shop.provider.inspections > inspections))
    expect(await shop.refundsOf(id)).toMatchObject([{ status: 'pending', reference: `re_${refundId}` }])
    shop.provider.settle(refundId, 'failed')
    await shop.makeDue()
    await waitFor('the failure', async () => (await shop.order(id)).attention === 'refund_due')
    expect(await shop.refundsOf(id)).toMatchObject([{ status: 'failed' }])
    shop.provider.behavior = 'normal'
    const refunded = orderOf(await shop.refund(id))
    expect(refunded).toMatchObject({ status: 'cancelled', payment: { status: 'refunded' } })
    expect(refunded.attention).toBeUndefined()
    expect(shop.provider.requests.get(refundId)).toBe(1)
  })

  test('that the provider confirmed and then lost is never requested again', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'pending'
    const refundId = orderOf(await shop.refund(id)).refunds[0]?.id ?? ''
    const made = shop.provider.refunds.get(refundId)
    shop.provider.refunds.delete(refundId)
    await shop.makeDue()
    await waitFor('the error', async () => {
      const [row] = await shop.suite.sql<{ last_error: string | null }>(
        'select last_error from orders.refunds where id = $1',
        [refundId],
      )
      return row?.last_error?.includes('does not have its refund')
    })
    expect(shop.provider.requests.get(refundId)).toBe(1)
    if (made) shop.provider.refunds.set(refundId, { ...made, status: 'succeeded' })
    await shop.makeDue()
    await waitFor('the refund', async () => (await shop.order(id)).status === 'cancelled')
  })
})

describe('at the same time', () => {
  test('ten refunds of a third refund three thirds and no more', async () => {
    const { id } = await shop.place()
    const responses = await Promise.all(Array.from({ length: 10 }, () => shop.refund(id, { amount: TOTAL / 3 })))
    const rejected = responses.filter(({ status }) => status !== 200).map((response) => errorOf(response).code)
    expect(rejected).toEqual(Array.from({ length: 7 }, () => 'already_refunded'))
    expect(await shop.order(id)).toMatchObject({ refundedMinor: TOTAL, status: 'cancelled' })
    expect(returnedAtProvider(id)).toBe(TOTAL)
    expect(await published(id)).toEqual({ cancelled: 1, restocked: 1 })
  })

  test('ten refunds of the full amount make one, also when its response is lost', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'lost'
    const responses = await Promise.all(Array.from({ length: 10 }, () => shop.refund(id)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    shop.provider.behavior = 'normal'
    await shop.makeDue()
    await waitFor('the refund', async () => (await shop.order(id)).refundedMinor === TOTAL)
    expect(returnedAtProvider(id)).toBe(TOTAL)
  })

  test('a refund and a cancellation return the goods once', async () => {
    const { id } = await shop.place()
    await Promise.all([shop.refund(id), shop.cancel(id)])
    expect(await shop.order(id)).toMatchObject({ status: 'cancelled', refundedMinor: TOTAL, attention: null })
    expect(await published(id)).toEqual({ cancelled: 1, restocked: 1 })
  })

  test('a cancellation during the call to the provider decides about the goods', async () => {
    const { id } = await shop.place()
    shop.provider.beforeResponse = () => shop.cancel(id, false)
    const refunded = orderOf(await shop.refund(id))
    expect(refunded).toMatchObject({ status: 'cancelled', refunds: [{ status: 'succeeded', restocked: false }] })
    expect(await published(id)).toEqual({ cancelled: 1, restocked: 0 })
  })

  test('a cancellation during a pending refund has the order flagged when the refund is rejected', async () => {
    const { id } = await shop.place()
    shop.provider.beforeRejection = () => shop.cancel(id)
    shop.provider.behavior = 'rejects'
    expect((await shop.refund(id)).status).toBe(502)
    expect(await shop.order(id)).toMatchObject({ status: 'cancelled', attention: 'refund_due', refundedMinor: 0 })
  })

  test('a refund and the update of it count once', async () => {
    const { id } = await shop.place()
    shop.provider.beforeResponse = async (refund) => {
      const update = shop.provider.refunds.get(refund.id)
      if (update) await Promise.all([shop.notify(update), shop.notify(update)])
    }
    expect(orderOf(await shop.refund(id, { amount: 100 })).refundedTotal).toEqual(usd(100))
    expect(await shop.refundsOf(id)).toHaveLength(1)
  })

  test('a refund that is recorded by hand while it is pending counts once', async () => {
    const { id } = await shop.place()
    shop.provider.beforeResponse = async (refund) => {
      shop.provider.beforeResponse = undefined
      orderOf(await shop.refund(id, { amount: 100, reference: `re_${refund.id}` }))
    }
    const refunded = orderOf(await shop.refund(id, { amount: 100 }))
    expect(refunded.refundedTotal).toEqual(usd(100))
    expect(refunded.refunds.map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded'])
  })
})
