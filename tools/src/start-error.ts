/** An error whose message is one sentence for the person at the terminal, with what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
