import type { RunningShop } from '@storefront/tools/launch'
import { broadFilter, facetsOnly, filteredList, search, suggest } from './catalog-requests.ts'
import { walkCursors } from './cursor-walks.ts'
import type { GeneratedCatalog } from './generated-catalog.ts'
import { loadNextPaths } from './http-load.ts'
import type { Measurement } from './measure.ts'
import type { Merchant } from './merchant.ts'
import { startPriceWriter } from './price-writer.ts'
import { between, seeded, type Random } from './random.ts'

export interface CatalogGround {
  shop: RunningShop
  catalog: GeneratedCatalog
  merchant: Merchant
}

export interface CatalogScenario {
  name: string
  /** @returns what runs one round; undefined when the shop does not support the scenario */
  prepare: (ground: CatalogGround) => Promise<((seconds: number) => Promise<Measurement>) | undefined>
}

export const CALLERS = 16

/** Every request is generated from one random stream that continues from round to round: hardly any repeats. */
export const CATALOG_SCENARIOS: readonly CatalogScenario[] = [
  scenario('filtered list', filteredList),
  scenario('broad filter', broadFilter),
  { name: 'deep page by cursor', prepare: deepPages },
  scenario('search', (random, { catalog }) => search(random, catalog)),
  scenario('suggestions', (random, { catalog }) => suggest(random, catalog)),
  { name: 'facets while a merchant writes', prepare: facetsWhileWriting },
  scenario('product page', (random, { catalog }) => `/products/${publishedSlug(random, catalog)}`),
  scenario('related', (random, { catalog }) => `/products/${publishedSlug(random, catalog)}/related`),
]

function scenario(name: string, pathOf: (random: Random, ground: CatalogGround) => string): CatalogScenario {
  return {
    name,
    async prepare(ground) {
      const random = seeded(name)
      return (seconds) => load(ground, () => pathOf(random, ground), seconds)
    },
  }
}

function load({ shop }: CatalogGround, nextPath: () => string, seconds: number): Promise<Measurement> {
  return loadNextPaths(shop.url, nextPath, { connections: CALLERS, seconds })
}

async function deepPages(ground: CatalogGround) {
  const paths = await walkCursors(ground.shop.url, 'deep page by cursor')
  if (paths.length === 0) return undefined
  let next = 0
  return (seconds: number) => load(ground, () => paths[next++ % paths.length] ?? '', seconds)
}

async function facetsWhileWriting(ground: CatalogGround) {
  const random = seeded('facets')
  let round = 0
  return async (seconds: number) => {
    const writer = startPriceWriter(ground.merchant, ground.catalog, `prices ${round++}`)
    const measured = await load(ground, () => facetsOnly(random), seconds)
    const { writes, failures } = await writer.stop()
    console.error(`The merchant saved ${writes - failures} products meanwhile and failed to save ${failures}.`)
    return { ...measured, failures: measured.failures + failures }
  }
}

function publishedSlug(random: Random, catalog: GeneratedCatalog): string {
  for (;;) {
    const { slug, published } = catalog.titleAt(between(random, 0, catalog.count - 1))
    if (published) return slug
  }
}
