import { setTimeout } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Consumer } from './consumer.ts'
import type { App } from './http-app.ts'
import type { Messaging } from './messaging.ts'
import type { RedisClient } from './redis.ts'
import type { Stoppable } from './timer.ts'

/**
 * Stops the parts of a service in the only order that loses nothing: for a moment it continues to serve while it
 * reports that it is not ready; then it accepts no new requests and events, finishes those in flight, ends the current
 * run of its timers, and only then closes the connections that all of them use.
 */
export async function stopService<Schema>(parts: {
  app: App
  /** Milliseconds to continue serving, until load balancers have noticed. */
  delayMs: number
  consumers: readonly Consumer[]
  timers: readonly Stoppable[]
  messaging: Messaging
  redis?: RedisClient
  db: Kysely<Schema>
}): Promise<void> {
  const { app, messaging } = parts
  await announceStop(app, parts.delayMs)
  await Promise.all([app.close(), messaging.stopReplying(), ...parts.consumers.map((consumer) => consumer.stop())])
  await Promise.all(parts.timers.map((timer) => timer.stop()))
  await messaging.close()
  parts.redis?.disconnect()
  await parts.db.destroy()
}

/**
 * Continues to serve for a moment, reporting not ready and closing connections after each response.
 * @param delayMs milliseconds
 */
export async function announceStop(app: { beginStop: () => void }, delayMs: number): Promise<void> {
  app.beginStop()
  if (delayMs > 0) await setTimeout(delayMs)
}
