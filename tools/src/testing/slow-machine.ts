import { spawnSync } from 'node:child_process'

/**
 * The same machine may be three times slower on another day, when time limits pass because several files share its
 * processors. The start of a process took 90 ms on such a day (docs/decisions/0068).
 */
const SLOW_START_MS = 70

/** @returns whether this machine starts processes slowly now, so that fewer test files should run at once */
export function isMachineSlow(): boolean {
  return Math.min(...[1, 2, 3].map(() => startMs())) > SLOW_START_MS
}

function startMs(): number {
  const began = performance.now()
  spawnSync(process.execPath, ['--eval', ''])
  return performance.now() - began
}
