import { amount, waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { processRefunds } from '../src/refunds/process-refunds.ts'
import { createRefundsShop, TOTAL, type RefundsShop } from './refunds-shop.ts'
import { orderOf } from './shop.ts'

let shop: RefundsShop

beforeAll(async () => {
  shop = await createRefundsShop()
})
afterAll(() => shop.stop())
beforeEach(() => {
  shop.provider.behavior = 'normal'
})

const rowsOf = (orderId: string) =>
  shop.suite.sql<{ id: string; status: string; attempts: number; last_error: string | null; of_duplicate: boolean }>(
    'select id, status, attempts, last_error, of_duplicate from orders.refunds where order_id = $1',
    [orderId],
  )

describe('an unexpected payment', () => {
  test('is refunded when the order was already paid, and does not reduce what was paid', async () => {
    const { id } = await shop.place()
    await shop.pay({ orderId: id })
    await waitFor('the refund', async () => (await rowsOf(id))[0]?.status === 'succeeded')
    expect(await shop.order(id)).toMatchObject({
      status: 'paid',
      capturedMinor: TOTAL,
      refundedMinor: 0,
      attention: null,
      payment: { status: 'captured' },
      refunds: [],
    })
    expect(
      [...shop.provider.refunds.values()].filter((update) => update.paymentReference === `extra_${id}`),
    ).toHaveLength(1)
    expect((await shop.timeline(id)).at(-1)).toMatchObject({ kind: 'attention_cleared', actor: null })
  })

  test('keeps its order flagged until the last one is refunded', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'rejects'
    await shop.pay({ orderId: id, reference: `a_${id}` })
    await waitFor('the rejection', async () => (await rowsOf(id))[0]?.status === 'failed')
    shop.provider.behavior = 'normal'
    await shop.pay({ orderId: id, reference: `b_${id}` })
    await waitFor('the other refund', async () => (await rowsOf(id)).some(({ status }) => status === 'succeeded'))
    expect((await shop.order(id)).attention).toBe('refund_due')
    // The merchant refunds the first one in the dashboard of the provider.
    expect(await shop.notify({ paymentReference: `a_${id}`, reference: `re_a_${id}` })).toBe('noted')
    expect(await shop.order(id)).toMatchObject({ attention: null, refundedMinor: 0, status: 'paid' })
  })

  test('needs no attention when it was refunded in the dashboard before the provider rejects ours', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'unreachable'
    await shop.pay({ orderId: id })
    await shop.notify({ paymentReference: `extra_${id}`, reference: `re_extra_${id}` })
    expect((await shop.order(id)).attention).toBe('refund_due')
    shop.provider.behavior = 'rejects'
    await shop.makeDue()
    await waitFor('the rejection', async () => (await rowsOf(id)).some(({ status }) => status === 'failed'))
    expect(await shop.order(id)).toMatchObject({ status: 'paid', refundedMinor: 0, attention: null })
  })

  test('is refunded when its order was canceled, whose goods are not returned again', async () => {
    const { id } = await shop.place('api')
    await shop.cancel(id)
    const { restockedAt } = await shop.order(id)
    await shop.pay({ orderId: id })
    await waitFor('the refund', async () => (await shop.order(id)).refundedMinor === TOTAL)
    const order = await shop.order(id)
    expect(order).toMatchObject({ status: 'cancelled', attention: null, payment: { status: 'refunded' }, restockedAt })
    expect(order.refunds).toMatchObject([{ reason: 'paid after it was canceled', restocked: false }])
  })

  test('keeps its order flagged when the provider rejects the refund, and the merchant may try again', async () => {
    const { id } = await shop.place('api')
    await shop.cancel(id)
    shop.provider.behavior = 'rejects'
    await shop.pay({ orderId: id })
    await waitFor('the rejection', async () => (await rowsOf(id))[0]?.status === 'failed')
    expect(await shop.order(id)).toMatchObject({ attention: 'refund_due', refundedMinor: 0 })
    expect((await rowsOf(id))[0]?.last_error).toBe('charge_disputed')
    shop.provider.behavior = 'normal'
    expect(orderOf(await shop.refund(id)).attention).toBeUndefined()
  })
})

describe('a refund whose provider is unavailable', () => {
  test('is retried with pauses of up to an hour and never given up, and its error is stored', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'unreachable'
    const refundId = orderOf(await shop.refund(id)).refunds[0]?.id ?? ''
    await shop.suite.sql('update orders.refunds set attempts = 40, next_attempt_at = now() where id = $1', [refundId])
    await waitFor('an attempt', async () => (await rowsOf(id))[0]?.attempts === 41)
    const waitSeconds = async () => {
      const [row] = await shop.suite.sql<{ seconds: number }>(
        'select extract(epoch from next_attempt_at - now())::int as seconds from orders.refunds where id = $1',
        [refundId],
      )
      return row?.seconds ?? 0
    }
    // Until the pause is stored, the value is the end of the lease.
    await waitFor('the pause', async () => (await waitSeconds()) > 3000)
    expect(await waitSeconds()).toBeLessThanOrEqual(3600)
    expect(await rowsOf(id)).toMatchObject([{ status: 'pending', last_error: 'demo is unavailable' }])
    shop.provider.behavior = 'normal'
    await shop.makeDue()
    await waitFor('the refund', async () => (await shop.order(id)).status === 'cancelled')
    expect(await rowsOf(id)).toMatchObject([{ status: 'succeeded', last_error: null }])
  })

  test('is made once, also when several replicas process many refunds', async () => {
    shop.provider.behavior = 'unreachable'
    const ids: string[] = []
    // More than the ten that a replica claims at once.
    const refunded = amount({ quick: 14, long: 25 })
    while (ids.length < refunded) {
      const { id } = await shop.place()
      orderOf(await shop.refund(id, { amount: 100 }))
      ids.push(id)
    }
    shop.provider.behavior = 'normal'
    await shop.makeDue()
    const context = { db: shop.db, log: shop.suite.log, clock: shop.clock, providers: shop.providers }
    const replicas = Array.from({ length: 3 }, () => processRefunds(context))
    for (const replica of replicas) replica.wake()
    await waitFor('all refunds', async () => {
      const made = 'select from orders.orders where id = any($1) and refunded_minor = 100'
      return (await shop.suite.sql(made, [ids])).length === refunded
    })
    await Promise.all(replicas.map((replica) => replica.stop()))
    // Each was sent to the provider when it was requested, and once more.
    const refunds = (await Promise.all(ids.map((id) => shop.refundsOf(id)))).flat()
    expect(refunds.map(({ id }) => shop.provider.requests.get(id))).toEqual(refunds.map(() => 2))
    const made = [...shop.provider.refunds.values()].filter((update) =>
      ids.some((id) => update.paymentReference.endsWith(id)),
    )
    expect(made).toHaveLength(refunded)
  })
})
