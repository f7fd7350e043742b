import type { Database, Row, Tx } from '../database.ts'

type OrderNote = Row<'order_notes'>

export async function insertNote(tx: Tx, note: OrderNote): Promise<void> {
  await tx.insertInto('order_notes').values(note).execute()
}

export async function countNotes(tx: Tx, orderId: string): Promise<number> {
  const { total } = await tx
    .selectFrom('order_notes')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return total
}

export async function findNote(db: Database | Tx, orderId: string, id: string): Promise<OrderNote | undefined> {
  return db
    .selectFrom('order_notes')
    .selectAll()
    .where('id', '=', id)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
}

/** @returns false when it was deleted by another request */
export async function deleteNote(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('order_notes').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
