import { parseArgs } from 'node:util'
import { memoryOf } from './memory.ts'
import { describeMachine } from './machine.ts'
import { cpuTimes, timePerPiece } from './cpu-time.ts'
import { medianRound, type Measurement } from './measure.ts'
import { openGround } from './ground.ts'
import { SCENARIOS, type Ground, type Scenario } from './scenarios.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`npm run bench -- [--seconds 8] [--rounds 3] [--only "checkout"]

Starts a shop of its own with the demo catalogue, loads it from this machine and prints a table: the median of the
rounds. Everything shares the machine's cores, the load generator included.`)
} else {
  await bench({ seconds: Number(values.seconds), rounds: Number(values.rounds), only: values.only ?? '' })
}

async function bench(options: { seconds: number; rounds: number; only: string }): Promise<void> {
  const chosen = SCENARIOS.filter((scenario) => scenario.name.includes(options.only))
  if (chosen.length === 0) throw new Error(`no scenario is called "${options.only}"`)
  const rows: Row[] = []
  let memory: Awaited<ReturnType<typeof memoryOf>> | undefined
  for (const edgeCache of [true, false]) {
    const scenarios = chosen.filter((scenario) => scenario.edgeCache === edgeCache)
    if (scenarios.length === 0) continue
    console.error(`Starting a shop ${edgeCache ? 'with' : 'without'} the edge cache.`)
    const place = await openGround({ edgeCache, say: () => {} })
    const { ground } = place
    try {
      if (edgeCache) memory = await memoryOf(ground.shop)
      for (const scenario of scenarios) rows.push(await runScenario(scenario, ground, options))
    } finally {
      await place.close()
    }
  }
  console.log(await describeMachine())
  if (memory) console.log(memory)
  console.log(table(rows))
}

async function runScenario(
  scenario: Scenario,
  ground: Ground,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Row> {
  await scenario.run(ground, Math.min(3, seconds)) // Warms caches and the compilers.
  const measured: Measurement[] = []
  const before = await cpuTimes(ground.shop)
  for (let round = 1; round <= rounds; round++) {
    measured.push(await scenario.run(ground, seconds))
    console.error(`${scenario.name}: round ${round} of ${rounds}, ${Math.round(measured.at(-1)?.perSecond ?? 0)}/s`)
  }
  const pieces = measured.reduce((sum, round) => sum + round.perSecond * seconds, 0)
  const time = timePerPiece(before, await cpuTimes(ground.shop), pieces)
  return { scenario, measured: medianRound(measured), time }
}

interface Row {
  scenario: Scenario
  measured: Measurement
  /** Processor milliseconds of one piece of work, by process. */
  time: string
}

function table(rows: Row[]): string {
  const lines = rows.map(({ scenario, measured, time }) => [
    scenario.name,
    `${Math.round(measured.perSecond).toLocaleString('en-US')} ${scenario.unit}/s`,
    measured.p50Ms.toFixed(1),
    measured.p99Ms.toFixed(1),
    scenario.aim.toLocaleString('en-US'),
    String(measured.failures),
    time,
  ])
  return [
    '| scenario | measured | p50 ms | p99 ms | aim a second | failures | processor ms a piece |',
    '|---|---|---|---|---|---|---|',
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n')
}
