import { z } from 'zod'
import { Step } from './actions.ts'

/** How the shop sells. */
export const Mode = z.enum(['demo', 'api', 'redirect'])
export type Mode = z.output<typeof Mode>

/** What a failure prints: the steps themselves, so that it does not matter how they were generated and shortened. */
const Replay = z.strictObject({ mode: Mode, steps: z.array(Step) })
export type Replay = z.output<typeof Replay>

/** A seed for the generator, another one each time: every run explores. */
export function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}

/** Reads what a failure has printed. @throws Error when it is something else */
export function replayOf(text: string | undefined): Replay | undefined {
  return text === undefined || text === '' ? undefined : Replay.parse(JSON.parse(text))
}

/** Prints a line of progress or a report. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
