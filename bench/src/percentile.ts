/** The smallest number that `part` of them do not exceed; 0 when there are none. @param sorted the smallest first */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0
}
