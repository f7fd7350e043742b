import { z } from 'zod'
import { sendPublicJson, type App } from '@storefront/http'
import type { Clock } from '@storefront/service'
import {
  Category,
  Collection,
  listOf,
  Product,
  StorefrontConfiguration,
  Timestamp,
  type RailSource,
} from '@storefront/contracts'
import { categoriesResponse } from '../categories/list-categories.ts'
import { treeOf } from '../categories/category-tree.ts'
import { collectionsResponse } from '../collections/list-collections.ts'
import { termFilterOf, type Scope } from '../listings/filters.ts'
import type { LiveIndex, Moment } from '../listings/live-index.ts'
import { pageOf } from '../listings/pages.ts'
import { key, keysOfProducts, keysOfScope } from '../listings/surrogate-keys.ts'
import { withItems, type Item } from '../products/item-cache.ts'
import { storefrontResponse } from '../settings/get-storefront.ts'
import { railRequest, railKey } from './rail.ts'

const Bootstrap = z
  .object({
    storefront: StorefrontConfiguration.describe('As GET /storefront shows it.'),
    // An array and not a list object, because the storefront iterates over it.
    categories: z.array(Category).describe('The tree itself; GET /categories wraps it in a list.'),
    collections: listOf(Collection).describe('As GET /collections shows them.'),
    rails: z
      .record(z.string(), z.array(Product))
      .describe(
        'The products of every home section of type `product-rail`, by the JSON of its source: `sort`, `category`, ' +
          '`collection`, `tags` and `limit`, in this order.',
      ),
    generatedAt: Timestamp.describe('When this reply was created; a cache may serve it for some minutes.'),
  })
  .meta({ id: 'Bootstrap' })

/** Everything that a first page needs, in one response that is the same for all visitors. */
export function getBootstrapRoute(app: App, context: { lists: LiveIndex; publicUrl: string; clock: Clock }): void {
  const { lists, publicUrl, clock } = context
  app.get('/bootstrap', {
    config: { access: 'public' },
    schema: {
      summary: 'Everything that a first page needs',
      description:
        'Configuration, categories, collections and the products of the home page in one reply. Nothing in it ' +
        'belongs to a single visitor, so shared caches may store it.',
      response: { 200: Bootstrap },
    },
    handler: async (_request, reply) => {
      const { storefront, categories, collections, rails } = await lists.read((moment) => read(moment, publicUrl))
      const withoutRails = JSON.stringify({
        storefront,
        categories: treeOf(categories),
        collections: { items: collections, total: collections.length },
        generatedAt: clock.now().toISOString(),
      })
      const railParts = rails.flatMap(({ name, items }, index) => [
        `${index === 0 ? '' : ','}${JSON.stringify(name)}:[`,
        items,
        ']',
      ])
      const body = withItems(`${withoutRails.slice(0, -1)},"rails":{`, ...railParts, '}}')
      return sendPublicJson(reply, body, [
        key.settings,
        key.categories,
        key.collections,
        ...new Set(rails.flatMap((rail) => keysOfScope(rail.scope))),
        ...keysOfProducts([...new Set(rails.flatMap((rail) => rail.items.map(({ slug }) => slug)))]),
      ])
    },
  })
}

async function read(moment: Moment, publicUrl: string) {
  const storefront = await storefrontResponse(moment.db, publicUrl)
  const sources = new Map<string, RailSource>()
  for (const section of storefront.home ?? []) {
    if (section.type === 'product-rail') sources.set(railKey(section.source ?? {}), section.source ?? {})
  }
  const { listings } = moment.index()
  const chosen = [...sources].map(([name, source]) => {
    const request = railRequest(source)
    const matching = listings.matching(termFilterOf(request.filters))
    return { name, scope: request.filters.scope, productIds: pageOf(listings, [matching], request).productIds }
  })
  const categories = await categoriesResponse(moment, publicUrl)
  const collections = await collectionsResponse(moment, publicUrl)
  const rails: { name: string; scope: Scope; items: Item[] }[] = []
  for (const { name, scope, productIds } of chosen) {
    const { items } = await moment.items.find(moment.db, productIds)
    rails.push({ name, scope, items })
  }
  return { storefront, rails, categories, collections }
}
