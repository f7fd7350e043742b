import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../start-error.ts'

/** Polls until the condition is true; returns false at the timeout. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs, everyMs = 20 }: { timeoutMs: number; everyMs?: number },
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() >= deadline) return false
    await sleep(everyMs)
  }
  return true
}

/**
 * Checks a server until it responds.
 * @param check rejects while it does not respond yet; with a StartError when waiting is useless
 * @param limits.isOver ends the wait as well
 * @returns undefined when it responds, else the error of the last check
 */
export async function untilResponding(
  check: () => Promise<void>,
  { isOver = () => false, ...limits }: { timeoutMs: number; everyMs?: number; isOver?: () => boolean },
): Promise<unknown> {
  let fault: unknown
  const isDecided = async (): Promise<boolean> => {
    if (isOver()) return true
    fault = await check().then(
      () => undefined,
      (error: unknown) => error,
    )
    return fault === undefined || fault instanceof StartError
  }
  await waitUntil(isDecided, limits)
  return fault
}

/** Rejects when the promise takes longer. The work behind the promise continues, and its result is ignored. */
export async function within<Value>(promise: Promise<Value>, timeoutMs: number, what: string): Promise<Value> {
  const controller = new AbortController()
  const late = sleep(timeoutMs, undefined, { signal: controller.signal }).then((): never => {
    throw new Error(`${what} took longer than ${timeoutMs} ms`)
  })
  late.catch(() => {})
  try {
    return await Promise.race([promise, late])
  } finally {
    controller.abort()
  }
}

/** Stops waiting when the signal aborts; the work itself ends when its server is stopped. */
export async function untilAborted<Value>(signal: AbortSignal | undefined, work: Promise<Value>): Promise<Value> {
  if (!signal) return work
  work.catch(() => {}) // Handled below, or no longer needed.
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const listen = (): void => reject(signal.reason)
  signal.addEventListener('abort', listen, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', listen)
  }
}
