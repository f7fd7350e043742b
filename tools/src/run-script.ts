import type { ParseArgsOptionsConfig } from 'node:util'
import { readOptions } from './read-options.ts'
import { reportFailure } from './start-error.ts'

const HELP = { help: { type: 'boolean', short: 'h' } } as const

interface Script<Options> {
  /** As it is typed, such as `npm run access`. */
  command: string
  help: string
  /** Besides `--help`. */
  options: Options
  /** How many other arguments it takes; none by default. */
  most?: number
  /** What the message about an unexpected error says has failed; the command by default. */
  what?: string
}

type Given<Options extends ParseArgsOptionsConfig> = ReturnType<typeof readOptions<Options & typeof HELP>>

/** Prints the help of a script, or does its work. After an error it prints one line, and the exit code is 1. */
export async function runScript<const Options extends ParseArgsOptionsConfig>(
  { command, help, options, most = 0, what = command }: Script<Options>,
  work: (given: Given<Options>) => Promise<void>,
): Promise<void> {
  try {
    const given = readOptions<Options & typeof HELP>(command, { ...options, ...HELP }, { most })
    if ('help' in given.values) process.stdout.write(help)
    else await work(given)
  } catch (error) {
    reportFailure(what, error)
  }
}
