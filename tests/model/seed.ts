import type { Mode } from './worlds.ts'

export interface Replay {
  mode: Mode
  seed: number
  path: string
}

/** A seed for the generator, another one each time: every run explores. */
export function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}

/** Reads what a failure has printed. @throws Error when it is something else */
export function replayOf(text: string | undefined): Replay | undefined {
  if (text === undefined || text === '') return undefined
  const [, mode, seed, path] = /^(demo|api|redirect):(-?\d+):(.+)$/.exec(text) ?? []
  if ((mode !== 'demo' && mode !== 'api' && mode !== 'redirect') || seed === undefined || path === undefined)
    throw new Error(`MODEL_REPLAY must be as a failure prints it (mode:seed:path), not "${text}"`)
  return { mode, seed: Number(seed), path }
}

/** Prints a line of progress or a report. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
