/**
 * Status codes after which the same request may succeed: too many requests, or a part of the shop is temporarily
 * unavailable.
 */
const TEMPORARY = new Set([429, 502, 503, 504])

const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 5000

/** Whether a response with this status is worth another attempt. */
export function isTemporary(status: number): boolean {
  return TEMPORARY.has(status)
}

/**
 * How long to wait before the next attempt: a random part of a range that doubles with every attempt, so that a
 * thousand browsers that failed together do not retry together. `Retry-After` is the minimum.
 * @param tries made so far, at least 1
 * @param retryAfterMs the delay that the shop requested, if any
 * @param random from 0 up to 1
 */
export function retryDelayMs(tries: number, retryAfterMs: number | undefined, random: number): number {
  const spanMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1))
  return (retryAfterMs ?? 0) + Math.round(random * spanMs)
}

/**
 * Reads the header `Retry-After` as the shop writes it, in seconds.
 * @returns milliseconds; undefined where the header is missing, or holds a date, which only other servers send
 */
export function readRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) * 1000 : undefined
}
