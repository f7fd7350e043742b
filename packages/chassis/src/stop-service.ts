import type { Kysely } from 'kysely'
import type { Consumer } from './consumer.ts'
import type { App } from './http-app.ts'
import type { Messaging } from './messaging.ts'
import type { RedisClient } from './redis.ts'
import type { Stoppable } from './timer.ts'

/**
 * Stops the parts of a service in the only order that loses nothing: no new requests and no
 * new events, what is in flight is finished, timers end their run, and only then the connections that all of them use are
 * closed.
 */
export async function stopService<Schema>(parts: {
  app: App
  consumers: readonly Consumer[]
  timers: readonly Stoppable[]
  messaging: Messaging
  redis?: RedisClient
  db: Kysely<Schema>
}): Promise<void> {
  await Promise.all([parts.app.close(), ...parts.consumers.map((consumer) => consumer.stop())])
  await Promise.all(parts.timers.map((timer) => timer.stop()))
  await parts.messaging.close()
  parts.redis?.disconnect()
  await parts.db.destroy()
}
