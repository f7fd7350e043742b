import type { ClientBase } from 'pg'
import { replacedSchema } from './backup.queries.ts'

/**
 * Continues the order numbers after all that may have been used since the backup, because two orders must not have the
 * same number. How many were used is unknown when the database is lost. The estimate is twice the number of orders of
 * the busiest hour for every hour since the backup, plus a thousand for new shops. It grows with time, so a second
 * restore of the same backup skips the numbers used after the first. The last number, where it is known, can only
 * raise it.
 * @param lastOrder the last number as far as the caller knows, without the shop's prefix, or 0
 * @param replacesShop whether the schemas that were moved aside hold the last number of the replaced shop
 * @returns the next order number, without the shop's prefix
 */
export async function skipOrderNumbers(
  client: ClientBase,
  { takenAt, lastOrder, replacesShop }: { takenAt: string; lastOrder: number; replacesShop: boolean },
): Promise<number> {
  const { rows } = await client.query<{ next: number }>(
    `select setval('orders.order_numbers', greatest(
       backup.last_value + 1000 + ceil(2 * busiest.orders * extract(epoch from greatest(now() - $1::timestamptz, '0')) / 3600)::bigint,
       $2::bigint
       ${replacesShop ? `, (select last_value from ${replacedSchema('orders')}.order_numbers)` : ''}
     ))::float8 + 1 as next
     from orders.order_numbers as backup, (
       select coalesce(max(orders), 0) as orders
       from (select count(*) as orders from orders.orders group by date_trunc('hour', placed_at)) as hours
     ) as busiest`,
    [takenAt, lastOrder],
  )
  return rows[0]?.next ?? 0
}

/**
 * Continues the numbers of invoices after the last that was given: two invoices must not have the same number. A shop
 * from before there were invoices has no counter.
 * @param lastInvoice the last number as far as the caller knows, or 0
 * @param replacesShop whether the schemas that were moved aside hold the counter of the replaced shop
 * @returns the last number
 */
export async function skipInvoiceNumbers(
  client: ClientBase,
  { lastInvoice, replacesShop }: { lastInvoice: number; replacesShop: boolean },
): Promise<number> {
  const names = ['orders.invoice_counter', ...(replacesShop ? [`${replacedSchema('orders')}.invoice_counter`] : [])]
  const { rows: counters } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [names],
  )
  let last = lastInvoice
  for (const { name } of counters) {
    const { rows } = await client.query<{ last: number }>(`select last_number::float8 as last from ${name}`)
    last = Math.max(last, rows[0]?.last ?? 0)
  }
  // There is no row before the first invoice.
  if (last > 0 && counters.some(({ name }) => name === names[0])) {
    await client.query(
      `insert into orders.invoice_counter (last_number) values ($1)
       on conflict (only_row) do update set last_number = excluded.last_number`,
      [last],
    )
  }
  return last
}
