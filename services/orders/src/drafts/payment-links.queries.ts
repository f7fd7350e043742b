import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

/** Makes this the only link of a draft. */
export async function replaceLink(tx: Tx, draftId: string, tokenHash: Buffer): Promise<void> {
  await tx.deleteFrom('payment_links').where('draft_id', '=', draftId).execute()
  await addLink(tx, draftId, tokenHash)
}

/** The same link by another token. */
export async function addLink(db: Database | Tx, draftId: string, tokenHash: Buffer): Promise<void> {
  await sql`
    insert into payment_links (token_hash, draft_id) values (${tokenHash}, ${draftId})
    on conflict do nothing`.execute(db)
}

/** The draft that a token opens. It is found by the digest, so the time says nothing about the token. */
export async function findLinkedDraft(db: Database, tokenHash: Buffer): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select draft_id as id from payment_links where token_hash = ${tokenHash}`.execute(db)
  return rows[0]?.id
}
