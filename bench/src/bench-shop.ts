import { openGround } from './ground.ts'
import { describeMachine } from './machine.ts'
import { memoryOf } from './memory.ts'
import { runRounds, type Rounds } from './rounds.ts'
import { SCENARIOS } from './scenarios.ts'
import { markdownTable } from './table.ts'

/** Measures the shop with the demo catalog, from the list to the checkout. */
export async function benchShop(options: Rounds & { only: string }): Promise<void> {
  const chosen = SCENARIOS.filter((scenario) => scenario.name.includes(options.only))
  if (chosen.length === 0) throw new Error(`no scenario is called "${options.only}"`)
  const rows: string[][] = []
  let memory: string | undefined
  for (const edgeCache of [true, false]) {
    const scenarios = chosen.filter((scenario) => scenario.edgeCache === edgeCache)
    if (scenarios.length === 0) continue
    console.error(`Starting a shop ${edgeCache ? 'with' : 'without'} the edge cache.`)
    const opened = await openGround({ edgeCache })
    const { ground } = opened
    try {
      if (edgeCache) memory = await memoryOf(ground.shop)
      for (const { name, unit, targetRate, run } of scenarios) {
        const measure = (seconds: number) => run(ground, seconds)
        const shown = { name, unit, target: targetRate.toLocaleString('en-US') }
        rows.push(await runRounds({ shop: ground.shop, ...shown, run: measure }, options))
      }
    } finally {
      await opened.close()
    }
  }
  console.log(describeMachine())
  if (memory) console.log(memory)
  console.log(
    markdownTable(['scenario', 'measured', 'p50 ms', 'p99 ms', 'target a second', 'failures', 'CPU ms each'], rows),
  )
}
