import { newId, OrderRestocked } from '@storefront/contracts'
import { transaction } from '@storefront/postgres'
import { waitFor, waitForLock } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Tx } from '../src/database.ts'
import { lockOrder } from '../src/orders/orders.queries.ts'
import { retryDelayMs } from '../src/refunds/refund.ts'
import { insertRefund } from '../src/refunds/refunds.queries.ts'
import { createRefundsShop, TOTAL, type RefundsShop } from './refunds-shop.ts'
import { orderOf, errorOf, usd } from './shop.ts'

let shop: RefundsShop

beforeAll(async () => {
  shop = await createRefundsShop()
})
afterAll(() => shop.stop())
beforeEach(() => {
  shop.provider.behavior = 'normal'
  shop.provider.beforeResponse = undefined
})

async function pendingRefund(body: object = {}) {
  const { id } = await shop.place()
  shop.provider.behavior = 'pending'
  const refundId = orderOf(await shop.refund(id, body)).refunds[0]?.id ?? ''
  return { id, refundId, settle: (status: 'succeeded' | 'failed') => shop.provider.settle(refundId, status) }
}

/** What is stored of the refunds of an order, with the seconds until the next attempt. */
const storedRefunds = (orderId: string) =>
  shop.suite.sql<{ id: string; wait: number | null; attempts: number }>(
    `select id, status, reference, last_error, attempts, of_duplicate, settled_at is not null as settled,
       extract(epoch from next_attempt_at - now())::float8 as wait
     from orders.refunds where order_id = $1 order by created_at`,
    [orderId],
  )

/** A merchant records a refund that was made at the provider. */
const recordByHand = (tx: Tx, orderId: string, reference: string) =>
  insertRefund(tx, {
    id: newId('refund'),
    orderId,
    provider: 'demo',
    paymentReference: `demo_${orderId}`,
    amountMinor: 100,
    currency: 'USD',
    reason: null,
    restock: false,
    lines: null,
    status: 'succeeded',
    reference,
    ofDuplicate: false,
    createdAt: shop.clock.now(),
    attempts: 0,
    requestHash: null,
    settledAt: shop.clock.now(),
    nextAttemptAt: null,
  })

describe('an update of a refund of our own', () => {
  test('settles it once, also when it is repeated', async () => {
    const { id, settle } = await pendingRefund()
    const update = settle('succeeded')
    for (let time = 0; time < 3; time++) expect(await shop.notify(update)).toBe('noted')
    expect(await shop.order(id)).toMatchObject({ status: 'cancelled', refundedMinor: TOTAL })
    expect(await shop.refundsOf(id)).toMatchObject([{ status: 'succeeded', restocked: true }])
    const steps = (await shop.timeline(id)).filter(({ kind }) => kind === 'refund_succeeded')
    const { amount, currency } = usd(TOTAL)
    const [refund] = await shop.refundsOf(id)
    const detail = { refundId: refund?.id, amount, currency, reference: refund?.reference }
    expect(steps).toEqual([{ kind: 'refund_succeeded', actor: null, detail }])
  })

  test('that reports it as pending has the provider called again later', async () => {
    const { id, refundId } = await pendingRefund({ amount: 100 })
    await shop.makeDue()
    const update = shop.provider.refunds.get(refundId)
    expect(await shop.notify({ ...update, paymentReference: `demo_${id}`, status: 'pending' })).toBe('noted')
    const [stored] = await storedRefunds(id)
    expect(stored).toMatchObject({ status: 'pending', reference: `re_${refundId}`, settled: false, last_error: null })
    expect(stored?.wait).toBeGreaterThan(0)
    // On a slow machine the timer may have called the provider before, too.
    expect(stored?.wait).toBeLessThanOrEqual(retryDelayMs(stored?.attempts ?? 0) / 1000)
  })

  test('that contradicts its success with anything but a failure changes nothing', async () => {
    const { id, refundId, settle } = await pendingRefund({ amount: 100 })
    await shop.notify(settle('succeeded'))
    const update = shop.provider.refunds.get(refundId)
    expect(await shop.notify({ ...update, paymentReference: `demo_${id}`, status: 'pending' })).toBe('noted')
    expect(await storedRefunds(id)).toMatchObject([{ status: 'succeeded', settled: true, wait: null }])
    expect(await shop.order(id)).toMatchObject({ refundedMinor: 100 })
  })

  test('does not count when another provider names it, and an unknown id means a refund in the dashboard', async () => {
    const { id, refundId } = await pendingRefund({ amount: 100 })
    const names = { provider: 'stripe', refundId, reference: `re_other_${id}`, paymentReference: `demo_${id}` }
    expect(await shop.notify(names)).toBe('unknown')
    expect(await storedRefunds(id)).toMatchObject([{ status: 'pending' }])
    const other = await shop.place()
    const unknown = { refundId: 'refund_nobody', reference: `re_nobody_${id}`, paymentReference: `demo_${other.id}` }
    expect(await shop.notify({ ...unknown, amount: usd(100) })).toBe('noted')
    expect(await shop.order(other.id)).toMatchObject({ refundedMinor: 100 })
  })

  test('that reports a failure flags the order, and a late update of its success changes nothing', async () => {
    const { id, settle } = await pendingRefund({ amount: 100 })
    const success = settle('succeeded')
    expect(await shop.notify(settle('failed'))).toBe('noted')
    expect(await shop.notify(success)).toBe('noted')
    expect(await shop.order(id)).toMatchObject({ status: 'paid', refundedMinor: 0, attention: 'refund_due' })
    expect(await storedRefunds(id)).toMatchObject([
      { status: 'failed', settled: true, last_error: 'the provider reported that it failed' },
    ])
    const failed = (await shop.timeline(id)).find(({ kind }) => kind === 'refund_failed')
    expect(failed?.detail).toMatchObject({ amount: 100, why: 'the provider reported that it failed' })
  })

  test('that reports a failure after a success makes the refund due again; order and goods stay as they are', async () => {
    const { id, refundId } = await pendingRefund()
    await shop.notify(shop.provider.settle(refundId, 'succeeded'))
    const { restockedAt } = await shop.order(id)
    const update = shop.provider.settle(refundId, 'failed')
    await Promise.all([shop.notify(update), shop.notify(update)])
    const order = await shop.order(id)
    expect(order).toMatchObject({ status: 'cancelled', refundedMinor: 0, attention: 'refund_due', restockedAt })
    expect(order.payment.status).toBe('captured')
    shop.provider.behavior = 'normal'
    const again = orderOf(await shop.refund(id))
    expect(again).toMatchObject({ payment: { status: 'refunded' }, refundedTotal: usd(TOTAL) })
    expect(again.refunds.map(({ status, restocked }) => [status, restocked])).toEqual([
      ['failed', true],
      ['succeeded', false],
    ])
    expect(again.attention).toBeUndefined()
  })

  test('that reports a success after a rejection counts', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'rejects'
    expect((await shop.refund(id, { amount: 100 })).status).toBe(502)
    const refundId = (await shop.refundsOf(id))[0]?.id
    const update = { refundId, reference: `late_${id}`, paymentReference: `demo_${id}`, amount: usd(100) }
    for (const status of ['pending', 'failed'] as const) expect(await shop.notify({ ...update, status })).toBe('noted')
    expect(await shop.order(id)).toMatchObject({ refundedMinor: 0 })
    expect([await shop.notify(update), await shop.notify(update)]).toEqual(['noted', 'noted'])
    expect(await shop.order(id)).toMatchObject({ refundedMinor: 100 })
    expect(await shop.refundsOf(id)).toMatchObject([{ status: 'succeeded', reference: `late_${id}` }])
  })
})

test('a refund that stays pending waits for a merchant who records the same one', async () => {
  const { id } = await shop.place()
  let recorded: Promise<boolean> | undefined
  shop.provider.behavior = 'pending'
  shop.provider.beforeResponse = async (refund) => {
    const isRecorded = Promise.withResolvers<void>()
    recorded = transaction(shop.db, async (tx) => {
      await lockOrder(tx, id)
      const result = await recordByHand(tx, id, `re_${refund.id}`)
      isRecorded.resolve()
      await waitForLock(shop.suite, 'for no key update')
      return result
    })
    await isRecorded.promise
  }
  expect((await shop.refund(id, { amount: 100 })).status).toBe(200)
  expect(await recorded).toBe(true)
  expect((await shop.refundsOf(id)).map(({ status, reference }) => [status, reference])).toEqual([
    ['pending', undefined],
    ['succeeded', expect.stringMatching(/^re_/)],
  ])
})

test('a refund of a second payment does not count for the order, and says so in the timeline', async () => {
  const { id } = await shop.place()
  await shop.pay({ orderId: id })
  const [refund] = await storedRefunds(id)
  const update = { refundId: refund?.id, reference: `re_second_${id}`, paymentReference: `extra_${id}` }
  expect(await shop.notify(update)).toBe('noted')
  expect(await shop.order(id)).toMatchObject({ status: 'paid', refundedMinor: 0, payment: { status: 'captured' } })
  const step = (await shop.timeline(id)).find(({ kind }) => kind === 'refund_succeeded')
  expect(step?.detail).toMatchObject({ amount: TOTAL, reference: update.reference, ofDuplicate: true })
})

describe("an update of a refund in the provider's dashboard", () => {
  test('counts once, also when a merchant records it as well', async () => {
    const { id } = await shop.place()
    const update = { reference: `re_part_${id}`, paymentReference: `demo_${id}`, amount: usd(920) }
    await Promise.all(Array.from({ length: 5 }, () => shop.notify(update)))
    expect(await shop.order(id)).toMatchObject({ status: 'paid', refundedMinor: 920 })
    expect((await shop.order(id)).payment.status).toBe('partially_refunded')
    expect(await shop.refundsOf(id)).toMatchObject([
      { amount: usd(920), status: 'succeeded', reference: `re_part_${id}` },
    ])
    // A merchant who records the same refund changes nothing.
    expect(orderOf(await shop.refund(id, { reference: `re_part_${id}` })).refundedTotal).toEqual(usd(920))
  })

  test('of the full amount cancels an order that was not sent, and leaves its goods to the merchant', async () => {
    const { id } = await shop.place()
    await shop.notify({ reference: `re_all_${id}`, paymentReference: `demo_${id}` })
    const order = await shop.order(id)
    expect(order).toMatchObject({ status: 'cancelled', restockedAt: null, payment: { status: 'refunded' } })
    expect(order.refunds).toMatchObject([{ restocked: false }])
    expect((await shop.suite.eventsOf(OrderRestocked)).filter(({ orderId }) => orderId === id)).toEqual([])
  })

  test('that is pending reduces the refundable amount, and no other refund is requested from the provider', async () => {
    const { id } = await shop.place()
    const update = { reference: `re_way_${id}`, paymentReference: `demo_${id}`, amount: usd(900) }
    await shop.notify({ ...update, status: 'pending' })
    const [stored] = await storedRefunds(id)
    expect(stored).toMatchObject({ status: 'pending', settled: false, of_duplicate: false })
    expect(stored?.wait).toBeGreaterThan(0)
    const { amount, currency } = update.amount
    expect((await shop.timeline(id)).at(-1)).toEqual({
      kind: 'refund_requested',
      actor: null,
      detail: { refundId: stored?.id, amount, currency, reference: update.reference },
    })
    const rejected = errorOf(await shop.refund(id, { amount: TOTAL }))
    expect(rejected).toMatchObject({ code: 'amount_too_large', detail: { left: TOTAL - 900 } })
    const refundId = (await shop.refundsOf(id))[0]?.id ?? ''
    expect(shop.provider.requests.has(refundId)).toBe(false)
    await shop.notify({ ...update, status: 'succeeded' })
    expect(await shop.refundsOf(id)).toMatchObject([{ status: 'succeeded', amount: usd(900) }])
  })

  test('that reports a failure after a success adds the failure and the flag to the timeline once', async () => {
    const { id } = await shop.place()
    const update = { reference: `re_back_${id}`, paymentReference: `demo_${id}`, amount: usd(900) }
    await shop.notify(update)
    for (let again = 0; again < 2; again++) await shop.notify({ ...update, status: 'failed' })
    expect(await shop.order(id)).toMatchObject({ refundedMinor: 0, attention: 'refund_due' })
    expect((await shop.timeline(id)).slice(-3)).toMatchObject([
      { kind: 'refund_succeeded' },
      { kind: 'refund_failed', detail: { amount: 900 } },
      { kind: 'attention', detail: { attention: 'refund_due' } },
    ])
  })

  test('that reports a failure does not count, also when older updates arrive late', async () => {
    const { id } = await shop.place()
    const update = { reference: `re_no_${id}`, paymentReference: `demo_${id}`, amount: usd(900) }
    await shop.notify({ ...update, status: 'failed' })
    const [stored] = await storedRefunds(id)
    expect(stored).toMatchObject({ status: 'failed', settled: true, wait: null })
    expect(stored?.id).toMatch(/^refund_/)
    expect((await shop.timeline(id)).at(-1)).toMatchObject({
      kind: 'refund_failed',
      detail: { refundId: stored?.id, amount: 900, reference: update.reference },
    })
    await shop.notify({ ...update, status: 'pending' })
    await shop.notify(update)
    expect(await shop.order(id)).toMatchObject({ refundedMinor: 0, attention: null })
    expect(await shop.refundsOf(id)).toMatchObject([{ status: 'failed' }])
  })

  test('counts at once while a refund of ours has no reference yet, which counts as well', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'unreachable'
    await shop.refund(id, { amount: 2000 })
    const update = { reference: `re_beside_${id}`, paymentReference: `demo_${id}`, amount: usd(2000) }
    expect([await shop.notify(update), await shop.notify(update)]).toEqual(['noted', 'noted'])
    expect(await shop.order(id)).toMatchObject({ refundedMinor: 2000 })
    shop.provider.behavior = 'normal'
    await shop.makeDue()
    await waitFor('our refund', async () => (await shop.order(id)).refundedMinor === 4000)
    expect(errorOf(await shop.refund(id, { amount: 921 }))).toMatchObject({ detail: { left: TOTAL - 4000 } })
  })

  test('leaves nothing owed when the provider then rejects ours', async () => {
    const { id } = await shop.place()
    shop.provider.behavior = 'unreachable'
    await shop.refund(id)
    await shop.notify({ reference: `re_instead_${id}`, paymentReference: `demo_${id}` })
    shop.provider.behavior = 'rejects'
    await shop.makeDue()
    await waitFor('the rejection', async () => (await shop.refundsOf(id)).some(({ status }) => status === 'failed'))
    expect(await shop.order(id)).toMatchObject({ status: 'cancelled', refundedMinor: TOTAL, attention: null })
  })

  test('clears the attention flag when the provider then rejects ours, which was due', async () => {
    const { id } = await shop.place()
    await shop.cancel(id)
    shop.provider.behavior = 'unreachable'
    await shop.refund(id)
    await shop.notify({ reference: `re_due_${id}`, paymentReference: `demo_${id}` })
    expect(await shop.order(id)).toMatchObject({ refundedMinor: TOTAL, attention: 'refund_due' })
    shop.provider.behavior = 'rejects'
    await shop.makeDue()
    await waitFor('the rejection', async () => (await shop.refundsOf(id)).some(({ status }) => status === 'failed'))
    expect(await shop.order(id)).toMatchObject({ status: 'cancelled', refundedMinor: TOTAL, attention: null })
    expect((await shop.timeline(id)).slice(-2)).toMatchObject([
      { kind: 'refund_failed' },
      { kind: 'attention_cleared', actor: null },
    ])
  })

  test('without our id clears the attention flag when it is of a refund of ours, which was due', async () => {
    const { id } = await shop.place()
    await shop.cancel(id)
    shop.provider.beforeResponse = async (refund) => {
      const update = shop.provider.refunds.get(refund.id)
      if (update) await shop.notify({ ...update, refundId: undefined })
    }
    expect(orderOf(await shop.refund(id)).attention).toBeUndefined()
    expect((await shop.refundsOf(id)).map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded'])
    expect((await shop.timeline(id)).at(-1)).toMatchObject({ kind: 'attention_cleared' })
  })

  test('without our id counts once, also when it is of a refund of ours', async () => {
    const { id } = await shop.place()
    const kinds: string[] = []
    shop.provider.beforeResponse = async (refund) => {
      const update = shop.provider.refunds.get(refund.id)
      if (update) kinds.push(await shop.notify({ ...update, refundId: undefined }))
    }
    await shop.refund(id, { amount: 100 })
    expect(kinds).toEqual(['noted'])
    expect(await shop.order(id)).toMatchObject({ refundedMinor: 100 })
    expect((await shop.refundsOf(id)).map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded'])
  })

  test('is unknown, and does not count, when a refund of another order gets its reference meanwhile', async () => {
    const [{ id }, other] = [await shop.place(), await shop.place()]
    const reference = `re_taken_${id}`
    const notified = await transaction(shop.db, async (tx) => {
      await recordByHand(tx, other.id, reference)
      const update = shop.notify({ reference, paymentReference: `demo_${id}`, amount: usd(100) })
      await waitForLock(shop.suite, 'insert into refunds')
      return { update }
    })
    expect(await notified.update).toBe('unknown')
    expect(await shop.order(id)).toMatchObject({ refundedMinor: 0, refunds: [] })
  })

  test('of an unknown payment is unknown until it is captured', async () => {
    const { id } = await shop.place('api')
    const update = { reference: `re_early_${id}`, paymentReference: `late_${id}`, amount: usd(100) }
    expect(await shop.notify(update)).toBe('unknown')
    await shop.pay({ orderId: id, reference: update.paymentReference })
    expect(await shop.notify(update)).toBe('noted')
    expect(await shop.order(id)).toMatchObject({ status: 'paid', refundedMinor: 100 })
  })
})
