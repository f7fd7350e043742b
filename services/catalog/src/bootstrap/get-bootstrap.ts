import { z } from 'zod'
import { sendPublicJson, snapshot, type App, type Clock } from '@storefront/chassis'
import {
  Category,
  Collection,
  listOf,
  Product,
  StorefrontConfiguration,
  Timestamp,
  type RailSource,
} from '@storefront/contracts'
import { categoriesAnswer } from '../categories/list-categories.ts'
import { treeOf } from '../categories/category-tree.ts'
import { collectionsAnswer } from '../collections/list-collections.ts'
import type { Database } from '../database.ts'
import type { Scope } from '../listings/filters.ts'
import { findPage, type FoundPage } from '../listings/find-list.ts'
import { key, keysOfProducts, keysOfScope } from '../listings/surrogate-keys.ts'
import { storefrontAnswer } from '../settings/get-storefront.ts'
import { railRequest, railKey } from './rail.ts'

const Bootstrap = z.object({
  storefront: StorefrontConfiguration,
  categories: listOf(Category),
  collections: listOf(Collection),
  rails: z.record(z.string(), z.array(Product)),
  generatedAt: Timestamp,
})

/** All that a first page needs, in one answer; nothing in it belongs to one visitor. */
export function getBootstrapRoute(app: App, context: { db: Database; publicUrl: string; clock: Clock }): void {
  const { db, publicUrl, clock } = context
  app.get(
    '/bootstrap',
    {
      config: { access: 'public' },
      schema: { tags: ['Configuration'], summary: 'All that a first page needs', response: { 200: Bootstrap } },
    },
    async (_request, reply) => {
      const { storefront, categories, collections, rails } = await snapshot(db, (reader) => read(reader, publicUrl))
      const railsJson = rails.map(({ name, items }) => `${JSON.stringify(name)}:[${items}]`).join(',')
      const rest = JSON.stringify({
        storefront,
        categories: { items: treeOf(categories), total: categories.length },
        collections: { items: collections, total: collections.length },
        generatedAt: clock.now().toISOString(),
      })
      return sendPublicJson(reply, `${rest.slice(0, -1)},"rails":{${railsJson}}}`, [
        key.settings,
        key.categories,
        key.collections,
        ...new Set(rails.flatMap((rail) => keysOfScope(rail.of))),
        ...keysOfProducts([...new Set(rails.flatMap((rail) => rail.slugs))]),
      ])
    },
  )
}

async function read(db: Database, publicUrl: string) {
  const storefront = await storefrontAnswer(db, publicUrl)
  const sources = new Map<string, RailSource>()
  for (const section of storefront.home ?? []) {
    if (section.type === 'product-rail') sources.set(railKey(section.source ?? {}), section.source ?? {})
  }
  const rails: (FoundPage & { name: string; of: Scope })[] = []
  for (const [name, source] of sources) {
    const request = railRequest(source)
    rails.push({ name, of: request.filters.scope, ...(await findPage(db, request)) })
  }
  return {
    storefront,
    rails,
    categories: await categoriesAnswer(db, publicUrl),
    collections: await collectionsAnswer(db, publicUrl),
  }
}
