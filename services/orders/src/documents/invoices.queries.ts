import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { Invoice } from './invoice.ts'

export async function findInvoice(db: Database | Tx, orderId: string): Promise<Invoice | undefined> {
  return db
    .selectFrom('invoices')
    .select(['number', 'issued_at as issuedAt', 'shop'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()
}

/** Takes the next number. Until this transaction ends no other invoice gets one, so that a rollback leaves no gap. */
export async function takeInvoiceNumber(tx: Tx): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    insert into invoice_counter (last_number) values (1)
    on conflict (only_row) do update set last_number = invoice_counter.last_number + 1
    returning last_number as number`.execute(tx)
  const [taken] = rows
  if (!taken) throw new Error('there is no next number for an invoice')
  return taken.number
}

export async function insertInvoice(tx: Tx, orderId: string, { number, issuedAt, shop }: Invoice): Promise<void> {
  await tx
    .insertInto('invoices')
    .values({ order_id: orderId, number, issued_at: issuedAt, shop: JSON.stringify(shop) })
    .execute()
}
