/** So many share a transaction well: to wait for more would save little. */
const ENOUGH = 16
/** The least time from the end of one transaction to the beginning of the next, unless enough wait. */
const GAP_MS = 50
/** What was published together comes within this. */
const TOGETHER_MS = 5

/**
 * How long events wait for others to share their transaction: a commit costs more than most effects. Whoever comes after a
 * pause hardly waits, a crowd does not wait at all, and those between take turns.
 * @param waiting how many there are
 * @param sinceLastMs how long ago the last transaction ended
 */
export function gatherMs(waiting: number, sinceLastMs: number): number {
  return waiting >= ENOUGH ? 0 : Math.max(TOGETHER_MS, GAP_MS - sinceLastMs)
}
