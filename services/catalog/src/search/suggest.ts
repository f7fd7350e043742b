import { z } from 'zod'
import { sendPublicJson, type App } from '@storefront/http'
import { clampedInteger, SearchSuggestions } from '@storefront/contracts'
import { findCategories } from '../categories/categories.queries.ts'
import type { LiveIndex, Moment } from '../listings/live-index.ts'
import { key, keysOfProducts } from '../listings/surrogate-keys.ts'
import { term } from '../listings/terms.ts'
import { completionsOf, hasWords } from './completions.ts'
import { searchListings } from './search-listings.ts'
import { queryWords } from './words.ts'

const DEFAULT_LIMIT = 6
const MAX_LIMIT = 12
const MAX_CATEGORIES = 4
/** The number of best matches whose titles provide the suggested texts. */
const MAX_TITLES = 200

export function suggestRoute(app: App, { lists }: { lists: LiveIndex }): void {
  app.get('/search/suggest', {
    config: { access: 'public' },
    schema: {
      summary: 'Suggestions while a shopper types',
      description:
        'Texts to search for, categories and products. The last word may be unfinished, and typing errors are forgiven. ' +
        'Without a word in `q` nothing is suggested.',
      querystring: z.object({
        q: z.string().max(200).default('').describe('What has been typed so far.'),
        limit: clampedInteger({ default: DEFAULT_LIMIT, min: 1, max: MAX_LIMIT }).describe(
          `Maximum number of products, and of texts; ${MAX_LIMIT} at most.`,
        ),
      }),
      response: { 200: SearchSuggestions },
    },
    handler: async ({ query }, reply) => {
      const found = await lists.readOptimistically((moment) => suggestionsOf(moment, query.q.trim(), query.limit))
      const slugs = found.products.map(({ slug }) => slug)
      return sendPublicJson(reply, JSON.stringify(found), [
        key.search,
        key.listing,
        key.categories,
        ...keysOfProducts(slugs),
      ])
    },
  })
}

async function suggestionsOf(
  moment: Moment,
  typed: string,
  limit: number,
): Promise<{ version: number; result: SearchSuggestions }> {
  const words = queryWords(typed)
  const everything = () => moment.index().listings.matching({ groups: [] })
  const tiers = words.length === 0 ? [] : await searchListings(moment, typed, everything)
  const categories = words.length === 0 ? [] : await categoriesWith(moment, words)
  const { listings } = moment.index()
  const best = tiers
    .flatMap((tier) => listings.walk('featured', tier, { after: undefined, offset: 0, limit: MAX_TITLES }))
    .slice(0, MAX_TITLES)
  const titles = best.map((ordinal) => listings.textOf(ordinal))
  const ids = best.slice(0, limit).map((ordinal) => listings.idOf(ordinal))
  const { version, items } = await moment.items.find(moment.db, ids)
  const products = items.map(({ json }) => {
    const { images, ...product } = SearchSuggestions.shape.products.element.parse(JSON.parse(json.toString()))
    return { ...product, images: images.slice(0, 1) }
  })
  return { version, result: { queries: completionsOf(words, titles, limit), categories, products } }
}

async function categoriesWith(moment: Moment, words: readonly string[]): Promise<SearchSuggestions['categories']> {
  const all = await findCategories(moment.db)
  const { listings } = moment.index()
  return all
    .filter(({ name }) => hasWords(name, words))
    .map(({ slug, name }) => ({ slug, name, count: listings.itemsWith(term.category(slug)).size }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MAX_CATEGORIES)
}
