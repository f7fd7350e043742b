/** An error whose message is one sentence for the person at the terminal, with what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** Prints why a command failed, in one line, and sets the exit code. @param what failed, such as `npm run access` */
export function reportFailure(what: string, error: unknown): void {
  const text = error instanceof StartError ? error.message : `${what} failed: ${messageOf(error)}`
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
