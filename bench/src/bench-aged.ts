import { ADMIN_REQUESTS } from './admin-requests.ts'
import { ageShop, type History } from './age-shop.ts'
import { processesOf } from './cpu-time.ts'
import { generateCatalog } from './generated-catalog.ts'
import { openGround } from './ground.ts'
import { largestTables } from './largest-tables.ts'
import { duration } from './load-progress.ts'
import { describeMachine } from './machine.ts'
import { measureOneByOne } from './measure.ts'
import { memoryOfAll } from './memory.ts'
import { signInMerchant, type Merchant } from './merchant.ts'
import { describeSpeeds, measurePairs } from './paired-rounds.ts'
import { SCENARIOS, type Ground } from './scenarios.ts'
import { markdownTable } from './table.ts'

const TARGET_P99_MS = 100
const REQUESTS_OF_A_KIND = 100

interface AgedBench extends History {
  products: number
  seconds: number
  rounds: number
  only: string
}

/**
 * Measures a shop with five years of history and a new one alternately, and then how long a merchant waits for lists
 * and searches in the old one.
 */
export async function benchAged(options: AgedBench): Promise<void> {
  const chosen = SCENARIOS.filter(({ name }) => !name.includes('from the edge cache') && name.includes(options.only))
  if (chosen.length === 0) throw new Error(`no scenario is called "${options.only}"`)
  for (const name of ['orders', 'customers', 'products'] as const)
    if (!Number.isInteger(options[name]) || options[name] < 1) throw new Error(`--${name} takes a number of ${name}`)
  console.error('Starting both shops.')
  const young = await openGround({ edgeCache: false })
  const aged = await openGround({ edgeCache: false }).catch(async (error: unknown) => {
    await young.close()
    throw error
  })
  try {
    const begunMs = performance.now()
    const catalog = generateCatalog({ seed: 'bench', count: options.products, now: new Date() })
    const ground = await aged.addCatalog(catalog)
    await ageShop(ground.shop, options)
    const madeSeconds = (performance.now() - begunMs) / 1000
    const memory = await memoryOfAll(ground.shop, 'with its history')
    const tables = await largestTables(ground.shop.databaseAdminUrl)
    const rows: string[][] = []
    const speeds: number[] = []
    const shops = { before: compared(young.ground), after: compared(ground) }
    for (const scenario of options.rounds > 0 ? chosen : [])
      rows.push(...(await measurePairs(scenario, shops, options, speeds)))
    const requests = await measureRequests(await signInMerchant(ground.shop))
    console.log(describeMachine())
    console.log(`${described(options)}, made in ${duration(madeSeconds)}.\n\n${memory}\n${tables}\n`)
    if (rows.length > 0) {
      console.log(`${describeSpeeds(speeds)}\n`)
      console.log(markdownTable(['scenario', 'quantity', 'new shop', 'old shop', 'old / new'], rows))
    }
    console.log(requests)
  } finally {
    await Promise.all([young.close(), aged.close()])
  }
}

function compared(ground: Ground) {
  return { target: ground, processes: processesOf(ground.shop) }
}

function described({ orders, customers, products }: AgedBench): string {
  const shown = (count: number) => count.toLocaleString('en-US')
  return `${shown(orders)} orders, ${shown(customers)} customers, ${shown(products)} products`
}

/** One merchant, one request at a time. */
async function measureRequests(merchant: Merchant): Promise<string> {
  const rows: string[][] = []
  for (const { name, paths } of ADMIN_REQUESTS) {
    let turn = 0
    const { p50Ms: p50, p99Ms: p99 } = await measureOneByOne(REQUESTS_OF_A_KIND, () =>
      merchant.call('GET', paths[turn++ % paths.length] ?? ''),
    )
    rows.push([name, p50.toFixed(0), p99.toFixed(0), p99 <= TARGET_P99_MS ? '' : 'over'])
    console.error(`${name}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`)
  }
  return markdownTable([`${REQUESTS_OF_A_KIND} requests each`, 'p50 ms', 'p99 ms', `target ${TARGET_P99_MS} ms`], rows)
}
