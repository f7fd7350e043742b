/** This many events share a transaction well: waiting for more would save little. */
const ENOUGH = 16
/** The minimum time from the end of one transaction to the beginning of the next, unless enough events wait. */
const GAP_MS = 50
/** Events that were published together arrive within this time. */
const TOGETHER_MS = 5

/**
 * How long events wait for others to share their transaction: a commit costs more than most effects. After a pause the
 * wait is short, a full batch does not wait at all, and in between transactions are spaced.
 * @param waiting how many events there are
 * @param sinceLastMs how long ago the last transaction ended
 */
export function batchDelayMs(waiting: number, sinceLastMs: number): number {
  return waiting >= ENOUGH ? 0 : Math.max(TOGETHER_MS, GAP_MS - sinceLastMs)
}
