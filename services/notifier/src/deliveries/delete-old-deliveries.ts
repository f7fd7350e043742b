import type { NotifierContext } from '../context.ts'
import { abandonDeliveries, deleteDeliveries } from './retention.queries.ts'

/** How long the log reaches back. Longer than an event can stay on the stream, so no event is queued twice. */
const KEPT_MS = 30 * 24 * 3600 * 1000

/** Keeps the log and the queue from growing forever, in batches, so that no other transaction waits for it. */
export async function deleteOldDeliveries({
  db,
  clock,
  log,
}: Pick<NotifierContext, 'db' | 'clock' | 'log'>): Promise<void> {
  const now = clock.now()
  const before = new Date(now.getTime() - KEPT_MS)
  let abandoned = 0
  let batch
  do {
    batch = await abandonDeliveries(db, before, now)
    abandoned += batch
  } while (batch > 0)
  if (abandoned > 0) log.warn({ deliveries: abandoned }, 'deliveries to disabled or deleted endpoints were given up')
  let seq: number | undefined = 0
  while (seq !== undefined) seq = await deleteDeliveries(db, seq, before)
}
