import { expect, test } from 'vitest'
import { checkModel, type ModelFailure } from './check-model.ts'
import { FAULTS, isFault } from './faults.ts'
import { newSeed, print } from './seed.ts'
import { openModelShop } from './model-shop.ts'
import { openShopOfProcesses } from '../support/shop.ts'

const AT_ONCE = 6
const MINUTE_MS = 60_000
/** The model must find a fault within this time. */
const FOUND_WITHIN_MS = 10 * MINUTE_MS
/** Runs with one seed before the next seed. */
const RUNS = 400

/** The only fault to test; all of them when it is not set. */
const only = process.env['MODEL_FAULT']
const faults = Object.keys(FAULTS)
  .filter(isFault)
  .filter((fault) => only === undefined || only === fault)

test.each(faults)('a shop with the fault %s in its database breaks the model', async (fault) => {
  const { mode, found } = FAULTS[fault]
  const model = await openModelShop(openShopOfProcesses, 2 * AT_ONCE, fault)
  try {
    const endsAtMs = performance.now() + FOUND_WITHIN_MS
    let failure: ModelFailure | undefined
    while (failure === undefined && performance.now() < endsAtMs) {
      failure = await checkModel(model, {
        mode,
        seed: newSeed(),
        atOnce: AT_ONCE,
        runs: RUNS,
        endsAtMs,
        triesWhenShrinking: 48,
        shrinksForMs: 2 * MINUTE_MS,
      })
    }
    print(`${fault}\n${failure?.report}\n${model.figures.line()}`)
    expect(failure?.report).toMatch(found)
  } finally {
    await model.stop()
  }
})
