import type { NotifierContext } from '../context.ts'
import type { Database } from '../database.ts'
import { abandonDeliveries, deleteDeliveries } from './retention.queries.ts'

/**
 * Keeps the log and the queue from growing forever, in batches, so that no other transaction waits for it.
 * @returns 0: it deletes all of them, unless the service stops
 */
export async function deleteOldDeliveries(
  db: Database,
  before: Date,
  { clock, log, isStopping }: Pick<NotifierContext, 'clock' | 'log'> & { isStopping: () => boolean },
): Promise<number> {
  let abandoned = 0
  let batch
  do {
    batch = await abandonDeliveries(db, before, clock.now())
    abandoned += batch
  } while (batch > 0 && !isStopping())
  if (abandoned > 0) log.warn({ deliveries: abandoned }, 'deliveries to disabled or deleted endpoints were given up')
  let seq: number | undefined = 0
  while (seq !== undefined && !isStopping()) seq = await deleteDeliveries(db, seq, before)
  return 0
}
