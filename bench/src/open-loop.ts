interface OpenLoop {
  perSecond: number
  count: number
  /** The most calls that may be in progress. */
  atATime: number
  now: () => number
  /** Lets a moment pass. */
  pause: () => Promise<unknown>
  isStopped: () => boolean
  start: (number: number) => Promise<void>
}

/**
 * Starts number n after `n * 1000 / perSecond` ms, whether or not those before it are done. What cannot start in time
 * starts as soon as it can, and its lateness counts.
 * @throws what a start threw, after the others are done
 */
export async function runOpenLoop(loop: OpenLoop): Promise<{ startMs: number; count: number }> {
  const { perSecond, count, atATime, now, pause, isStopped, start } = loop
  const startMs = now()
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  let next = 0
  while (next < count && !isStopped() && failures.length === 0) {
    const due = Math.min(count, Math.floor(((now() - startMs) * perSecond) / 1000) + 1)
    for (; next < due && running.size < atATime; next++) {
      const call: Promise<void> = start(next)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(call))
      running.add(call)
    }
    // The first call that ends makes room for one that is already late.
    await (next < due ? Promise.race([...running, pause()]) : pause())
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
  return { startMs, count: next }
}
