import { z } from 'zod'
import { sendPublicJson, type App, type Clock } from '@storefront/chassis'
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
import { findList } from '../products/list.queries.ts'
import { storefrontAnswer } from '../settings/get-storefront.ts'
import { railFilters, railKey } from './rail.ts'

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
      const [storefront, categories, collections] = await Promise.all([
        storefrontAnswer(db, publicUrl),
        categoriesAnswer(db, publicUrl),
        collectionsAnswer(db, publicUrl),
      ])
      const sources = new Map<string, RailSource>()
      for (const section of storefront.home ?? []) {
        if (section.type === 'product-rail') sources.set(railKey(section.source ?? {}), section.source ?? {})
      }
      const rails = await Promise.all(
        [...sources].map(async ([key, source]) => ({ key, ...(await findList(db, railFilters(source))) })),
      )
      const railsJson = rails.map(({ key, items }) => `${JSON.stringify(key)}:[${items}]`).join(',')
      const rest = JSON.stringify({
        storefront,
        categories: { items: treeOf(categories), total: categories.length },
        collections: { items: collections, total: collections.length },
        generatedAt: clock.now().toISOString(),
      })
      return sendPublicJson(reply, `${rest.slice(0, -1)},"rails":{${railsJson}}}`, [
        'settings',
        'categories',
        'collections',
        'listing',
        ...new Set(rails.flatMap((rail) => rail.slugs.map((slug) => `product:${slug}`))),
      ])
    },
  )
}
