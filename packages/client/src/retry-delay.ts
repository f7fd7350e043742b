/** Answers after which the same request may well succeed: too many requests, or a part of the shop is away for a moment. */
const PASSING = new Set([429, 502, 503, 504])

const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 5000

/** Whether an answer of this status is worth another try. */
export function isPassing(status: number): boolean {
  return PASSING.has(status)
}

/**
 * How long to wait before the next try: a random part of a span that doubles with every try, so that a thousand browsers
 * that failed together do not come back together. `Retry-After` is the least.
 * @param tries made so far, at least 1
 * @param retryAfterMs what the shop asked for, if it did
 * @param random from 0 up to 1
 */
export function retryDelayMs(tries: number, retryAfterMs: number | undefined, random: number): number {
  const spanMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1))
  return (retryAfterMs ?? 0) + Math.round(random * spanMs)
}

/**
 * Reads the header `Retry-After` as the shop writes it, in seconds.
 * @returns milliseconds; undefined where the header is missing, or a date as only others write it
 */
export function readRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) * 1000 : undefined
}
