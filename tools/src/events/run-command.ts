import { messageOf, StartError } from '../start-error.ts'
import { help, readEventArguments, WrongArguments } from './event-arguments.ts'
import { runEvents } from './run-events.ts'
import type { RunContext } from './terminal.ts'

/**
 * Runs `npm run events` with these arguments.
 * @returns the exit code: 0 after success, 1 after an error, 2 for invalid arguments, 130 after the signal, but 0 for
 * `tail`, which ends with the signal
 */
export async function runCommand(args: string[], { env, terminal, signal }: Omit<RunContext, 'now'>): Promise<number> {
  const now = new Date()
  try {
    const wanted = readEventArguments(args, now)
    if (wanted === 'help') {
      terminal.out(help)
      return 0
    }
    await runEvents(wanted, { env, terminal, signal, now })
    return signal.aborted && wanted.command !== 'tail' ? 130 : 0
  } catch (error) {
    const text = error instanceof StartError ? error.message : `Unexpected error: ${messageOf(error)}`
    terminal.note(`${signal.aborted ? 'Stopped.' : text.trimEnd()}\n`)
    if (signal.aborted) return 130
    return error instanceof WrongArguments ? 2 : 1
  }
}
