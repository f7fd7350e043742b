import { isOutage } from '@storefront/postgres'
import type { Log } from '@storefront/service'

/**
 * Queued rows wait until the database and NATS are back, so an outage is no error of the queue.
 * @param queue its name, for the log
 * @throws every other error
 */
export async function unlessOutage(
  { name, log }: { name: string; log: Log },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isOutage(error)) throw error
    log.debug({ err: error, queue: name }, 'a queue waits until the database and NATS are back')
  }
}
