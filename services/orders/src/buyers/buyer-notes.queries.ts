import type { BuyerNote, NamedActor } from '@storefront/contracts'
import type { Database, Row, Tx } from '../database.ts'

type StoredBuyerNote = Row<'buyer_notes'>

/** The maximum number of notes about one buyer. */
export const MAX_NOTES = 200

/** The latest first. */
export async function findBuyerNotes(db: Database, buyerId: string): Promise<StoredBuyerNote[]> {
  return db
    .selectFrom('buyer_notes')
    .selectAll()
    .where('buyer_id', '=', buyerId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_NOTES)
    .execute()
}

export async function countBuyerNotes(tx: Tx, buyerId: string): Promise<number> {
  const { total } = await tx
    .selectFrom('buyer_notes')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('buyer_id', '=', buyerId)
    .executeTakeFirstOrThrow()
  return total
}

export async function insertBuyerNote(tx: Tx, note: StoredBuyerNote): Promise<void> {
  await tx.insertInto('buyer_notes').values(note).execute()
}

/** Locked, so that only one of two concurrent requests deletes it. */
export async function lockBuyerNote(tx: Tx, buyerId: string, id: string): Promise<StoredBuyerNote | undefined> {
  return tx
    .selectFrom('buyer_notes')
    .selectAll()
    .where('id', '=', id)
    .where('buyer_id', '=', buyerId)
    .forUpdate()
    .executeTakeFirst()
}

export async function deleteBuyerNote(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('buyer_notes').where('id', '=', id).execute()
}

/** @param nameOf names the author */
export function shownNote({ id, at, author, text }: StoredBuyerNote, nameOf: (id: string) => NamedActor): BuyerNote {
  return { id, at: at.toISOString(), author, by: nameOf(author), text }
}
