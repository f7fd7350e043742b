import { createHistogram } from 'node:perf_hooks'
import { percentile } from './percentile.ts'

export interface Measurement {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Responses that the scenario did not expect; the table shows their number. */
  failures: number
}

/**
 * Keeps `callers` callers busy with `work` for `seconds` and measures each piece of work from its start to its end.
 * @param work is given the caller's number and how often it was called before
 */
export async function keepBusy(
  callers: number,
  seconds: number,
  work: (caller: number, turn: number) => Promise<void>,
): Promise<Measurement> {
  const histogram = createHistogram()
  const endMs = performance.now() + seconds * 1000
  let failures = 0
  const startMs = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let turn = 0; performance.now() < endMs; turn++) {
        const began = process.hrtime.bigint()
        try {
          await work(caller, turn)
        } catch {
          failures++
        }
        histogram.record(process.hrtime.bigint() - began || 1n)
      }
    }),
  )
  const elapsedSeconds = (performance.now() - startMs) / 1000
  return {
    perSecond: (histogram.count - failures) / elapsedSeconds,
    p50Ms: histogram.percentile(50) / 1e6,
    p99Ms: histogram.percentile(99) / 1e6,
    failures,
  }
}

/** The same for work that must not fail. @throws Error when any did, with the first failure as its cause */
export async function keepBusyWithoutFailure(
  callers: number,
  seconds: number,
  work: (caller: number, turn: number) => Promise<void>,
): Promise<Measurement> {
  const failures: unknown[] = []
  const measured = await keepBusy(callers, seconds, async (caller, turn) => {
    try {
      await work(caller, turn)
    } catch (error) {
      failures.push(error)
      throw error
    }
  })
  if (failures.length > 0) throw new Error(`failed ${failures.length} times`, { cause: failures[0] })
  return measured
}

/** Measures work that is done one time after the other; the first tenth does not count. */
export async function measureOneByOne(
  times: number,
  work: () => Promise<unknown>,
): Promise<Pick<Measurement, 'p50Ms' | 'p99Ms'>> {
  const tookMs: number[] = []
  for (let turn = -Math.ceil(times / 10); turn < times; turn++) {
    const begunMs = performance.now()
    await work()
    if (turn >= 0) tookMs.push(performance.now() - begunMs)
  }
  tookMs.sort((one, other) => one - other)
  return { p50Ms: percentile(tookMs, 0.5), p99Ms: percentile(tookMs, 0.99) }
}

export function shownTimes({ p50Ms, p99Ms }: Pick<Measurement, 'p50Ms' | 'p99Ms'>): string {
  return `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`
}

/**
 * Measures work while other work runs beside it, whose failures count as well: otherwise a scenario that names both
 * could measure only one of them.
 */
export async function measureDuring(
  measured: Promise<Measurement>,
  beside: Promise<Pick<Measurement, 'failures'>>,
): Promise<Measurement> {
  const [measurement, { failures }] = await Promise.all([measured, beside])
  return { ...measurement, failures: measurement.failures + failures }
}

/** The round with the middle rate: one slow moment of a shared machine does not count. */
export function medianRound(rounds: readonly Measurement[]): Measurement {
  const sorted = rounds.toSorted((one, other) => one.perSecond - other.perSecond)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error('nothing was measured')
  return { ...middle, failures: rounds.reduce((sum, round) => sum + round.failures, 0) }
}
