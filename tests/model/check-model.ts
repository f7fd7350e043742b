import * as fc from 'fast-check'
import type { AsyncCommand } from 'fast-check'
import { expect } from 'vitest'
import { waitFor } from '@storefront/tools/testing'
import { expectShopBalanced } from '../support/shop-balance.ts'
import { ITEMS, steps, stepInWords, type Step } from './actions.ts'
import { History } from './history.ts'
import { readLedger } from './ledger.queries.ts'
import { violations } from './laws.ts'
import { Broken, isPossible, performStep, type World } from './perform.ts'
import type { Mode, Replay } from './seed.ts'
import type { ModelShop } from './worlds.ts'

const MOST_COMMANDS = 16
/** How long the test waits for violations that events may still correct. */
const SETTLED_WITHIN_MS = 30_000
/** The same for a sequence that is being shortened. */
const SETTLED_AGAIN_WITHIN_MS = 8000

class Command implements AsyncCommand<History, World> {
  readonly #step: Step

  constructor(step: Step) {
    this.#step = step
  }

  check(history: Readonly<History>): boolean {
    return this.#step.some(({ action }) => isPossible(action, history))
  }

  async run(history: History, world: World): Promise<void> {
    world.figures.count('commands')
    await performStep(this.#step, history, world)
  }

  toString(): string {
    return stepInWords(this.#step)
  }
}

export interface ModelRun {
  mode: Mode
  /** The seed of the generator; each concurrent run gets its own. */
  seed: number
  /** The number of concurrent runs. */
  atOnce: number
  runs: number
  /** No run begins after this time. */
  endsAtMs?: number
  /** How often a shorter sequence is tried before it counts as harmless, because a race does not fail each time. */
  triesWhenShrinking: number
  /** The time after which the shortest sequence found so far is accepted. */
  shrinksForMs: number
}

export interface ModelFailure {
  /** The shortest failing sequence in words, the law that it broke, and how to replay it. */
  report: string
}

/**
 * Runs sequences of commands against a shop, and shortens the first one after which a law does not hold.
 * @returns undefined when every law held
 */
export async function checkModel(model: ModelShop, options: ModelRun): Promise<ModelFailure | undefined> {
  await model.sellBy(options.mode)
  const standing: Standing = { failed: undefined, first: '', shortest: undefined, shrinksUntilMs: 0, running: 0 }
  const lanes = Array.from({ length: options.atOnce }, (_none, lane) => checkLane(model, options, standing, lane))
  return (await Promise.all(lanes)).find((failure) => failure !== undefined)
}

interface Standing {
  /** The lane whose failure is being shortened; the others have ended. */
  failed: number | undefined
  /** The first violation; shortening accepts any violation, and may end with another one. */
  first: string
  /** The last sequence that failed, which is the shortest. */
  shortest: Failed | undefined
  shrinksUntilMs: number
  running: number
}

async function checkLane(
  model: ModelShop,
  options: ModelRun,
  standing: Standing,
  lane: number,
): Promise<ModelFailure | undefined> {
  const { mode, runs, atOnce, triesWhenShrinking, shrinksForMs, endsAtMs = Infinity } = options
  const seed = options.seed + lane
  const commands = fc.commands(
    steps(mode === 'redirect').map((arbitrary) => arbitrary.map((step) => new Command(step))),
    { maxCommands: MOST_COMMANDS, size: 'max', disableReplayLog: true },
  )
  const property = fc.asyncProperty(commands, async (sequence) => {
    if (standing.failed === undefined) {
      if (performance.now() > endsAtMs) return
      standing.running++
      const failed = await runOnce(model, sequence, SETTLED_WITHIN_MS).finally(() => standing.running--)
      if (failed === undefined || standing.failed !== undefined) return
      standing.failed = lane
      standing.first = failed.error.message
      standing.shortest = failed
      standing.shrinksUntilMs = performance.now() + shrinksForMs
      throw failed.error
    }
    if (standing.failed !== lane || performance.now() > standing.shrinksUntilMs) return
    await waitFor('the other runs to end', () => standing.running === 0)
    const failed = await runOften(model, sequence, triesWhenShrinking, SETTLED_AGAIN_WITHIN_MS)
    if (failed === undefined) return
    standing.shortest = failed
    throw failed.error
  })
  const details = await fc.check(property, { seed, numRuns: Math.ceil(runs / atOnce) })
  const { shortest, first } = standing
  if (!details.failed || shortest === undefined) return undefined
  const found = `After run ${details.numRuns} of seed ${seed}, shortened ${details.numShrinks} times`
  return { report: reportOf(mode, shortest, { found, first }) }
}

function reportOf(mode: Mode, { error, done }: Failed, { found, first }: { found: string; first: string }): string {
  const replay: Replay = { mode, steps: done.map((step) => [...step]) }
  return [
    `${found}, in the mode ${mode}:`,
    ...done.map((step) => `  - ${stepInWords(step)}`),
    `broke the model: ${error.message}`,
    ...(first === error.message ? [] : [`Before it was shortened: ${first}`]),
    `Replay with MODEL_REPLAY='${JSON.stringify(replay)}'`,
  ].join('\n')
}

/**
 * Runs steps that have failed before, unchanged.
 * @param tries the number of attempts, because a race does not fail each time
 * @returns undefined when they never broke the model
 */
export async function replayModel(
  model: ModelShop,
  { mode, steps }: Replay,
  tries: number,
): Promise<ModelFailure | undefined> {
  await model.sellBy(mode)
  const sequence = steps.map((step) => new Command(step))
  const failed = await runOften(model, sequence, tries, SETTLED_WITHIN_MS)
  return failed && { report: reportOf(mode, failed, { found: 'In a replay', first: failed.error.message }) }
}

type Sequence = Iterable<AsyncCommand<History, World>>

/** A sequence that broke the model. */
interface Failed {
  error: Error
  done: readonly Step[]
}

/** Runs a sequence this many times, as many at once as there are buyers. */
async function runOften(
  model: ModelShop,
  sequence: Sequence,
  tries: number,
  settledWithinMs: number,
): Promise<Failed | undefined> {
  for (let tried = 0; tried < tries; tried += model.families) {
    const results = await Promise.all(
      Array.from({ length: model.families }, () => runOnce(model, sequence, settledWithinMs)),
    )
    const failed = results.find((each) => each !== undefined)
    if (failed) return failed
  }
  return undefined
}

/** @returns the violations after this sequence */
async function runOnce(model: ModelShop, sequence: Sequence, settledWithinMs: number): Promise<Failed | undefined> {
  return model.borrow(async (world, emails) => {
    world.figures.count('runs')
    const history = new History(emails)
    try {
      await fc.asyncModelRun(() => ({ model: history, real: world }), sequence)
      await expectLaws(history, world, settledWithinMs)
      for (const item of ITEMS)
        model.kept.set(world.goods.variants[item], world.goods.units[item] + history.stocked[item])
      return undefined
    } catch (error) {
      return { error: error instanceof Error ? error : new Error(String(error)), done: history.done }
    }
  })
}

/** Cancels all payment pages, and waits until every law holds. @throws Broken with the laws that do not hold */
async function expectLaws(history: History, world: World, settledWithinMs: number): Promise<void> {
  const { shop, goods } = world
  const keys = { variantIds: Object.values(goods.variants), codes: Object.values(goods.codes) }
  const { sessions } = await readLedger(shop, keys)
  await Promise.all(
    sessions.map(async ({ status, url }) => {
      if (status !== 'open' || url === null) return
      const response = await fetch(`${url}/cancel`, { method: 'POST', redirect: 'manual' })
      await response.arrayBuffer()
    }),
  )
  let ledger = await readLedger(shop, keys)
  let left = violations(history, goods, ledger)
  await waitFor(
    'every law to hold',
    async () => {
      ledger = await readLedger(shop, keys)
      left = violations(history, goods, ledger)
      return left.every(({ mayHeal }) => !mayHeal) || left.some(({ mayHeal }) => !mayHeal)
    },
    settledWithinMs,
  ).catch(() => {}) // The violations are reported below.
  world.figures.count('orders', ledger.orders.length)
  world.figures.count('payments returned', ledger.refunds.filter(({ isOfDuplicate }) => isOfDuplicate).length)
  if (left.length > 0) throw new Broken(left.map(({ message }) => message).join('; '))
}

const UNITS = `
  select stock.variant_id as "variantId", stock.on_hand + coalesce(sold.units, 0)::int as units
  from catalog.stock left join (
    select line->>'variantId' as variant_id, sum((line->>'quantity')::int) as units
    from orders.orders, jsonb_array_elements(document->'lines') as line
    where claim is not null and restocked_at is null group by 1) sold using (variant_id)`

/** Checks all shops again after all runs, because a late event must not change what was right. */
export async function expectKept({ shop, kept }: ModelShop): Promise<void> {
  // The last ones are checked one by one, all of them by the query below.
  await expectShopBalanced(shop, new Map([...kept].slice(-20)))
  const rows = await shop.sql<{ variantId: string; units: number }>(UNITS)
  const wrong = rows.filter(({ variantId, units }) => kept.has(variantId) && kept.get(variantId) !== units)
  expect(wrong, 'variants whose units changed after their run').toEqual([])
}
