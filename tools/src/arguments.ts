import { settingsHelp } from './settings-texts.ts'
import { StartError } from './start-error.ts'

export const help = (): string => `npm start                 runs the shop; Ctrl-C stops it
npm start -- --reset      deletes the shop's data first
npm start -- --help       shows this

Environment, all optional:
${settingsHelp()}
Without the three addresses PostgreSQL, Redis and NATS run in Docker, or on this machine.
`

export function readArguments(given: readonly string[]): { reset: boolean; help: boolean } {
  const unknown = given.find((argument) => argument !== '--reset' && argument !== '--help' && argument !== '-h')
  if (unknown !== undefined) throw new StartError(`${unknown} is an unknown argument: see npm start -- --help.`)
  return { reset: given.includes('--reset'), help: given.includes('--help') || given.includes('-h') }
}
