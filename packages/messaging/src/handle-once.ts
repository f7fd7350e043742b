import { sql, type Kysely, type Transaction } from 'kysely'
import type { ReceivedEvent } from '@storefront/contracts'
import { transaction, type AnyTransaction } from '@storefront/postgres'
import { withRequestId } from '@storefront/service'

/** Gets events of one kind that were not handled before, in the order of the stream; never an empty list. */
export type Handler<Schema, Data> = (tx: Transaction<Schema>, events: ReceivedEvent<Data>[]) => Promise<void>

/** Handles the new ones of these events in one transaction with their receipt. */
export async function handleOnce<Schema, Data>(
  db: Kysely<Schema>,
  consumer: string,
  events: readonly ReceivedEvent<Data>[],
  handler: Handler<Schema, Data>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const ids = events.map((received) => received.id)
    const fresh = await recordReceipt(tx, consumer, ids)
    // A batch may hold an event twice: only the first counts.
    const unhandled = events.filter((received) => fresh.delete(received.id))
    if (unhandled.length === 0) return
    // The effects of a batch belong to several requests; only a single event can pass on its request id.
    const requestId = unhandled.length === 1 ? unhandled[0]?.requestId : undefined
    await withRequestId(requestId, () => handler(tx, unhandled))
  })
}

/** Records receipts of events. @returns the ids that were new to this consumer */
async function recordReceipt(tx: AnyTransaction, consumer: string, ids: string[]): Promise<Set<string>> {
  // In the order of the ids, so that two replicas that got the same events cannot deadlock.
  const { rows } = await sql<{ event_id: string }>`
    insert into inbox (consumer, event_id)
    select ${consumer}, id from (select distinct unnest(${ids}::text[]) as id order by 1) as ids
    on conflict do nothing returning event_id`.execute(tx)
  return new Set(rows.map((row) => row.event_id))
}

/** Deletes receipts that are older than any event on the stream. */
export async function deleteOldReceipts<Schema>(db: Kysely<Schema>): Promise<void> {
  await sql`delete from inbox where received_at < now() - interval '14 days'`.execute(db)
}
