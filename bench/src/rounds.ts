import type { RunningShop } from '@storefront/tools/launch'
import { cpuTimes, timePerPiece } from './cpu-time.ts'
import { medianRound, type Measurement } from './measure.ts'

export interface Rounds {
  seconds: number
  rounds: number
}

export interface Measured {
  measured: Measurement
  /** Processor milliseconds of one piece of work, by process. */
  time: string
}

/** Warms up, then measures the rounds of one scenario and what they cost the processor. */
export async function runRounds(
  { shop, name, run }: { shop: RunningShop; name: string; run: (seconds: number) => Promise<Measurement> },
  { seconds, rounds }: Rounds,
): Promise<Measured> {
  await run(Math.min(3, seconds)) // Warms caches and the compilers.
  const measured: Measurement[] = []
  const before = await cpuTimes(shop)
  for (let round = 1; round <= rounds; round++) {
    measured.push(await run(seconds))
    console.error(`${name}: round ${round} of ${rounds}, ${Math.round(measured.at(-1)?.perSecond ?? 0)}/s`)
  }
  const pieces = measured.reduce((sum, round) => sum + round.perSecond * seconds, 0)
  return { measured: medianRound(measured), time: timePerPiece(before, await cpuTimes(shop), pieces) }
}
