/**
 * Prints that a test did not run, and what is missing, because a skipped test is easily overlooked among a thousand
 * passed ones.
 */
export function printSkipped(what: string, reason: string): void {
  process.stderr.write(`\n\n  SKIPPED: ${what} was NOT tested. ${reason}\n\n`)
}
