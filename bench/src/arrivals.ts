import type { ArrivalReport } from './event-messages.ts'
import { percentile } from './percentile.ts'

/** When each event of a run arrived at one address, by its number. */
export class Arrivals {
  readonly #first = new Map<number, number>()
  #duplicated = 0

  note(number: number, atMs: number): void {
    if (this.#first.has(number)) this.#duplicated++
    else this.#first.set(number, atMs)
  }

  get count(): number {
    return this.#first.size
  }

  /** Latency counts from when the commit was due, so that a shop that falls behind cannot hide it. */
  report({ startMs, perSecond, count }: { startMs: number; perSecond: number; count: number }): ArrivalReport {
    const latencies = [...this.#first]
      .map(([number, atMs]) => atMs - (startMs + (number * 1000) / perSecond))
      .toSorted((one, other) => one - other)
    return {
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      maxMs: percentile(latencies, 1),
      lost: count - this.#first.size,
      duplicated: this.#duplicated,
      lastMs: [...this.#first.values()].reduce((last, atMs) => Math.max(last, atMs), 0),
    }
  }
}
