import { createInterface } from 'node:readline/promises'
import { StartError } from '../start-error.ts'

/** Where a command writes and requests confirmation. Tests pass their own. */
export interface Terminal {
  out: (text: string) => void
  /** Writes about the command itself, which is not part of its output. */
  note: (text: string) => void
  /** @throws StartError when there is no terminal to confirm on */
  confirm: (question: string, signal: AbortSignal) => Promise<boolean>
}

/** What a command runs with. */
export interface RunContext {
  /** With the addresses of servers, and the variables of the streams, as the migrate step has them. */
  env: NodeJS.ProcessEnv
  terminal: Terminal
  signal: AbortSignal
  now: Date
}

export function processTerminal(): Terminal {
  return {
    out: (text) => void process.stdout.write(text),
    note: (text) => void process.stderr.write(text),
    async confirm(question, signal) {
      if (!process.stdin.isTTY)
        throw new StartError('There is no terminal to confirm on: add --yes to continue without confirmation.')
      const lines = createInterface({ input: process.stdin, output: process.stderr })
      try {
        return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `, { signal })).trim())
      } finally {
        lines.close()
      }
    },
  }
}
