import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { StoredOrder } from './order.ts'

const COLUMNS = sql`id, number, cart_id as "cartId", customer_id as "customerId", email, status, placed_at as "placedAt",
  document, claim, jsonb_build_object('provider', payment_provider, 'status', payment_status, 'method', payment_method,
    'reference', payment_reference) as payment`

export async function findOrder(db: Database | Tx, idOrNumber: string): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`
    select ${COLUMNS} from orders where id = ${idOrNumber} or number = ${idOrNumber}`.execute(db)
  return rows[0]
}

export async function findOrderOfCart(db: Database | Tx, cartId: string): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`select ${COLUMNS} from orders where cart_id = ${cartId}`.execute(db)
  return rows[0]
}

export async function findOrdersOf(db: Database, customerId: string): Promise<StoredOrder[]> {
  const { rows } = await sql<StoredOrder>`
    select ${COLUMNS} from orders where customer_id = ${customerId} order by placed_at desc, id limit 200`.execute(db)
  return rows
}

export async function lockOrder(tx: Tx, id: string): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`select ${COLUMNS} from orders where id = ${id} for update`.execute(tx)
  return rows[0]
}

/**
 * Inserts an order with the next number.
 * @returns the number, or undefined when the cart has an order already
 */
export async function insertOrder(
  tx: Tx,
  order: Omit<StoredOrder, 'number'>,
  numberPrefix: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ number: string }>`
    insert into orders (id, number, cart_id, customer_id, email, status, placed_at, document, payment_provider,
      payment_status, payment_method, payment_reference, claim)
    values (${order.id}, ${numberPrefix} || nextval('order_numbers'), ${order.cartId}, ${order.customerId}, ${order.email},
      ${order.status}, ${order.placedAt}, ${JSON.stringify(order.document)}::jsonb, ${order.payment.provider},
      ${order.payment.status}, ${order.payment.method}, ${order.payment.reference}, ${order.claim})
    on conflict (cart_id) do nothing returning number`.execute(tx)
  return rows[0]?.number
}

export async function savePayment(tx: Tx, order: Pick<StoredOrder, 'id' | 'status' | 'payment'>): Promise<void> {
  await tx
    .updateTable('orders')
    .set({
      status: order.status,
      payment_status: order.payment.status,
      payment_method: order.payment.method,
      payment_reference: order.payment.reference,
    })
    .where('id', '=', order.id)
    .execute()
}
