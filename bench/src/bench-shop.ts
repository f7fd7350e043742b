import { openGround } from './ground.ts'
import { describeMachine } from './machine.ts'
import { memoryOf } from './memory.ts'
import { runRounds, type Measured, type Rounds } from './rounds.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import { markdownTable } from './table.ts'

type Row = Measured & { scenario: Scenario }

/** Measures the shop with the demo catalog, from the list to the checkout. */
export async function benchShop(options: Rounds & { only: string }): Promise<void> {
  const chosen = SCENARIOS.filter((scenario) => scenario.name.includes(options.only))
  if (chosen.length === 0) throw new Error(`no scenario is called "${options.only}"`)
  const rows: Row[] = []
  let memory: string | undefined
  for (const edgeCache of [true, false]) {
    const scenarios = chosen.filter((scenario) => scenario.edgeCache === edgeCache)
    if (scenarios.length === 0) continue
    console.error(`Starting a shop ${edgeCache ? 'with' : 'without'} the edge cache.`)
    const opened = await openGround({ edgeCache })
    const { ground } = opened
    try {
      if (edgeCache) memory = await memoryOf(ground.shop)
      for (const scenario of scenarios) {
        const run = (seconds: number) => scenario.run(ground, seconds)
        rows.push({ scenario, ...(await runRounds({ shop: ground.shop, name: scenario.name, run }, options)) })
      }
    } finally {
      await opened.close()
    }
  }
  console.log(describeMachine())
  if (memory) console.log(memory)
  console.log(table(rows))
}

function table(rows: readonly Row[]): string {
  return markdownTable(
    ['scenario', 'measured', 'p50 ms', 'p99 ms', 'aim a second', 'failures', 'CPU ms each'],
    rows.map(({ scenario, measured, time }) => [
      scenario.name,
      `${Math.round(measured.perSecond).toLocaleString('en-US')} ${scenario.unit}/s`,
      measured.p50Ms.toFixed(1),
      measured.p99Ms.toFixed(1),
      scenario.aim.toLocaleString('en-US'),
      String(measured.failures),
      time,
    ]),
  )
}
