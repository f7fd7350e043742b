import type { RunningShop } from '@storefront/tools/launch'
import { broadFilter, facetsOnly, filteredList, search, suggest } from './catalogue-requests.ts'
import { walkCursors } from './cursor-walks.ts'
import type { GeneratedCatalogue } from './generated-catalogue.ts'
import { loadNextPaths } from './http-load.ts'
import type { Measurement } from './measure.ts'
import type { Merchant } from './merchant.ts'
import { startPriceWriter } from './price-writer.ts'
import { between, seeded, type Random } from './random.ts'

export interface CatalogueGround {
  shop: RunningShop
  catalogue: GeneratedCatalogue
  merchant: Merchant
}

export interface CatalogueScenario {
  name: string
  /** Gets ready, and answers what runs one round; undefined when the shop does not support it. */
  prepare: (ground: CatalogueGround) => Promise<((seconds: number) => Promise<Measurement>) | undefined>
}

export const CALLERS = 16

/** Every request is generated from one random stream that continues from round to round: hardly any repeats. */
export const CATALOGUE_SCENARIOS: readonly CatalogueScenario[] = [
  scenario('filtered list', filteredList),
  scenario('broad filter', broadFilter),
  { name: 'deep page by cursor', prepare: deepPages },
  scenario('search', (random, { catalogue }) => search(random, catalogue)),
  scenario('suggestions', (random, { catalogue }) => suggest(random, catalogue)),
  { name: 'facets while a merchant writes', prepare: facetsWhileWriting },
  scenario('product page', (random, { catalogue }) => `/products/${publishedSlug(random, catalogue)}`),
  scenario('related', (random, { catalogue }) => `/products/${publishedSlug(random, catalogue)}/related`),
]

function scenario(name: string, pathOf: (random: Random, ground: CatalogueGround) => string): CatalogueScenario {
  return {
    name,
    async prepare(ground) {
      const random = seeded(name)
      return (seconds) => load(ground, () => pathOf(random, ground), seconds)
    },
  }
}

function load({ shop }: CatalogueGround, nextPath: () => string, seconds: number): Promise<Measurement> {
  return loadNextPaths(shop.url, nextPath, { connections: CALLERS, seconds })
}

async function deepPages(ground: CatalogueGround) {
  const paths = await walkCursors(ground.shop.url, 'deep page by cursor')
  if (paths.length === 0) return undefined
  let next = 0
  return (seconds: number) => load(ground, () => paths[next++ % paths.length] ?? '', seconds)
}

async function facetsWhileWriting(ground: CatalogueGround) {
  const random = seeded('facets')
  let round = 0
  return async (seconds: number) => {
    const writer = startPriceWriter(ground.merchant, ground.catalogue, `prices ${round++}`)
    const measured = await load(ground, () => facetsOnly(random), seconds)
    const { writes, failures } = await writer.stop()
    console.error(`The merchant saved ${writes - failures} products meanwhile and failed to save ${failures}.`)
    return { ...measured, failures: measured.failures + failures }
  }
}

function publishedSlug(random: Random, catalogue: GeneratedCatalogue): string {
  for (;;) {
    const { slug, published } = catalogue.titleAt(between(random, 0, catalogue.count - 1))
    if (published) return slug
  }
}
