import { once } from 'node:events'
import { messageOf, StartError } from './start-error.ts'

/** Resolves when the signal aborts, and keeps this process alive until then: its child processes are detached. */
export async function untilStopped(signal: AbortSignal): Promise<void> {
  const keepAlive = setInterval(() => {}, 60_000)
  if (!signal.aborted) await once(signal, 'abort')
  clearInterval(keepAlive)
}

/** What a person at the terminal reads about an error. */
export function errorText(error: unknown): string {
  if (error instanceof StartError) return error.message
  const detail = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
  return `Unexpected error. Please report it:\n${detail}`
}
