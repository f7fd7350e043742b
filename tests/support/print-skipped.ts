/** Tells whoever watches that a test did not run, and what is missing: in the middle of a thousand lines of green it is overlooked. */
export function printSkipped(what: string, reason: string): void {
  process.stderr.write(`\n\n  SKIPPED: ${what} was NOT tested. ${reason}\n\n`)
}
