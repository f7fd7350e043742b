import type { RunningShop } from '@storefront/tools/launch'
import { cpuTimes, timePerPiece } from './cpu-time.ts'
import { medianRound, type Measurement } from './measure.ts'

export interface Rounds {
  seconds: number
  rounds: number
}

interface Measured {
  shop: RunningShop
  name: string
  /** What one of the counted things is. */
  unit: string
  /** As the table shows it. */
  target: string
  run: (seconds: number) => Promise<Measurement>
}

/**
 * Warms up, then measures the rounds of one scenario and what they cost the processor.
 * @returns a row of a table: scenario, measured, p50 ms, p99 ms, target, failures, CPU ms of each
 */
export async function runRounds(
  { shop, name, unit, target, run }: Measured,
  { seconds, rounds }: Rounds,
): Promise<string[]> {
  await run(Math.min(3, seconds)) // Warms caches and the compilers.
  const measured: Measurement[] = []
  const before = await cpuTimes(shop)
  for (let round = 1; round <= rounds; round++) {
    measured.push(await run(seconds))
    console.error(`${name}: round ${round} of ${rounds}, ${Math.round(measured.at(-1)?.perSecond ?? 0)}/s`)
  }
  const pieces = measured.reduce((sum, round) => sum + round.perSecond * seconds, 0)
  const { perSecond, p50Ms, p99Ms, failures } = medianRound(measured)
  const rate = `${Math.round(perSecond).toLocaleString('en-US')} ${unit}/s`
  const time = timePerPiece(before, await cpuTimes(shop), pieces)
  return [name, rate, p50Ms.toFixed(1), p99Ms.toFixed(1), target, String(failures), time]
}
