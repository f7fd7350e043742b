/**
 * Turns counts into whole percentages that sum to 100 (largest remainder). All zero stays all zero.
 * @returns one percentage for each count, in the same order
 */
export function percentagesOf(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return counts.map(() => 0)
  const exact = counts.map((count) => (count * 100) / total)
  const floors = exact.map(Math.floor)
  let left = 100 - floors.reduce((sum, floor) => sum + floor, 0)
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .toSorted((one, other) => other.remainder - one.remainder || one.index - other.index)
  for (const { index } of byRemainder) {
    if (left === 0) break
    floors[index] = (floors[index] ?? 0) + 1
    left--
  }
  return floors
}
