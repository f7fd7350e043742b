import { generatedCategories, generatedCollections, type GeneratedCatalog } from './generated-catalog.ts'
import { showLoadProgress } from './load-progress.ts'
import type { ImportRow, Merchant } from './merchant.ts'

const CHUNK = 500

const SETTINGS = {
  store: { name: 'Bench', tagline: 'A hundred thousand products' },
  pricing: { currency: 'USD', locale: 'en-US', currencies: ['USD'] },
  recommendations: { strategy: 'automatic', limit: 4 },
}

/** Loads a generated catalog as a merchant would, in one import. @returns how long it took, in milliseconds */
export async function loadCatalog(merchant: Merchant, catalog: GeneratedCatalog): Promise<number> {
  const begunMs = performance.now()
  const progress = showLoadProgress(process.stderr, catalog.count, () => performance.now())
  try {
    await merchant.importRows(rowsOf(catalog), (rows) => progress.reached(Math.min(rows, catalog.count)))
    progress.reached(catalog.count)
  } finally {
    progress.end()
  }
  return performance.now() - begunMs
}

function* rowsOf(catalog: GeneratedCatalog): Generator<ImportRow> {
  yield { type: 'settings', data: SETTINGS }
  for (const category of generatedCategories) yield { type: 'category', data: category }
  const members = new Map<string, string[]>(generatedCollections.map(({ slug }) => [slug, []]))
  let count = 0
  for (const products of catalog.chunks(CHUNK)) {
    for (const product of products) {
      yield { type: 'product', data: product }
      for (const collection of catalog.collectionsAt(count)) members.get(collection)?.push(product.slug)
      count++
    }
  }
  for (const each of generatedCollections) {
    yield { type: 'collection', data: { ...each, products: members.get(each.slug) ?? [] } }
  }
}
