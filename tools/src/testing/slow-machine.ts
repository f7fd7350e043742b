import { spawnSync } from 'node:child_process'

/**
 * The same machine may be three times slower on another day, when time limits pass because several files share its
 * processors. The start of a process took 90 ms on such a day, and some 30 on others (docs/decisions/0068).
 */
const SLOW_START_MS = 50

/**
 * Measures CPU time, because on a fast machine other processes that are busy delay a start as well.
 * @returns whether this machine starts processes slowly now, so that fewer test files should run at once
 */
export function isMachineSlow(): boolean {
  return Math.min(...[1, 2, 3].map(() => startMs())) > SLOW_START_MS
}

function startMs(): number {
  const program = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)'
  return Number(spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8' }).stdout)
}
