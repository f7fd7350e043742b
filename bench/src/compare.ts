/** The same quantity of both versions, measured one right after the other. */
export interface Pair {
  before: number
  after: number
}

export interface Comparison {
  before: number
  after: number
  /** After divided by before, of the pair in the middle. */
  ratio: number
  /** The smallest and the largest ratio of all pairs. */
  range: readonly [number, number]
  /** Whether all pairs agree on which is larger. */
  differs: boolean
}

/**
 * With fewer pairs, all of them agree by chance too often: five pairs of two equal versions do so in one of sixteen
 * cases.
 */
const LEAST_PAIRS = 5

/**
 * Compares pairs of measurements. The two of a pair were taken within seconds, so that a machine that is slower for
 * minutes slows both. Medians that differ prove nothing as long as some pairs contradict them.
 */
export function compare(pairs: readonly Pair[]): Comparison {
  const ratios = pairs.map(({ before, after }) => after / before).toSorted((one, other) => one - other)
  const range = [ratios[0] ?? NaN, ratios.at(-1) ?? NaN] as const
  return {
    before: median(pairs.map((pair) => pair.before)),
    after: median(pairs.map((pair) => pair.after)),
    ratio: median(ratios),
    range,
    differs: pairs.length >= LEAST_PAIRS && (range[0] > 1 || range[1] < 1),
  }
}

/** @returns NaN for no values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2
}

/** In words, such as `1.31 (1.22 to 1.40)`, or that no difference was seen. */
export function describeRatio({ ratio, range, differs }: Comparison): string {
  const numbers = `${ratio.toFixed(2)} (${range[0].toFixed(2)} to ${range[1].toFixed(2)})`
  return differs ? numbers : `no difference: ${numbers}`
}
