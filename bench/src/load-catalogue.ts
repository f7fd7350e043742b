import { generatedCategories, generatedCollections, type GeneratedCatalogue } from './generated-catalogue.ts'
import { showLoadProgress } from './load-progress.ts'
import type { Merchant } from './merchant.ts'

const CHUNK = 500

const SETTINGS = {
  store: { name: 'Bench', tagline: 'A hundred thousand products' },
  pricing: { currency: 'USD', locale: 'en-US', currencies: ['USD'] },
  recommendations: { strategy: 'automatic', limit: 4 },
}

/**
 * Loads a generated catalogue as a merchant would, one import after the other.
 * @returns how long it took, in milliseconds
 */
export async function loadCatalogue(merchant: Merchant, catalogue: GeneratedCatalogue): Promise<number> {
  const begunMs = performance.now()
  const progress = showLoadProgress(process.stderr, catalogue.count, () => performance.now())
  const members = new Map<string, string[]>(generatedCollections.map(({ slug }) => [slug, []]))
  await merchant.importCatalogue({
    mode: 'merge',
    settings: SETTINGS,
    categories: generatedCategories,
    collections: generatedCollections,
  })
  let count = 0
  try {
    for (const products of catalogue.chunks(CHUNK)) {
      await merchant.importCatalogue({ mode: 'merge', products })
      for (const { slug } of products) {
        for (const collection of catalogue.collectionsAt(count)) members.get(collection)?.push(slug)
        count++
      }
      progress.reached(count)
    }
  } finally {
    progress.end()
  }
  const collections = generatedCollections.map((each) => ({ ...each, products: members.get(each.slug) ?? [] }))
  await merchant.importCatalogue({ mode: 'merge', collections })
  return performance.now() - begunMs
}
