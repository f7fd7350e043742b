import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'

const DAYS = 730
/** Small enough that a transaction does not keep others waiting. */
const AT_ONCE = 20_000
const POLL_MS = 500

/**
 * Fills a shop with orders: copies of those that it has, by different buyers, over two years. Waits until the services
 * have counted and indexed them.
 * @param count how many orders the shop has afterwards
 */
export async function copyOrders(adminUrl: string, count: number, copied: (orders: number) => void): Promise<void> {
  const url = new URL(adminUrl)
  url.pathname = '/shop'
  const client = new Client({ connectionString: url.toString() })
  await client.connect()
  try {
    for (let first = 1; first <= count; first += AT_ONCE) {
      const last = Math.min(count, first + AT_ONCE - 1)
      await client.query('begin')
      for (const statement of COPY) await client.query(statement, [first, last])
      await client.query('commit')
      copied(last)
    }
    for (;;) {
      const { rows } = await client.query<{ waiting: boolean }>(WAITING)
      if (rows[0]?.waiting !== true) return
      await setTimeout(POLL_MS)
    }
  } finally {
    await client.end()
  }
}

const WAITING = `
  select exists (select from orders.order_search_queue) or exists (select from orders.sales_changes)
    or exists (select from orders.buyer_changes) as waiting`

/** The place of a copy among all: half of the buyers order once, the others four times. */
const BUYER = `case when copy % 2 = 0 then copy else copy % 50000 end`

const COPY = [
  `insert into orders.orders (id, number, cart_id, email, status, placed_at, document, payment_provider,
     payment_status, payment_reference, captured_minor)
   select 'order_copy' || copy, 'C-' || copy, 'cart_copy' || copy, 'buyer' || ${BUYER} || '@example.com',
     case when copy % 50 = 0 then 'paid' else 'delivered' end,
     now() - (copy % ${DAYS}) * interval '1 day' - (copy % 1440) * interval '1 minute', original.document,
     original.payment_provider, 'captured', 'copy' || copy, original.total_minor
   from generate_series($1::int, $2::int) copy
   join (select *, row_number() over (order by id) - 1 as place, count(*) over () as originals
     from orders.orders where id not like 'order_copy%') original on original.place = copy % original.originals`,
  `insert into orders.order_timeline (order_id, at, kind, detail)
   select copied.id, copied.placed_at, 'payment_captured',
     jsonb_build_object('amount', copied.captured_minor, 'currency', copied.document #>> '{total,currency}')
   from generate_series($1::int, $2::int) copy join orders.orders copied on copied.id = 'order_copy' || copy`,
]
