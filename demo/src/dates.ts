const dayMs = 86_400_000

/** A moment about `days` before `now`, at a working hour, so that a list does not look loaded in one go. */
export function daysBefore(now: Date, days: number, random: () => number): string {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs
  const minutes = 8 * 60 + Math.floor(random() * 10 * 60)
  // One day more, because the time of day may not have come yet today.
  return new Date(midnight - days * dayMs + minutes * 60_000 - dayMs).toISOString()
}
