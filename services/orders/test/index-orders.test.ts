import { sql } from 'kysely'
import { listOf, Order } from '@storefront/contracts'
import { amount, waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { indexOrders } from '../src/search/index-orders.ts'
import { BUYER, createShop, orderOf, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 1000)
})
afterAll(() => shop.stop())

const place = async (email = BUYER.email) =>
  orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode: 'api' }).id, { ...BUYER, email }))
const found = async (q: string) => {
  const path = `/admin/orders?q=${encodeURIComponent(q)}`
  const { body } = await shop.call('GET', path, undefined, shop.suite.headers.admin())
  return listOf(Order)
    .parse(body)
    .items.map((order) => order.id)
}
const queued = async () => (await shop.suite.sql('select from orders.order_search_queue')).length
const indexed = () => waitFor('the search', async () => (await queued()) === 0)

describe('orders are indexed for the search', () => {
  test('moments after they were placed or changed', async () => {
    const { id } = await place('soon@mail.example')
    await waitFor('the order', async () => (await found('soon@mail.example')).includes(id))
    await shop.suite.sql(`update orders.orders set payment_reference = 'pay_soon' where id = $1`, [id])
    await waitFor('the payment', async () => (await found('pay_soon')).includes(id))
    expect(await found('pay_soon')).toEqual([id])
  })

  test('by several replicas at once, each of them once, including concurrent changes', async () => {
    const { id } = await place('first@mail.example')
    await shop.suite.sql(
      `insert into orders.orders (id, number, cart_id, email, status, placed_at, document, payment_provider, payment_status)
       select id || each, 'B-' || each, cart_id || each, 'before@mail.example', status, placed_at, document,
         payment_provider, payment_status
       from orders.orders, generate_series(1, $2) as each where id = $1`,
      [id, amount({ quick: 1000, long: 2500 })],
    )
    const replicas = Array.from({ length: 3 }, () => indexOrders(shop.orders.context))
    for (const replica of replicas) replica.wake()
    for (let share = 0; share < 5; share++) {
      await shop.suite.sql(
        `update orders.orders set email = 'after@mail.example', status = 'cancelled'
         where email = 'before@mail.example' and substr(number, 3)::int % 5 = $1`,
        [share],
      )
    }
    await indexed()
    for (const replica of replicas) await replica.stop()
    const wrong = await shop.suite.sql(
      `select o.id from orders.orders o left join orders.order_search s on s.order_id = o.id
       where o.number like 'B-%' and (s.status is distinct from 'cancelled'
         or not s.words @@ '''after@mail.example''' or s.words @@ '''before@mail.example''')`,
    )
    expect(wrong).toEqual([])
  })

  test('without waiting for transactions that change one of them', async () => {
    const { id } = await place('changing@mail.example')
    await indexed()
    await shop.orders.context.db.transaction().execute(async (tx) => {
      await sql`update orders set payment_reference = 'pay_locked' where id = ${id}`.execute(tx)
      // Another transaction queues it at the same time.
      await shop.suite.sql('insert into orders.order_search_queue (order_id) values ($1)', [id])
      const other = await place('other@mail.example')
      await waitFor('the other order', async () => (await found('other@mail.example')).includes(other.id))
      expect(await queued()).toBe(1)
    })
    await waitFor('the payment', async () => (await found('pay_locked')).includes(id))
    await indexed()
  })

  test('after a crash in between', async () => {
    await shop.suite.sql(`
      create function orders.crash() returns trigger language plpgsql as $$ begin raise 'crash'; end $$;
      create trigger crash before insert on orders.order_search execute function orders.crash()`)
    const { id } = await place('crash@mail.example')
    await indexOnce()
    expect([await queued(), await found('crash@mail.example')]).toEqual([1, []])
    await shop.suite.sql('drop function orders.crash cascade')
    await waitFor('the order', async () => (await found('crash@mail.example')).includes(id))
  })

  test('even beside one that cannot be read', async () => {
    const { id } = await place('readable@mail.example')
    await shop.suite.sql(
      `insert into orders.orders (id, number, cart_id, email, status, placed_at, document, payment_provider, payment_status)
       select 'order_odd', 'ODD-1', 'cart_odd', 'odd@mail.example', status, '2000-01-01', '{}', 'demo', 'pending'
       from orders.orders where id = $1`,
      [id],
    )
    await indexed()
    expect(await found('readable@mail.example')).toEqual([id])
    expect(await shop.suite.sql(`select from orders.order_search where words @@ '''odd@mail.example'''`)).toHaveLength(
      1,
    )
  })
})

/** Runs the indexer once, whether it succeeds or fails. */
async function indexOnce(): Promise<void> {
  const replica = indexOrders(shop.orders.context)
  replica.wake()
  await replica.stop()
}
