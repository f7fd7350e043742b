/** Up to this part is added to a pause, so that what failed together is not tried again together. */
export const JITTER = 0.2

/** @param random from 0 to 1 */
export function withJitter(pauseMs: number, random: number): number {
  return Math.round(pauseMs * (1 + JITTER * random))
}

/**
 * The pause after some failures in a row: `firstMs` after the first, and `factor` times as long after each further one,
 * up to `longestMs`.
 */
export function growingPauseMs(
  failures: number,
  { firstMs, factor, longestMs }: { firstMs: number; factor: number; longestMs: number },
): number {
  return Math.min(longestMs, firstMs * factor ** (failures - 1))
}
