import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkModel, expectUnitsKept } from './check-model.ts'
import { newSeed, print, type Mode } from './seed.ts'
import { openModelShop, type ModelShop } from './model-shop.ts'
import { openShopOfProcesses } from '../support/shop.ts'

const AT_ONCE = 6
const MINUTE_MS = 60_000
const MINUTES = Number(process.env['MODEL_MINUTES'] ?? 30)
/** Runs of one mode before the next mode. */
const RUNS = 400
const PROGRESS_MS = 30_000
const MODES: readonly Mode[] = ['redirect', 'demo', 'redirect', 'api']

let model: ModelShop

beforeAll(async () => {
  model = await openModelShop(openShopOfProcesses, 2 * AT_ONCE)
})

afterAll(() => model.stop())

test(
  `for ${MINUTES} minutes, stock, money and goods stay consistent in every interleaving`,
  async () => {
    const endsAtMs = performance.now() + MINUTES * MINUTE_MS
    const progress = setInterval(() => print(model.figures.line()), PROGRESS_MS)
    try {
      for (let phase = 0; performance.now() < endsAtMs; phase++) {
        const failure = await checkModel(model, {
          mode: MODES[phase % MODES.length] ?? 'redirect',
          seed: newSeed(),
          atOnce: AT_ONCE,
          runs: RUNS,
          endsAtMs,
          triesWhenShrinking: 24,
          shrinksForMs: 5 * MINUTE_MS,
        })
        expect(failure?.report).toBeUndefined()
      }
      await expectUnitsKept(model)
    } finally {
      clearInterval(progress)
      print(model.figures.table())
    }
  },
  (MINUTES + 15) * MINUTE_MS,
)
