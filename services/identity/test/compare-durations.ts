/** The share of all pairs in which the first value is greater: a half when both lists are alike (Mann-Whitney). */
export function shareOfGreater(one: readonly number[], other: readonly number[]): number {
  const greater = one.reduce((sum, value) => sum + other.filter((compared) => value > compared).length, 0)
  return greater / (one.length * other.length)
}

/**
 * Whether the share of the first 24 samples of each is so close to a half that no more are needed. Simulated: it is in
 * 86 of a hundred runs without a difference, in one with a true share of 0.78, and in one of two thousand with 0.85.
 */
export function isNearHalf(share: number): boolean {
  return Math.abs(share - 0.5) < 0.125
}
