const SOON_MS = 3000
const LONGEST_MS = 600_000

/**
 * How long to wait before reading again what waits for a provider: most end within seconds, and one that takes days must
 * not be read twenty times a minute.
 * @param begun when each began that has not ended
 * @returns false when there is none
 */
export function readAgainAfter(begun: readonly string[], now = Date.now()): number | false {
  if (begun.length === 0) return false
  const latest = Math.max(...begun.map((at) => Date.parse(at)))
  return Math.min(LONGEST_MS, Math.max(SOON_MS, (now - latest) / 10))
}
