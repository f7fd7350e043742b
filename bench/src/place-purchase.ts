import { newId } from '@storefront/contracts'
import { serverOf } from './merged-orders.ts'
import { serverAt, type OrderServer } from './order-servers.ts'

/** The order that all purchases repeat. */
export interface Sample {
  email: string
  document: unknown
}

/** The statement of the service, with its parameters in order. */
const INSERT_ORDER = `
  with claimed as (
    insert into claims (claim, verdict, decided_at) values ($5, 'ordered', now()) on conflict do nothing returning claim
  ), placed as (
    insert into orders (id, number, cart_id, email, email_canonical, status, placed_at, document, payment_provider,
      payment_status, claim)
    select $1, 'SF-' || nextval('order_numbers'), $2, $3, $3, 'placed', now(), $4::jsonb, 'demo', 'pending', $5
    where (select count(*) from claimed) = 1 on conflict do nothing returning id, number
  ), granted as (
    insert into order_capabilities (order_id, secret_hash)
    select id, sha256($6::bytea) from placed on conflict do nothing
  ), sold as (
    insert into ordered_lines (line_id, order_id) select $7, id from placed on conflict do nothing
  ), noted as (
    insert into order_timeline (order_id, at, kind) select id, now(), 'placed' from placed
  )
  select substr(number, 4)::int as number from placed`

/** A new cart, its order with the event, and the end of the cart, all on one server. @returns the order's number */
export async function placePurchase(servers: readonly OrderServer[], cartId: string, sample: Sample): Promise<number> {
  const { pool } = serverAt(servers, serverOf(cartId, servers.length))
  const [id, document] = [newId('order'), JSON.stringify(sample.document)]
  const client = await pool.connect()
  try {
    await client.query(
      `insert into cart.carts (id, created_at, expires_at) values ($1, now(), now() + interval '30 days')`,
      [cartId],
    )
    await client.query('begin')
    const { rows } = await client.query<{ number: number }>({
      name: 'order',
      text: INSERT_ORDER,
      values: [id, cartId, sample.email, document, `${newId('reservation')}.1`, Buffer.from(id), newId('line')],
    })
    await client.query(`insert into outbox (event_id, name, payload) values ($1, 'order.placed', $2)`, [
      newId('event'),
      document,
    ])
    await client.query('commit')
    await client.query(`update cart.carts set status = 'converted', version = version + 1 where id = $1`, [cartId])
    const [placed] = rows
    if (placed === undefined) throw new Error(`the order of ${cartId} was not placed`)
    client.release()
    return placed.number
  } catch (error) {
    client.release(true)
    throw error
  }
}
