import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkModel, expectUnitsKept, replayModel } from './check-model.ts'
import { newSeed, print, replayOf, type Mode } from './seed.ts'
import { openModelShop, type ModelShop } from './model-shop.ts'
import { openShop } from '../support/shop.ts'

const AT_ONCE = 5
/** Thousands run in interleavings.long.ts. Most are in the mode that has every action. */
const RUNS: Record<Mode, number> = { demo: 3, api: 3, redirect: 10 }
const TRIES = 10
const REPLAY_TRIES = 200
const SHRINKS_FOR_MS = 90_000

/** A failure that was printed before, which is then the only one to run. */
const replay = replayOf(process.env['MODEL_REPLAY'])
const modes: Mode[] = replay ? [replay.mode] : ['demo', 'api', 'redirect']

let model: ModelShop

beforeAll(async () => {
  model = await openModelShop(openShop, 2 * AT_ONCE)
})

afterAll(() => model.stop())

test.each(modes)('in the mode %s, stock, money and goods stay consistent in every interleaving', async (mode) => {
  const seed = newSeed()
  const runsBefore = model.figures.of('runs')
  const failure = replay
    ? await replayModel(model, replay, REPLAY_TRIES)
    : await checkModel(model, {
        mode,
        seed,
        atOnce: AT_ONCE,
        runs: RUNS[mode],
        triesWhenShrinking: TRIES,
        shrinksForMs: SHRINKS_FOR_MS,
      })
  print(`the model in the mode ${mode}, seed ${seed}: ${model.figures.line()}`)
  expect(model.figures.of('runs')).toBeGreaterThan(runsBefore)
  expect(failure?.report).toBeUndefined()
  await expectUnitsKept(model)
})
