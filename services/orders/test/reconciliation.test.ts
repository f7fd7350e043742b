import { ErrorBody, Reconciliation, type Order } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ProviderUnavailable, type PaymentUpdate } from '../src/payments/provider.ts'
import { createReconciler } from '../src/reconciliation/reconcile.ts'
import { relayed } from './events.ts'
import { paymentUpdate } from './payment-pages.ts'
import { GIVEN_UP, simulateLedgers, type SimulatedLedgers } from './simulated-ledgers.ts'
import { BUYER, createShop, orderOf, type Shop } from './shop.ts'

let shop: Shop
let ledgers: SimulatedLedgers

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 100_000)
  ledgers = await simulateLedgers(shop.suite)
})
afterAll(async () => {
  await ledgers.stop()
  await shop.stop()
})
beforeEach(async () => {
  // Each test starts without the inconsistencies of the previous one. To truncate the tables is slower: each of the
  // twenty, with their indexes, gets new files. The lock waits for transactions that still change an order.
  await sql(`
    do $$ begin
      lock table orders.orders, orders.payments, orders.payment_sessions in access exclusive mode;
      delete from orders.refunds;
      delete from orders.payments;
      delete from orders.order_timeline;
      delete from orders.ordered_lines;
      delete from orders.placement_keys;
      delete from orders.invoices;
      delete from orders.draft_orders;
      delete from orders.orders;
      delete from orders.payment_sessions;
      delete from orders.claims;
      delete from orders.provider_events;
      delete from orders.reconciliation;
      delete from orders.outbox;
    end $$`)
})
afterEach(() => {
  ledgers.reset()
  for (const provider of Object.values(shop.providers)) provider.reset()
})

const sql = <Row = object>(text: string, values: unknown[] = []) => shop.suite.sql<Row>(text, values)
const writer = () => shop.suite.headers.admin(['orders:write'])
const reader = () => shop.suite.headers.admin(['orders:read'])

async function compare(body: object = {}): Promise<Reconciliation> {
  const response = await shop.call('POST', '/admin/reconciliation', { settledAfterSeconds: 0, ...body }, writer())
  expect(response.status).toBe(200)
  return Reconciliation.parse(response.body)
}
const found = (report: Reconciliation) => report.items.map(({ kind, subject }) => ({ kind, subject }))
const lastReport = async () =>
  Reconciliation.parse((await shop.call('GET', '/admin/reconciliation', undefined, reader())).body)

/** An order of an invoice, unless it is paid by the demo provider. */
async function place(checkoutMode = 'api'): Promise<Order> {
  const order = orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode }).id))
  await relayed(shop.suite)
  return order
}
async function placePaid(): Promise<Order> {
  const order = await place('demo')
  await waitFor('the payment', async () => (await statusOf(order.id)) === 'paid')
  await relayed(shop.suite)
  return order
}
const statusOf = async (id: string) =>
  (await sql<{ status: string }>('select status from orders.orders where id = $1', [id]))[0]?.status
const claimOf = async (id: string) =>
  (await sql<{ claim: string }>('select claim from orders.orders where id = $1', [id]))[0]?.claim ?? ''

/** Holds that were released one after the other. */
const giveUpMany = (count: number, { from = 1, apartMs = 1, ago = '1 hour' } = {}) =>
  sql(
    `insert into orders.claims (claim, verdict, decided_at)
     select $1 || n, 'abandoned', now() - $2::interval + n * $3::int * interval '1 millisecond'
     from generate_series($4::int, $4::int + $5::int - 1) as n`,
    [GIVEN_UP, ago, apartMs, from, count],
  )

/** A checkout that waits at the demo provider, and ended an hour ago without an order. */
async function endedSession(status = 'expired'): Promise<{ id: string; orderId: string }> {
  const response = await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode: 'redirect' }).id)
  expect(response.status).toBe(200)
  const [session] = await sql<{ id: string; orderId: string }>(
    `update orders.payment_sessions set status = $1, expires_at = now() - interval '1 hour'
     where status = 'open' returning id, order_id as "orderId"`,
    [status],
  )
  if (!session) throw new Error('there is no session')
  return session
}
const updateOf = (id: string, status: PaymentUpdate['status'], reference?: string) => {
  const names = { reference, sessionId: id, providerSession: `demo_of_${id}` }
  return paymentUpdate({ provider: 'demo', status, ...names, amount: undefined })
}

describe('a caller', () => {
  test('gets an empty report before the first comparison', async () => {
    expect(await lastReport()).toEqual({
      items: [],
      total: 0,
      repaired: [],
      ok: false,
      unasked: [],
      checkedAt: null,
      durationMs: 0,
    })
  })

  test('may read with orders:read, and compare with orders:write', async () => {
    for (const [method, headers, status] of [
      ['GET', {}, 401],
      ['POST', {}, 401],
      ['GET', shop.suite.headers.customer('cus_ada'), 403],
      ['GET', writer(), 403],
      ['POST', reader(), 403],
      ['GET', reader(), 200],
      ['POST', writer(), 200],
    ] as const) {
      const body = method === 'POST' ? {} : undefined
      expect((await shop.call(method, '/admin/reconciliation', body, headers)).status).toBe(status)
    }
  })

  test.each([-1, 1.5, 3601, 'soon'])('is rejected with a time to settle of %s', async (settledAfterSeconds) => {
    const response = await shop.call('POST', '/admin/reconciliation', { settledAfterSeconds }, writer())
    expect(response.status).toBe(422)
    expect(ErrorBody.safeParse(response.body).success).toBe(true)
  })

  test('reads the report of the last comparison, which finds nothing in a consistent shop', async () => {
    await placePaid()
    await place()
    await giveUpMany(3)
    const report = await compare()
    expect(report).toMatchObject({ items: [], total: 0, repaired: [], ok: true, unasked: [] })
    expect(ledgers.requests).toEqual([5])
    expect(await lastReport()).toEqual(report)
  })
})

describe('a finding names what to do, and disappears when it is fixed', () => {
  interface Fault {
    kind: string
    message: RegExp
    /** @returns the subject of the finding */
    breakIt: () => Promise<string>
    fix: () => Promise<unknown>
  }
  const longAgo = `now() - interval '1 hour'`
  const payment = (reference: string, orderId: string | null, status = 'captured', provider = 'demo') =>
    sql(
      `insert into orders.payments (provider, reference, order_id, status, amount_minor, currency, received_at)
       values ($4, $1, $2, $3, 100, 'USD', ${longAgo})`,
      [reference, orderId, status, provider],
    )
  const faults: Fault[] = [
    {
      kind: 'payment_without_order',
      message: /Refund it at the provider, or place its order/,
      breakIt: async () => {
        await payment('pay lost', null)
        return 'demo pay lost'
      },
      fix: () => sql('delete from orders.payments'),
    },
    {
      kind: 'payment_beside_order',
      message: /Order SF-\d+ was already paid with another payment.*Refund it at the provider/,
      breakIt: async () => {
        await payment('second of 2', (await placePaid()).id)
        return 'demo second of 2'
      },
      fix: () => sql(`delete from orders.payments where reference = 'second of 2'`),
    },
    {
      kind: 'payment_beside_order',
      message: /Refund it by hand, then clear the attention flag of the order/,
      breakIt: async () => {
        await payment('bank 2', (await placePaid()).id, 'captured', 'invoice')
        await sql(`update orders.orders set attention = 'refund_due'`)
        return 'invoice bank 2'
      },
      fix: () => sql('update orders.orders set attention = null'),
    },
    {
      kind: 'payment_not_noted',
      message: /Order SF-\d+ records money.*Compare it with the provider/,
      breakIt: async () => {
        const { id } = await placePaid()
        await sql('update orders.payments set amount_minor = amount_minor - 1')
        return id
      },
      fix: () => sql('update orders.payments set amount_minor = amount_minor + 1'),
    },
    {
      kind: 'refunds_do_not_add_up',
      message: /refunds of order SF-\d+ .* Compare them with the provider/,
      breakIt: async () => {
        const { id } = await placePaid()
        await sql('update orders.orders set refunded_minor = 1')
        return id
      },
      fix: () => sql('update orders.orders set refunded_minor = 0'),
    },
    {
      kind: 'paid_without_money',
      message: /Order SF-\d+ is paid but.*Compare it with the provider/,
      breakIt: async () => {
        const { id } = await place()
        await sql(`update orders.orders set status = 'paid'`)
        return id
      },
      fix: () => sql(`update orders.orders set status = 'placed'`),
    },
    {
      kind: 'demo_payment_missing',
      message: /Order SF-\d+ waits for the demo provider. Check whether .* dead letters/,
      breakIt: async () => {
        const { id } = await place()
        await sql(`update orders.orders set payment_provider = 'demo', placed_at = ${longAgo}`)
        return id
      },
      fix: () => sql(`update orders.orders set payment_status = 'failed'`),
    },
    {
      kind: 'webhook_stuck',
      message: /\(it broke\). Fix the cause, then retry it with POST \/admin\/reconciliation/,
      breakIt: async () => {
        await sql(`insert into orders.provider_events (provider, event_id, type, payload, received_at, status, next_attempt_at,
          last_error) values ('demo', 'evt_1', 'x', '{}', now(), 'failed', now(), 'it broke')`)
        return 'demo evt_1'
      },
      fix: () => sql(`update orders.provider_events set status = 'done'`),
    },
    {
      kind: 'refund_stuck',
      message: /refund of order SF-\d+ is not settled \(no answer\). Look for it at stripe/,
      breakIt: async () => {
        const { id } = await placePaid()
        await sql(
          `insert into orders.refunds (id, order_id, provider, amount_minor, currency, status, created_at, next_attempt_at,
             last_error) values ('refund_1', $1, 'stripe', 1, 'USD', 'pending', ${longAgo}, now() + interval '1 hour', 'no answer')`,
          [id],
        )
        return 'refund_1'
      },
      fix: () => sql(`update orders.refunds set status = 'failed'`),
    },
    {
      kind: 'session_overdue',
      message: /should have ended. Check whether demo can be reached/,
      breakIt: async () => {
        shop.providers.demo.inspect = () => Promise.reject(new ProviderUnavailable('demo', 'test'))
        const { id } = await endedSession('open')
        await waitFor('the attempt to end it, which sets its end to now', async () => {
          const postponed = `expires_at > now() - interval '5 minutes'`
          return (await sql(`select from orders.payment_sessions where id = $1 and ${postponed}`, [id])).length > 0
        })
        return id
      },
      fix: () => sql(`update orders.payment_sessions set status = 'expired', reconciled_at = now()`),
    },
    {
      kind: 'event_not_sent',
      message: /Check whether NATS can be reached/,
      breakIt: async () => {
        // An event that the relay cannot publish, as if another replica was relaying.
        await sql(`select pg_advisory_lock(hashtext('relay'), hashtext('orders'))`)
        await sql(`insert into orders.outbox (event_id, name, payload)
          values ('event_1', 'order.paid', json_build_object('id', 'event_1', 'at', ${longAgo})::text)`)
        return 'event_1'
      },
      fix: async () => {
        await sql('delete from orders.outbox')
        await sql(`select pg_advisory_unlock(hashtext('relay'), hashtext('orders'))`)
      },
    },
    {
      kind: 'order_without_goods',
      message: /The goods of order SF-\d+ were released. Check its stock before it is sent/,
      breakIt: async () => {
        const { id } = await place()
        ledgers.standing.set(await claimOf(id), 'released')
        return id
      },
      fix: () => Promise.resolve(ledgers.standing.clear()),
    },
    {
      kind: 'order_without_goods',
      message: /The goods of order SF-\d+ are unknown to catalog/,
      breakIt: async () => {
        const { id } = await place()
        ledgers.standing.set(await claimOf(id), 'unknown')
        return id
      },
      fix: () => Promise.resolve(ledgers.standing.clear()),
    },
    {
      kind: 'order_not_sold_yet',
      message: /goods of order SF-\d+ are still reserved and not sold. Check whether catalog consumes order.placed/,
      breakIt: async () => {
        const { id } = await place()
        ledgers.standing.set(await claimOf(id), 'held')
        return id
      },
      fix: () => Promise.resolve(ledgers.standing.clear()),
    },
    {
      kind: 'goods_without_order',
      message: /sold for a checkout that became no order. Correct the stock/,
      breakIt: async () => {
        await giveUpMany(1)
        ledgers.standing.set(`${GIVEN_UP}1`, 'sold')
        return `${GIVEN_UP}1`
      },
      fix: () => Promise.resolve(ledgers.standing.clear()),
    },
    {
      kind: 'goods_without_order',
      message: /sold for a checkout that became no order/,
      breakIt: async () => {
        // The order of this decision is gone.
        await sql(`insert into orders.claims values ('res_orphan.1', 'ordered', now() - interval '1 hour')`)
        return 'res_orphan.1'
      },
      fix: () => sql(`delete from orders.claims`),
    },
    {
      kind: 'ledger',
      message: /1 on hand/,
      breakIt: () => {
        ledgers.ledger = { faults: [{ subject: 'var_m', message: 'Variant var_m: 1 on hand.' }], total: 1 }
        return Promise.resolve('var_m')
      },
      fix: () => Promise.resolve(ledgers.reset()),
    },
    {
      kind: 'discounts',
      message: /counts 2 uses/,
      breakIt: () => {
        ledgers.discounts = { faults: [{ subject: 'SALE', message: 'Code SALE counts 2 uses.' }], total: 1 }
        return Promise.resolve('SALE')
      },
      fix: () => Promise.resolve(ledgers.reset()),
    },
    {
      kind: 'addresses',
      message: /the same email address as cus_1/,
      breakIt: () => {
        const message = 'this customer has the same email address as cus_1, in another spelling, and cannot use it'
        ledgers.addresses = { faults: [{ subject: 'cus_2', message }], total: 1 }
        return Promise.resolve('cus_2')
      },
      fix: () => Promise.resolve(ledgers.reset()),
    },
    {
      kind: 'addresses',
      message: /the email address of this order is invalid/,
      breakIt: async () => {
        const { id } = await place()
        await sql('update orders.orders set email = $2, email_canonical = null where id = $1', [
          id,
          'a\u200b@b.example',
        ])
        return id
      },
      fix: () => sql(`update orders.orders set email = 'a@b.example' where email_canonical is null`),
    },
  ]
  test.each(faults)('$kind: $message', async ({ kind, message, breakIt, fix }) => {
    const subject = await breakIt()
    const report = await compare()
    expect(found(report)).toEqual([{ kind, subject }])
    expect(report.items[0]?.message).toMatch(message)
    expect(report).toMatchObject({ ok: false, total: 1 })
    expect(await lastReport()).toEqual(report)
    await fix()
    expect(await compare()).toMatchObject({ items: [], total: 0, ok: true })
  })

  test('records younger than the time to settle are not compared', async () => {
    const { id } = await place()
    ledgers.standing.set(await claimOf(id), 'held')
    expect(await compare({ settledAfterSeconds: 60 })).toMatchObject({ items: [] })
    expect(found(await compare())).toEqual([{ kind: 'order_not_sold_yet', subject: id }])
  })

  test('a second payment is not a finding while its refund is pending, and is one when the refund is rejected', async () => {
    const { id } = await placePaid()
    await payment('twice', id)
    await sql(
      `insert into orders.refunds (id, order_id, provider, payment_reference, amount_minor, currency, status, of_duplicate,
         created_at, next_attempt_at)
       values ('refund_2', $1, 'demo', 'twice', 100, 'USD', 'pending', true, now(), now() + interval '1 hour')`,
      [id],
    )
    expect(await compare()).toMatchObject({ items: [] })
    await sql(`update orders.refunds set status = 'failed'`)
    expect(found(await compare())).toEqual([{ kind: 'payment_beside_order', subject: 'demo twice' }])
  })
})

describe('a finding that is not fixed', () => {
  test('stays on the report however many orders come after it', async () => {
    const { id } = await place()
    ledgers.standing.set(await claimOf(id), 'released')
    await sql(`update orders.claims set decided_at = now() - interval '2 hours'`)
    await compare()
    for (let round = 0; round < 3; round++) {
      await giveUpMany(2000, { from: 1 + round * 2000, ago: '100 seconds' })
      expect(found(await compare())).toEqual([{ kind: 'order_without_goods', subject: id }])
    }
  })

  test('stays on the report when it is older than the compared period', async () => {
    const first = await place()
    const second = await placePaid()
    const third = await placePaid()
    await sql(`update orders.orders set status = 'paid' where id = $1`, [first.id])
    await sql(`update orders.orders set refunded_minor = 1 where id = $1`, [third.id])
    await sql(
      `insert into orders.payments (provider, reference, order_id, status, amount_minor, currency, received_at)
       values ('demo', 'a b', $1, 'captured', 100, 'USD', now())`,
      [second.id],
    )
    const expected = [
      { kind: 'paid_without_money', subject: first.id },
      { kind: 'payment_beside_order', subject: 'demo a b' },
      { kind: 'refunds_do_not_add_up', subject: third.id },
    ]
    const findings = async () => found(await compare()).toSorted((one, other) => one.kind.localeCompare(other.kind))
    expect(await findings()).toEqual(expected)
    await sql(`update orders.orders set placed_at = placed_at - interval '10 days'`)
    await sql(`update orders.payments set received_at = received_at - interval '10 days'`)
    expect(await findings()).toEqual(expected)
    expect(await findings()).toEqual(expected)
  })

  test('is counted beyond the first thousand, and none is lost', async () => {
    await giveUpMany(1800)
    for (let n = 1; n <= 1800; n++) ledgers.standing.set(`${GIVEN_UP}${n}`, 'sold')
    const report = await compare()
    expect(report.items).toHaveLength(1000)
    expect(report).toMatchObject({ total: 1800, ok: false })
    // After the first thousand are fixed, the others are still known.
    for (let n = 1; n <= 1000; n++) ledgers.standing.delete(`${GIVEN_UP}${n}`)
    await giveUpMany(10, { from: 5000, ago: '90 seconds' })
    const after = await compare()
    expect(after.total).toBe(800)
    expect(new Set(after.items.map(({ subject }) => subject)).size).toBe(800)
    expect(after.items.some(({ subject }) => subject === `${GIVEN_UP}1800`)).toBe(true)
  })

  test('includes what other services count beyond what they show', async () => {
    ledgers.ledger = { faults: [{ subject: 'var_m', message: 'wrong' }], total: 140 }
    expect(await compare()).toMatchObject({ items: [{ kind: 'ledger' }], total: 140 })
  })
})

describe('progress', () => {
  test('compares 25,000 holds in several runs, with no request about more than 500, and skips no hold', async () => {
    await giveUpMany(25_000, { ago: '2 hours' })
    ledgers.standing.set(`${GIVEN_UP}24990`, 'sold')
    let report = await compare()
    let comparisons = 1
    for (; report.items.length === 0 && comparisons < 6; comparisons++) report = await compare()
    expect(found(report)).toEqual([{ kind: 'goods_without_order', subject: `${GIVEN_UP}24990` }])
    expect(comparisons).toBeGreaterThan(1)
    expect(Math.max(...ledgers.requests)).toBe(500)
    expect(report.durationMs).toBeLessThan(10_000)
    // From here on only the holds on the report and those of the last minutes are requested.
    ledgers.requests = []
    await compare()
    expect(ledgers.requests).toEqual([1])
  })

  test('holds that were decided at one moment are each compared', async () => {
    await giveUpMany(1201, { apartMs: 0 })
    ledgers.standing.set(`${GIVEN_UP}1201`, 'sold')
    ledgers.standing.set(`${GIVEN_UP}1`, 'sold')
    expect((await compare()).total).toBe(2)
    expect(ledgers.requests.reduce((sum, count) => sum + count, 0)).toBe(1201)
  })

  test('a hold whose decision committed late is not skipped', async () => {
    await compare()
    // This hold was decided before that comparison and is written after it.
    await giveUpMany(1, { ago: '1 minute' })
    ledgers.standing.set(`${GIVEN_UP}1`, 'sold')
    expect((await compare()).total).toBe(1)
  })

  test('holds that catalog may have deleted by now are not reported as missing', async () => {
    await compare()
    await sql(`update orders.reconciliation set checked_until = now() - interval '60 days'`)
    const { id } = await place()
    await sql(`update orders.claims set decided_at = now() - interval '29 days'`)
    ledgers.standing.set(await claimOf(id), 'unknown')
    expect(await compare()).toMatchObject({ items: [] })
  })

  test('discount redemptions are not compared with catalog', async () => {
    await sql(`insert into orders.claims values ('use_1.1', 'ordered', now() - interval '1 hour')`)
    await compare()
    expect(ledgers.requests).toEqual([])
  })
})

describe('catalog and cart', () => {
  test.each(['down', 'faulty'] as const)('are named while they are %s, and no finding is lost', async (behavior) => {
    await giveUpMany(3)
    ledgers.standing.set(`${GIVEN_UP}2`, 'sold')
    expect((await compare()).total).toBe(1)
    await giveUpMany(3, { from: 10, ago: '90 seconds' })
    ledgers.standing.set(`${GIVEN_UP}11`, 'sold')
    ledgers.catalog = behavior
    ledgers.cart = behavior
    const report = await compare()
    expect(report).toMatchObject({ items: [], ok: false, unasked: ['cart', 'catalog'] })
    ledgers.catalog = 'up'
    ledgers.cart = 'up'
    const after = await compare()
    expect(after.items.map(({ subject }) => subject).toSorted()).toEqual([`${GIVEN_UP}11`, `${GIVEN_UP}2`])
    expect(after.unasked).toEqual([])
  })

  test('do not prevent the comparison of our own records while they are down', async () => {
    const { id } = await place()
    await sql(`update orders.orders set status = 'paid'`)
    ledgers.catalog = 'down'
    expect(await compare()).toMatchObject({
      items: [{ kind: 'paid_without_money', subject: id }],
      unasked: ['catalog'],
    })
  })
})

describe('a checkout that ended', () => {
  test('that was paid, and whose webhook was lost, becomes an order that is paid', async () => {
    const { id, orderId } = await endedSession()
    shop.providers.demo.inspect = () => Promise.resolve(updateOf(id, 'captured', 'pay_lost'))
    const report = await compare()
    expect(report.repaired).toMatchObject([{ kind: 'payment_found', subject: id }])
    expect(report.items).toEqual([])
    expect(await statusOf(orderId)).toBe('paid')
    expect((await compare()).repaired).toEqual([])
  })

  test('that was paid is not reported when the payment is already recorded', async () => {
    const { id } = await endedSession('superseded')
    shop.providers.demo.inspect = () => Promise.resolve(updateOf(id, 'captured', 'pay_known'))
    const order = await placePaid()
    await sql(
      `insert into orders.payments (provider, reference, order_id, session_id, status, amount_minor, currency, received_at)
       select 'demo', 'pay_known', $1, $2, 'captured', 0, 'USD', now()`,
      [order.id, id],
    )
    expect((await compare()).repaired).toEqual([])
  })

  const later = (hours: number) =>
    sql(
      `update orders.payment_sessions set expires_at = expires_at - make_interval(hours => $1),
      reconciled_at = reconciled_at - make_interval(hours => $1)`,
      [hours],
    )
  const lookUps = (update: PaymentUpdate) => {
    const requests: string[] = []
    shop.providers.demo.inspect = ({ id }) => {
      requests.push(id)
      return Promise.resolve(update)
    }
    return requests
  }

  test('is looked up again while its payment is only authorized, less and less often', async () => {
    const { id, orderId } = await endedSession()
    const requests = lookUps(updateOf(id, 'authorized', 'pay_promised'))
    for (let count = 1; count <= 4; count++) {
      expect(await compare()).toMatchObject({ repaired: [], ok: true })
      await compare()
      expect(requests).toHaveLength(count)
      await later(48)
    }
    lookUps(updateOf(id, 'captured', 'pay_promised'))
    expect((await compare()).repaired).toHaveLength(1)
    expect(await statusOf(orderId)).toBe('paid')
  })

  test('is not looked up again when its authorized payment failed, or after thirty days', async () => {
    const [failed, old] = [await endedSession(), await endedSession()]
    shop.providers.demo.inspect = ({ id }) => Promise.resolve(updateOf(id, 'authorized', `pay_of_${id}`))
    await compare()
    await later(24)
    shop.providers.demo.inspect = ({ id }) =>
      Promise.resolve(updateOf(id, id === failed.id ? 'failed' : 'authorized', `pay_of_${id}`))
    await compare()
    await later(24 * 10)
    const requests = lookUps(updateOf(old.id, 'authorized', `pay_of_${old.id}`))
    await compare()
    expect(requests).toEqual([old.id])
    await later(24 * 30)
    await compare()
    expect(requests).toEqual([old.id])
  })

  test('that was not paid is looked up once', async () => {
    await endedSession()
    let requests = 0
    shop.providers.demo.inspect = () => {
      requests++
      return Promise.resolve(undefined)
    }
    await compare()
    await compare()
    expect(requests).toBe(1)
  })

  test('whose provider is unavailable keeps its place, and its provider is named', async () => {
    const { id, orderId } = await endedSession()
    shop.providers.demo.inspect = () => Promise.reject(new ProviderUnavailable('demo', 'test'))
    expect(await compare()).toMatchObject({ ok: false, unasked: ['demo'], items: [] })
    shop.providers.demo.inspect = () => Promise.resolve(updateOf(id, 'captured', 'pay_later'))
    expect((await compare()).repaired).toHaveLength(1)
    expect(await statusOf(orderId)).toBe('paid')
  })

  test('that the provider returns an error for is reported, and does not block the others', async () => {
    const [bad, good] = [await endedSession(), await endedSession()]
    shop.providers.demo.inspect = ({ id }) =>
      id === bad.id ? Promise.reject(new Error('no such thing')) : Promise.resolve(updateOf(id, 'captured', 'pay_good'))
    await giveUpMany(1)
    ledgers.standing.set(`${GIVEN_UP}1`, 'sold')
    const report = await compare()
    expect(report.repaired).toMatchObject([{ subject: good.id }])
    expect(found(report)).toEqual([
      { kind: 'session_unclear', subject: bad.id },
      { kind: 'goods_without_order', subject: `${GIVEN_UP}1` },
    ])
    expect(report.items[0]?.message).toContain('Look for it at demo')
  })

  test('at a provider that is not configured does not block the others', async () => {
    const stuck = await endedSession()
    await sql(
      `insert into orders.payment_sessions (id, order_id, cart_id, asked_cart_id, provider, status, email, document,
         number_prefix, request_hash, secret_hashes, created_at, expires_at)
       select 'pay_gone_' || n, 'order_gone_' || n, 'cart_gone_' || n, 'cart_gone_' || n, 'stripe', 'expired', email,
         document, number_prefix, request_hash, secret_hashes, created_at - interval '1 day', expires_at
       from orders.payment_sessions cross join generate_series(1, 60) as n`,
    )
    shop.providers.stripe.configured = false
    shop.providers.demo.inspect = ({ id }) => Promise.resolve(updateOf(id, 'captured', 'pay_through'))
    expect((await compare()).repaired).toMatchObject([{ subject: stuck.id }])
  })
})

describe('webhooks that were given up or wait', () => {
  const failed = () =>
    sql(`insert into orders.provider_events (provider, event_id, type, payload, received_at, status, attempts, next_attempt_at,
      last_error) values ('demo', 'evt_2', 'x', '{}', now(), 'failed', 12, now(), 'it broke')`)
  const rows = () => sql('select status, attempts from orders.provider_events')

  test('stay as they are in a comparison', async () => {
    await failed()
    await compare()
    expect(await rows()).toEqual([{ status: 'failed', attempts: 12 }])
  })

  test('are not findings while they wait for a payment that may be of another shop', async () => {
    await sql(`insert into orders.provider_events (provider, event_id, type, payload, received_at, next_attempt_at, last_error)
      values ('demo', 'evt_3', 'refund', '{}', now() - interval '1 hour', now() + interval '1 hour', 'not known yet')`)
    expect(await compare()).toMatchObject({ items: [], ok: true })
  })

  test('are retried on request', async () => {
    await failed()
    const report = await compare({ retryWebhooks: true })
    expect(report.repaired).toMatchObject([{ kind: 'webhook_retried', subject: 'demo evt_2' }])
    await waitFor('the retry', async () => {
      const [row] = await sql<{ attempts: number; status: string }>('select * from orders.provider_events')
      return row?.status === 'pending' && row.attempts > 0 && row.attempts < 12
    })
  })
})

describe('concurrent comparisons', () => {
  test('of many callers are two: the running one, and one after it for all of them', async () => {
    await giveUpMany(1)
    let release = () => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    let isRequested = false
    ledgers.beforeHolds = () => {
      isRequested = true
      return gate
    }
    const requested = () => sql(`select 1 from orders.audit_entries where subject_kind = 'reconciliation'`)
    const before = (await requested()).length
    const first = compare()
    await waitFor('its request', () => isRequested)
    const others = Array.from({ length: 30 }, () => compare())
    await waitFor('the others', async () => (await requested()).length === before + 31)
    // No checkout waits for them.
    const bought = orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode: 'api' }).id, BUYER))
    expect(bought.status).toBe('placed')
    // Its event, which would be a finding while it waits.
    await relayed(shop.suite)
    release()
    const reports = await Promise.all([first, ...others])
    expect(new Set(reports.map(({ checkedAt }) => checkedAt)).size).toBe(2)
    expect(reports.every(({ ok }) => ok)).toBe(true)
  })

  test('of two replicas lose no finding of either', async () => {
    const replica = createReconciler(shop.orders.context)
    await giveUpMany(700)
    ledgers.standing.set(`${GIVEN_UP}1`, 'sold')
    ledgers.standing.set(`${GIVEN_UP}700`, 'sold')
    const [one, other] = await Promise.all([compare(), replica.reconcile(0)])
    expect([one.total, other.total]).toEqual([2, 2])
    expect((await compare()).total).toBe(2)
  })

  test('of the timer are skipped when a caller has just compared', async () => {
    const timer = createReconciler(shop.orders.context)
    await timer.reconcileWhenDue()
    const { checkedAt } = await lastReport()
    expect(checkedAt).not.toBeNull()
    await timer.reconcileWhenDue()
    expect((await lastReport()).checkedAt).toBe(checkedAt)
    await sql(
      `update orders.reconciliation set report = jsonb_set(report, '{checkedAt}', '"2020-01-01T00:00:00.000Z"')`,
    )
    await timer.reconcileWhenDue()
    expect((await lastReport()).checkedAt).not.toBe('2020-01-01T00:00:00.000Z')
  })
})

test('a service that is shut down finishes the running comparison', async () => {
  const own = await createShop()
  const ownLedger = await simulateLedgers(own.suite)
  try {
    await own.suite.sql(`insert into orders.claims values ('${GIVEN_UP}1', 'abandoned', now() - interval '1 hour')`)
    let release = () => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    let isRequested = false
    ownLedger.beforeHolds = () => {
      isRequested = true
      return gate
    }
    const response = fetch(`${own.orders.url}/admin/reconciliation`, {
      method: 'POST',
      headers: {
        ...own.suite.headers.admin(['orders:write']),
        'content-type': 'application/json',
        connection: 'close',
      },
      body: '{}',
    })
    await waitFor('the request', () => isRequested)
    const stopped = own.orders.stop()
    release()
    expect((await response).status).toBe(200)
    await stopped
    expect(await own.suite.sql('select report from orders.reconciliation')).toMatchObject([{ report: { ok: true } }])
  } finally {
    await ownLedger.stop()
    await own.stop()
  }
})
