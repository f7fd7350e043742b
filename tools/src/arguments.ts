import { readOptions } from './read-options.ts'
import { settingsHelp } from './settings-texts.ts'

export const help = (): string => `npm start                 runs the shop; Ctrl-C stops it
npm start -- --reset      deletes the shop's data first
npm start -- --help       shows this

Environment, all optional:
${settingsHelp()}
Without DATABASE_URL, REDIS_URL and NATS_URL these servers run in Docker, or on this machine.
`

export function readArguments(args: readonly string[]): { reset: boolean; help: boolean } {
  const known = { reset: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
  const { reset = false, help = false } = readOptions('npm start', known, { args }).values
  return { reset, help }
}
