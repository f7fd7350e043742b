import { batchCalls } from '@storefront/jobs'
import type { WorkerContext } from '../context.ts'
import { markHandedOver } from './mails.queries.ts'

/** Mails that become ready within this time are recorded with one commit. */
const GATHER_MS = 4

/**
 * Records that mails are handed over, those of the same few milliseconds in one statement. If the statement fails, none
 * of its mails was handed over, and all are retried.
 * @returns resolves when the end of this mail may be sent; rejects when it must not
 */
export function createHandedOverMarker({
  db,
  worker,
  leaseMs,
}: Pick<WorkerContext, 'db' | 'worker' | 'leaseMs'>): (id: string) => Promise<void> {
  return batchCalls(GATHER_MS, async (ids) => {
    const mine = await markHandedOver(db, { ids, worker, leaseMs })
    return (id) => {
      // This worker no longer holds the mail: another one may send it.
      if (!mine.has(id)) throw new Error('the claim on this mail was lost')
    }
  })
}
