import { setTimeout } from 'node:timers/promises'
import type { Stoppable } from './timer.ts'

/**
 * Stops the parts of a service in the only order that loses nothing: for a moment it continues to serve while it
 * reports that it is not ready; then it accepts no new requests and events, finishes those in flight, ends the current
 * run of its timers, and only then closes the connections that all of them use.
 */
export async function stopService(parts: {
  app: { beginStop(): void; close(): PromiseLike<unknown> }
  /** Milliseconds to continue serving, until load balancers have noticed. */
  delayMs: number
  consumers: readonly Stoppable[]
  timers: readonly Stoppable[]
  messaging: { stopReplying(): Promise<void>; close(): Promise<void> }
  redis?: { disconnect(): void }
  db: { destroy(): Promise<void> }
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
