import { Counter, Histogram, Registry } from 'prom-client'

/**
 * The registry of all metrics of this process. There is one, and metrics are made where their file is loaded: counts
 * belong to the process, like its memory. Two services in one process, as in tests, add up.
 */
export const registry = new Registry()

/**
 * Makes a counter. Values of labels come from the code, never from a request: each value makes a permanent series.
 * @param name ends in `_total`
 */
export function counter<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
): Counter<Label> {
  return new Counter({ name, help, labelNames: [...labelNames], registers: [registry] })
}

/**
 * Makes a histogram; its labels follow the same rule.
 * @param name with its unit
 * @param buckets upper bounds, in that unit
 */
export function histogram<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  buckets: readonly number[],
): Histogram<Label> {
  return new Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets], registers: [registry] })
}

/** Upper bounds in seconds for work that a shopper waits for. */
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
