import { z } from 'zod'
import { Step } from './actions.ts'

/** The checkout mode of the shop. */
export const Mode = z.enum(['demo', 'api', 'redirect'])
export type Mode = z.output<typeof Mode>

/**
 * The data that a failure prints: the steps themselves, so that it does not matter how they were generated or
 * shortened.
 */
const Replay = z.strictObject({ mode: Mode, steps: z.array(Step) })
export type Replay = z.output<typeof Replay>

/** A random seed for the generator, so that every run explores other sequences. */
export function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}

/** Parses what a failure has printed. @throws Error when the text is something else */
export function replayOf(text: string | undefined): Replay | undefined {
  return text === undefined || text === '' ? undefined : Replay.parse(JSON.parse(text))
}

/** Prints a line of progress or a report. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
