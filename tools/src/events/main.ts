import { messageOf, StartError } from '../start-error.ts'
import { help, readEventArguments, WrongArguments } from './event-arguments.ts'
import { runEvents } from './run-events.ts'
import { processTerminal } from './terminal.ts'

// Ends with 0 when it is done, 1 when it could not be, 2 for wrong arguments, 130 after Ctrl-C; a tail is meant to end that way.
const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort())
// The reader of our output, such as head, has closed it.
process.stdout.on('error', () => process.exit(0))

const now = new Date()
try {
  const wanted = readEventArguments(process.argv.slice(2), now)
  if (wanted === 'help') process.stdout.write(help)
  else {
    await runEvents(wanted, { env: process.env, terminal: processTerminal(), signal: stopping.signal, now })
    if (stopping.signal.aborted && wanted.command !== 'tail') process.exitCode = 130
  }
} catch (error) {
  const words = error instanceof StartError ? error.message : `Unexpected error: ${messageOf(error)}`
  process.stderr.write(`${stopping.signal.aborted ? 'Stopped.' : words.trimEnd()}\n`)
  process.exitCode = stopping.signal.aborted ? 130 : error instanceof WrongArguments ? 2 : 1
}
