import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { compare, describeRatio, median, type Comparison, type Pair } from './compare.ts'
import { cpuTimesOf, timePerPiece, type CpuTimes } from './cpu-time.ts'
import type { Measurement } from './measure.ts'
import type { Scenario, Target } from './scenarios.ts'

/** A shop is quiet when it uses less than this part of a processor: its mails and webhooks are sent. */
const QUIET = 0.1
const LOOK_MS = 500
/**
 * Before each round: the memory of a shop that was idle may be out of all caches, or even taken back by the system. Of
 * two rounds of one version in a row, the second sold up to twice as much.
 */
const WARM_UP_SECONDS = 3
const LONGEST_WAIT_MS = 120_000

const Started = z.object({
  target: z.object({
    url: z.string(),
    natsUrl: z.string(),
    slugs: z.array(z.string()),
    variantIds: z.array(z.string()),
    hotVariantId: z.string(),
  }),
  processes: z.record(z.string(), z.int()),
})

interface ComparedShop {
  target: Target
  /** Their CPU time counts. */
  processes: Readonly<Record<string, number | undefined>>
}

interface Round extends Measurement {
  /** Processor milliseconds of one piece of work, with what it causes afterwards. */
  msPerPiece: number
  byPart: string
}

type ShopPair = Record<'before' | 'after', ComparedShop>
type RoundPair = Record<'before' | 'after', Round>

/**
 * Starts a shop in a process of its own.
 * @param program of the folder: it sends the parent process what `Started` describes
 * @param variables that tell it what to start
 */
export async function openComparedShop(
  folder: string,
  program: string,
  variables: Record<string, string>,
): Promise<ComparedShop & { close: () => Promise<void> }> {
  const child = fork(join(folder, program), { cwd: folder, env: { ...process.env, ...variables } })
  const ended = once(child, 'exit')
  const [first] = await Promise.race([once(child, 'message'), ended])
  const { success, data } = Started.safeParse(first)
  if (!success) throw new Error(`the shop in ${folder} did not start: its process ended with ${String(first)}`)
  return {
    ...data,
    async close() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/**
 * Measures a scenario in both shops alternately. Both run all the time, and the one that is not measured is quiet.
 * @param speeds gets how fast the machine was between the rounds
 * @returns rows of a table: scenario, quantity, before, after, after / before
 */
export async function measurePairs(
  scenario: Scenario,
  shops: ShopPair,
  { seconds, rounds }: { seconds: number; rounds: number },
  speeds: number[],
): Promise<string[][]> {
  const pairs: RoundPair[] = []
  for (let round = 1; round <= rounds; round++) {
    speeds.push(speedOfMachine())
    // Each shop is first in every second round, for a machine that becomes slower or faster.
    const isBeforeFirst = round % 2 === 1
    const first = await measure(scenario, isBeforeFirst ? shops.before : shops.after, seconds)
    const second = await measure(scenario, isBeforeFirst ? shops.after : shops.before, seconds)
    const pair = isBeforeFirst ? { before: first, after: second } : { before: second, after: first }
    pairs.push(pair)
    const shown = [pair.before, pair.after].map(({ perSecond }) => `${Math.round(perSecond)}/s`).join(' and ')
    console.error(`${scenario.name}: round ${round} of ${rounds}, ${shown}`)
  }
  speeds.push(speedOfMachine())
  return tableRows(scenario, pairs)
}

async function measure(scenario: Scenario, shop: ComparedShop, seconds: number): Promise<Round> {
  await scenario.run(shop.target, Math.min(WARM_UP_SECONDS, seconds))
  const before = await waitUntilIdle(shop)
  const measured = await scenario.run(shop.target, seconds)
  const after = await waitUntilIdle(shop)
  const pieces = measured.perSecond * seconds
  return {
    ...measured,
    msPerPiece: (sumOf(after) - sumOf(before)) / Math.max(1, pieces),
    byPart: timePerPiece(before, after, pieces),
  }
}

const sumOf = (times: CpuTimes) => [...times.values()].reduce((sum, ms) => sum + ms, 0)

/** Waits until the shop has done what follows its work. @returns its CPU time then */
async function waitUntilIdle({ processes }: ComparedShop): Promise<CpuTimes> {
  const untilMs = performance.now() + LONGEST_WAIT_MS
  let times = await cpuTimesOf(processes)
  while (performance.now() < untilMs) {
    await setTimeout(LOOK_MS)
    const next = await cpuTimesOf(processes)
    const used = sumOf(next) - sumOf(times)
    times = next
    if (used < QUIET * LOOK_MS) return times
  }
  throw new Error(`the shop was not quiet within ${LONGEST_WAIT_MS / 1000} s after its load`)
}

function tableRows({ name, unit }: Scenario, rounds: readonly RoundPair[]): string[][] {
  const comparisonOf = (valueOf: (round: Round) => number) =>
    compare(rounds.map(({ before, after }): Pair => ({ before: valueOf(before), after: valueOf(after) })))
  const row = (quantity: string, found: Comparison, digits: number) => [
    name,
    quantity,
    found.before.toLocaleString('en-US', { maximumFractionDigits: digits }),
    found.after.toLocaleString('en-US', { maximumFractionDigits: digits }),
    describeRatio(found),
  ]
  const last = rounds.at(-1)
  const failures = (side: 'before' | 'after') => String(rounds.reduce((sum, each) => sum + each[side].failures, 0))
  return [
    row(
      `${unit} a second`,
      comparisonOf(({ perSecond }) => perSecond),
      0,
    ),
    row(
      'CPU ms each',
      comparisonOf(({ msPerPiece }) => msPerPiece),
      3,
    ),
    row(
      'p99 ms',
      comparisonOf(({ p99Ms }) => p99Ms),
      1,
    ),
    [name, 'failures', failures('before'), failures('after'), ''],
    [name, 'CPU ms, last round', last?.before.byPart ?? '', last?.after.byPart ?? '', ''],
  ]
}

/**
 * How long one processor needs for a fixed piece of work, in milliseconds: the same machine may be half as fast later.
 */
function speedOfMachine(): number {
  const beganMs = performance.now()
  let state = 1
  for (let step = 0; step < 50_000_000; step++) state = (state ^ (state << 5)) + step
  // The result is used, so that the loop is not left out.
  return performance.now() - beganMs + (state === 0.5 ? 1 : 0)
}

export function describeSpeeds(speeds: readonly number[]): string {
  const [least, most] = [Math.min(...speeds), Math.max(...speeds)]
  const steady = `A fixed piece of work took the processor ${median(speeds).toFixed(0)} ms`
  return `${steady} (${least.toFixed(0)} to ${most.toFixed(0)} between the rounds).`
}
