import { CALLERS, CATALOG_SCENARIOS, type CatalogGround, type CatalogScenario } from './catalog-scenarios.ts'
import { EXPLAIN_SETTINGS, explainRequests } from './explain.ts'
import { generateCatalog, type GeneratedCatalog } from './generated-catalog.ts'
import { loadCatalog } from './load-catalog.ts'
import { duration } from './load-progress.ts'
import { describeMachine } from './machine.ts'
import { memoryOfAll } from './memory.ts'
import { signInMerchant } from './merchant.ts'
import { makeDataFolder, openShop } from './open-shop.ts'
import { vacuumDatabase } from './vacuum-database.ts'
import { runRounds, type Rounds } from './rounds.ts'
import { markdownTable } from './table.ts'

const VARIANTS_OF_A_PRODUCT = 6
const TARGET_P99_MS = 50
const HEAD = ['scenario', 'measured', 'p50 ms', 'p99 ms', 'target p99 ms', 'failures', 'CPU ms each']

interface CatalogBench extends Rounds {
  products: number
  only: string
  explain: boolean
}

/** Loads a generated catalog and measures how the shop reads from it. */
export async function benchCatalog(options: CatalogBench): Promise<void> {
  const scenarios = CATALOG_SCENARIOS.filter((scenario) => scenario.name.includes(options.only))
  if (scenarios.length === 0) throw new Error(`no scenario is called "${options.only}"`)
  const catalog = generateCatalog({ seed: 'bench', count: options.products, now: new Date() })
  const folder = await makeDataFolder()
  try {
    const report = await measureCatalog(folder.path, catalog, scenarios, options)
    console.log(describeMachine())
    console.log(report)
    if (options.explain) console.log(await explainCatalog(folder.path))
  } finally {
    await folder.remove()
  }
}

async function measureCatalog(
  dataDir: string,
  catalog: GeneratedCatalog,
  scenarios: readonly CatalogScenario[],
  options: Rounds,
): Promise<string> {
  console.error('Starting a shop without the edge cache.')
  const { shop, close } = await openShop({ dataDir, edgeCache: false })
  try {
    const ground = { shop, catalog, merchant: await signInMerchant(shop) }
    const loadMs = await loadCatalog(ground.merchant, catalog)
    const loaded = await memoryOfAll(shop, 'after loading')
    console.error('Tidying the database up.')
    await vacuumDatabase(shop.databaseAdminUrl)
    const rows: string[][] = []
    for (const scenario of options.rounds > 0 ? scenarios : [])
      rows.push(...(await runScenario(scenario, ground, options)))
    return [
      loaded,
      ...(rows.length > 0 ? [await memoryOfAll(shop, 'after the scenarios')] : []),
      describeLoading(catalog.count, loadMs / 1000),
      ...(rows.length > 0 ? [`${CALLERS} callers, without the edge cache.`, '', markdownTable(HEAD, rows)] : []),
      '',
    ].join('\n')
  } finally {
    await close()
  }
}

async function runScenario(
  { name, prepare }: CatalogScenario,
  ground: CatalogGround,
  rounds: Rounds,
): Promise<string[][]> {
  const run = await prepare(ground)
  if (!run) {
    console.error(`${name}: left out, the shop does not offer it.`)
    return []
  }
  return [await runRounds({ shop: ground.shop, name, unit: 'requests', target: String(TARGET_P99_MS), run }, rounds)]
}

/** Opens the shop again on the same data, so that writing plans slows no measurement, and loading writes none. */
async function explainCatalog(dataDir: string): Promise<string> {
  console.error('Starting the shop again to read the plans of its statements.')
  const { shop, close } = await openShop({
    dataDir,
    edgeCache: false,
    postgresSettings: EXPLAIN_SETTINGS,
  })
  try {
    return await explainRequests({ url: shop.url, dataDir })
  } finally {
    await close()
  }
}

function describeLoading(products: number, seconds: number): string {
  const [count, variants] = [products, products * VARIANTS_OF_A_PRODUCT].map((each) => each.toLocaleString('en-US'))
  const rate = Math.round(products / seconds).toLocaleString('en-US')
  return `Loading ${count} products with ${variants} variants took ${duration(seconds)} (${rate} products/s).\n`
}
