import { setTimeout } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Consumer } from './consumer.ts'
import type { App } from './http-app.ts'
import type { Messaging } from './messaging.ts'
import type { RedisClient } from './redis.ts'
import type { Stoppable } from './timer.ts'

/**
 * Stops the parts of a service in the only order that loses nothing: for a moment it serves on while it says that it is not
 * ready; then no new requests, questions and events, what is in flight is finished, timers end their run, and only then the
 * connections that all of them use are closed.
 */
export async function stopService<Schema>(parts: {
  app: App
  /** Milliseconds to serve on, until balancers have noticed. */
  delayMs: number
  consumers: readonly Consumer[]
  timers: readonly Stoppable[]
  messaging: Messaging
  redis?: RedisClient
  db: Kysely<Schema>
}): Promise<void> {
  const { app, messaging } = parts
  await announceStop(app, parts.delayMs)
  await Promise.all([app.close(), messaging.stopAnswering(), ...parts.consumers.map((consumer) => consumer.stop())])
  await Promise.all(parts.timers.map((timer) => timer.stop()))
  await messaging.close()
  parts.redis?.disconnect()
  await parts.db.destroy()
}

/**
 * Serves on for a moment, not ready any more and without keeping connections.
 * @param delayMs milliseconds
 */
export async function announceStop(app: { beginStop: () => void }, delayMs: number): Promise<void> {
  app.beginStop()
  if (delayMs > 0) await setTimeout(delayMs)
}
