import { setTimeout } from 'node:timers/promises'

/**
 * Continues to serve for a moment, reporting not ready and closing connections after each response, until load
 * balancers have noticed.
 * @param delayMs milliseconds
 */
export async function announceStop(app: { beginStop: () => void }, delayMs: number): Promise<void> {
  app.beginStop()
  if (delayMs > 0) await setTimeout(delayMs)
}
