import type { Operation } from './operation.ts'
import { ofKind } from './operation.ts'

/**
 * Finds the longest time in a window in which no checkout succeeded, from its beginning to its end.
 * @returns its length and beginning in milliseconds
 */
export function longestGap(
  operations: readonly Operation[],
  fromMs: number,
  toMs: number,
): { lengthMs: number; fromMs: number } {
  const ends = ofKind(operations, 'checkout')
    .filter(({ outcome, endedAtMs }) => outcome === 'ok' && endedAtMs > fromMs && endedAtMs < toMs)
    .map(({ endedAtMs }) => endedAtMs)
    .toSorted((one, other) => one - other)
  let longest = { lengthMs: 0, fromMs }
  let sinceMs = fromMs
  for (const endMs of [...ends, toMs]) {
    if (endMs - sinceMs > longest.lengthMs) longest = { lengthMs: endMs - sinceMs, fromMs: sinceMs }
    sinceMs = endMs
  }
  return longest
}

/**
 * Counts the operations that failed, of those that ended in a window.
 * @returns the number of each, by kind of operation and status with code, or the kind of the error
 */
export function errorsSeen(operations: readonly Operation[], fromMs: number, toMs: number): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { action, outcome, endedAtMs, status, code, errorKind } of operations) {
    if (outcome === 'ok' || endedAtMs < fromMs || endedAtMs > toMs) continue
    const cause = status === undefined ? (errorKind ?? 'no end') : [status, code ?? 'without code'].join(' ')
    const name = `${action.kind}: ${cause}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
