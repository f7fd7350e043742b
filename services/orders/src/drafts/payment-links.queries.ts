import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

/** Makes this the only link of a draft. */
export async function replaceLink(tx: Tx, draftId: string, tokenHash: Buffer): Promise<void> {
  await tx.deleteFrom('payment_links').where('draft_id', '=', draftId).execute()
  await tx.insertInto('payment_links').values({ token_hash: tokenHash, draft_id: draftId }).execute()
}

/**
 * Lets this token open the link with this number as well: the key may have changed since the link was sent, and with it
 * the token. It waits while the draft is being sent again, which ends the link.
 * @returns when the link expires; undefined when it has ended
 */
export async function addToLink(
  db: Database,
  { draftId, linkNumber, tokenHash, now }: { draftId: string; linkNumber: number; tokenHash: Buffer; now: Date },
): Promise<Date | undefined> {
  const { rows } = await sql<{ expiresAt: Date | null }>`
    with sent as (
      select id, expires_at from draft_orders
      where id = ${draftId} and link_number = ${linkNumber} and status = 'sent' and expires_at > ${now} for share
    ), added as (
      insert into payment_links (token_hash, draft_id) select ${tokenHash}::bytea, id from sent on conflict do nothing
    )
    select expires_at as "expiresAt" from sent`.execute(db)
  return rows[0]?.expiresAt ?? undefined
}

/** The draft that a token opens. It is found by the digest, so the response time reveals nothing about the token. */
export async function findLinkedDraft(db: Database, tokenHash: Buffer): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select draft_id as id from payment_links where token_hash = ${tokenHash}`.execute(db)
  return rows[0]?.id
}
