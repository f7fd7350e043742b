import { isOutage } from '@storefront/postgres'
import type { Log } from '@storefront/service'

/**
 * Does the work of a queue. When the database or NATS is not available, the rows wait, and only a debug line says so:
 * the health check of the service reports the outage.
 * @param queue.name for the log
 * @throws every other error
 */
export async function tolerateOutage(queue: { name: string; log: Log }, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isOutage(error)) throw error
    queue.log.debug({ err: error, queue: queue.name }, 'a queue waits until the database and NATS are back')
  }
}
