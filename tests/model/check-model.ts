import * as fc from 'fast-check'
import type { AsyncCommand } from 'fast-check'
import { expect } from 'vitest'
import { waitFor } from '@storefront/tools/testing'
import { expectShopBalanced } from '../support/shop-balance.ts'
import { ITEMS, steps, stepInWords, type Step } from './actions.ts'
import { History } from './history.ts'
import { endHoldsOfCodes, endHoldsOfGoods, readLedger } from './ledger.queries.ts'
import { violations } from './invariants.ts'
import { Broken, isPossible, performStep, type RunContext } from './perform.ts'
import type { Mode, Replay } from './seed.ts'
import type { ModelShop } from './model-shop.ts'

const MAX_COMMANDS = 16
/** How long the test waits for violations that events may still correct. */
const SETTLED_WITHIN_MS = 30_000
/** The same for a sequence that is being shortened. */
const SETTLED_AGAIN_WITHIN_MS = 8000

class Command implements AsyncCommand<History, RunContext> {
  readonly #step: Step

  constructor(step: Step) {
    this.#step = step
  }

  check(history: Readonly<History>): boolean {
    return this.#step.some(({ action }) => isPossible(action, history))
  }

  async run(history: History, context: RunContext): Promise<void> {
    context.figures.count('commands')
    await performStep(this.#step, history, context)
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
  /** The shortest failing sequence in words, the violated invariant, and how to replay it. */
  report: string
}

/**
 * Runs sequences of commands against a shop, and shortens the first one after which an invariant does not hold.
 * @returns undefined when every invariant held
 */
export async function checkModel(model: ModelShop, options: ModelRun): Promise<ModelFailure | undefined> {
  await model.setMode(options.mode)
  const shared: SharedState = { failed: undefined, first: '', shortest: undefined, shrinksUntilMs: 0, running: 0 }
  const runners = Array.from({ length: Math.min(options.atOnce, options.runs) }, (_none, runner) =>
    checkInRunner(model, options, shared, runner),
  )
  return (await Promise.all(runners)).find((failure) => failure !== undefined)
}

interface SharedState {
  /** The number of the runner whose failure is being shortened, while the others have ended. */
  failed: number | undefined
  /** The message of the first violation. Shortening accepts any violation, so it may end with another one. */
  first: string
  /** The last sequence that failed, which is the shortest. */
  shortest: Failed | undefined
  shrinksUntilMs: number
  running: number
}

async function checkInRunner(
  model: ModelShop,
  options: ModelRun,
  shared: SharedState,
  runner: number,
): Promise<ModelFailure | undefined> {
  const { mode, runs, atOnce, triesWhenShrinking, shrinksForMs, endsAtMs = Infinity } = options
  const seed = options.seed + runner
  const commands = fc.commands(
    steps(mode === 'redirect').map((arbitrary) => arbitrary.map((step) => new Command(step))),
    { maxCommands: MAX_COMMANDS, size: 'max', disableReplayLog: true },
  )
  const property = fc.asyncProperty(commands, async (sequence) => {
    if (shared.failed === undefined) {
      if (performance.now() > endsAtMs) return
      shared.running++
      const failed = await runOnce(model, sequence, SETTLED_WITHIN_MS).finally(() => shared.running--)
      if (failed === undefined || shared.failed !== undefined) return
      shared.failed = runner
      shared.first = failed.error.message
      shared.shortest = failed
      shared.shrinksUntilMs = performance.now() + shrinksForMs
      throw failed.error
    }
    if (shared.failed !== runner || performance.now() > shared.shrinksUntilMs) return
    await waitFor('the other runs to end', () => shared.running === 0)
    const failed = await runOften(model, sequence, triesWhenShrinking, SETTLED_AGAIN_WITHIN_MS)
    if (failed === undefined) return
    shared.shortest = failed
    throw failed.error
  })
  const details = await fc.check(property, { seed, numRuns: Math.ceil((runs - runner) / atOnce) })
  const { shortest, first } = shared
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
  await model.setMode(mode)
  const sequence = steps.map((step) => new Command(step))
  const failed = await runOften(model, sequence, tries, SETTLED_WITHIN_MS)
  return failed && { report: reportOf(mode, failed, { found: 'In a replay', first: failed.error.message }) }
}

type Sequence = Iterable<AsyncCommand<History, RunContext>>

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
  for (let tried = 0; tried < tries; tried += model.maxConcurrentRuns) {
    const results = await Promise.all(
      Array.from({ length: model.maxConcurrentRuns }, () => runOnce(model, sequence, settledWithinMs)),
    )
    const failed = results.find((each) => each !== undefined)
    if (failed) return failed
  }
  return undefined
}

/** @returns the violations after this sequence */
async function runOnce(model: ModelShop, sequence: Sequence, settledWithinMs: number): Promise<Failed | undefined> {
  return model.withBuyers(async (context, emails) => {
    context.figures.count('runs')
    const history = new History(emails)
    try {
      await fc.asyncModelRun(() => ({ model: history, real: context }), sequence)
      await expectInvariants(history, context, settledWithinMs)
      for (const item of ITEMS)
        model.expectedUnits.set(context.goods.variants[item], context.goods.units[item] + history.stocked[item])
      return undefined
    } catch (error) {
      return { error: error instanceof Error ? error : new Error(String(error)), done: history.done }
    }
  })
}

/**
 * Cancels all payment pages, ends the time limit of held codes and of the goods of a busy shop, and waits until every
 * invariant holds.
 * @throws Broken with the invariants that do not hold
 */
async function expectInvariants(history: History, context: RunContext, settledWithinMs: number): Promise<void> {
  const { shop, goods } = context
  const keys = { variantIds: Object.values(goods.variants), codes: Object.values(goods.codes) }
  const { sessions } = await readLedger(shop, keys)
  await Promise.all(
    sessions.map(async ({ status, url }) => {
      if (status !== 'open' || url === null) return
      const response = await fetch(`${url}/cancel`, { method: 'POST', redirect: 'manual' })
      await response.arrayBuffer()
    }),
  )
  await endHoldsOfCodes(shop, keys.codes)
  // Without a 503 a checkout itself releases what it held.
  if (context.wasUnavailable) await endHoldsOfGoods(shop, keys.variantIds)
  let ledger = await readLedger(shop, keys)
  let left = violations(history, goods, ledger)
  await waitFor(
    'every invariant to hold',
    async () => {
      ledger = await readLedger(shop, keys)
      left = violations(history, goods, ledger)
      return left.every(({ isTemporary }) => !isTemporary) || left.some(({ isTemporary }) => !isTemporary)
    },
    settledWithinMs,
  ).catch(() => {}) // The violations are reported below.
  context.figures.count('orders', ledger.orders.length)
  context.figures.count('payments returned', ledger.refunds.filter(({ isOfDuplicate }) => isOfDuplicate).length)
  if (left.length > 0) throw new Broken(left.map(({ message }) => message).join('; '))
}

const UNITS = `
  select stock.variant_id as "variantId", stock.on_hand + coalesce(sold.units, 0)::int as units
  from catalog.stock left join (
    select line->>'variantId' as variant_id, sum((line->>'quantity')::int) as units
    from orders.orders, jsonb_array_elements(document->'lines') as line
    where claim is not null and restocked_at is null group by 1) sold using (variant_id)`

/** Checks all shops again after all runs, because an event that arrives late must not change units that were right. */
export async function expectUnitsKept({ shop, expectedUnits }: ModelShop): Promise<void> {
  // The balance of the last variants is checked one by one, the units of all variants by the query below.
  await expectShopBalanced(shop, new Map([...expectedUnits].slice(-20)))
  const rows = await shop.sql<{ variantId: string; units: number }>(UNITS)
  const wrong = rows.filter(
    ({ variantId, units }) => expectedUnits.has(variantId) && expectedUnits.get(variantId) !== units,
  )
  expect(wrong, 'variants whose units changed after their run').toEqual([])
}
