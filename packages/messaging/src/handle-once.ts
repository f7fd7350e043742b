import type { Kysely, Transaction } from 'kysely'
import type { ReceivedEvent } from '@storefront/contracts'
import { transaction } from '@storefront/postgres'
import { withRequestId } from '@storefront/service'
import { isKnownReceipt, recordNewReceipts, recordReceipts } from './receipts.ts'

/** Gets events of one kind that were not handled before, in the order of the stream; never an empty list. */
export type Handler<Schema, Data> = (tx: Transaction<Schema>, events: ReceivedEvent<Data>[]) => Promise<void>

/**
 * Handles the new ones of these events in one transaction with their receipt. Nearly always all are new: their receipts
 * are sent with the first statement of the handler. When one is not, that statement fails, and the handler runs again
 * without it.
 */
export async function handleOnce<Schema, Data>(
  db: Kysely<Schema>,
  consumer: string,
  events: readonly ReceivedEvent<Data>[],
  handler: Handler<Schema, Data>,
): Promise<void> {
  const ids = events.map((received) => received.id)
  try {
    await transaction(db, async (tx) => {
      await recordNewReceipts(tx, consumer, ids)
      await handle(tx, new Set(ids))
    })
  } catch (error) {
    if (!isKnownReceipt(error)) throw error
    await transaction(db, async (tx) => handle(tx, await recordReceipts(tx, consumer, ids)))
  }

  async function handle(tx: Transaction<Schema>, fresh: Set<string>): Promise<void> {
    // A batch may hold an event twice: only the first counts.
    const unhandled = events.filter((received) => fresh.delete(received.id))
    if (unhandled.length === 0) return
    // The effects of a batch belong to several requests; only a single event can pass on its request id.
    const requestId = unhandled.length === 1 ? unhandled[0]?.requestId : undefined
    await withRequestId(requestId, () => handler(tx, unhandled))
  }
}
