import { runCommand } from './run-command.ts'
import { processTerminal } from './terminal.ts'

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort())
// The reader of our output, such as head, has closed it.
process.stdout.on('error', () => process.exit(0))

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  terminal: processTerminal(),
  signal: stopping.signal,
})
