import { z } from 'zod'
import { sendPublicJson, snapshot, type App } from '@storefront/chassis'
import { clampedInteger, listOf, Product } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { productNotFound } from '../errors.ts'
import { countMatches } from '../listings/bitmaps.queries.ts'
import { FEW, findItems, findPageRows } from '../listings/pages.queries.ts'
import { key, keysOfProducts } from '../listings/surrogate-keys.ts'
import { term } from '../listings/terms.ts'
import { findSettings } from '../settings/settings.queries.ts'
import {
  findBestsellers,
  findListedBySlug,
  findRelatedSource,
  rankCandidates,
  type RelatedSource,
} from './related.queries.ts'

const DEFAULT_LIMIT = 4
const MAX_LIMIT = 48
/** Of each kind so many are ranked, the best placed: a category may hold ten thousand. */
const CANDIDATES = 100

type Select = (db: Database, source: RelatedSource, limit: number) => Promise<string[]>

/** How each strategy chooses (decisions, section 3). What they leave free is filled with best-sellers. */
const STRATEGIES: Record<string, Select> = {
  automatic,
  api: automatic,
  'same-category': sameCategory,
  'best-sellers': async () => [],
  manual: (db, source, limit) => findListedBySlug(db, [...new Set(source.relatedSlugs)], limit),
}
const OFF = 'off'
const FALLBACK = 'automatic'

export function listRelatedRoute(app: App, { db }: { db: Database }): void {
  app.get(
    '/products/:slug/related',
    {
      config: { access: 'public' },
      schema: {
        tags: ['Catalogue'],
        summary: 'Products related to one',
        params: z.object({ slug: z.string() }),
        querystring: z.object({
          limit: clampedInteger({ default: 0, min: 1, max: MAX_LIMIT }),
          strategy: z.string().max(100).optional(),
        }),
        response: { 200: listOf(Product).extend({ strategy: z.string() }) },
      },
    },
    async ({ params, query }, reply) => {
      const { source, found, strategy } = await snapshot(db, async (reader) => {
        const product = await findRelatedSource(reader, params.slug)
        if (!product) throw productNotFound()
        const { document } = await findSettings(reader)
        const limit = query.limit || Math.min(Math.max(document.recommendations?.limit ?? DEFAULT_LIMIT, 1), MAX_LIMIT)
        const chosen = known(query.strategy ?? document.recommendations?.strategy)
        const ids = chosen === OFF ? [] : await select(reader, product, chosen, limit)
        const rows = ids.map((productId) => ({ productId, key: [] }))
        return { source: product, found: await findItems(reader, rows, ''), strategy: chosen }
      })
      const body = `{"items":[${found.items}],"total":${found.slugs.length},"strategy":${JSON.stringify(strategy)}}`
      return sendPublicJson(reply, body, [
        key.settings,
        // What is added anywhere may be related by a tag, or sell best.
        key.listing,
        ...source.categories.map(key.category),
        ...keysOfProducts([source.slug, ...found.slugs]),
      ])
    },
  )
}

function known(strategy: string | undefined): string {
  return strategy !== undefined && (strategy === OFF || Object.hasOwn(STRATEGIES, strategy)) ? strategy : FALLBACK
}

async function select(db: Database, source: RelatedSource, strategy: string, limit: number): Promise<string[]> {
  const choose = STRATEGIES[strategy] ?? automatic
  // One more, because the product itself may be among them.
  const chosen = (await choose(db, source, limit + 1)).filter((id) => id !== source.id).slice(0, limit)
  if (chosen.length === limit) return chosen
  return [...chosen, ...(await findBestsellers(db, [source.id, ...chosen], limit - chosen.length))]
}

/** Shared leaf category, then shared tags, then near price. */
async function automatic(db: Database, source: RelatedSource, limit: number): Promise<string[]> {
  const categories = source.categories.map(term.category)
  const tags = source.tags.map(term.tag)
  const candidates = [
    ...(await bestPlaced(db, [categories, tags])),
    ...(await bestPlaced(db, [categories])),
    ...(await bestPlaced(db, [tags])),
  ]
  return rankCandidates(db, source, [...new Set(candidates)], limit)
}

async function sameCategory(db: Database, source: RelatedSource, limit: number): Promise<string[]> {
  return bestPlaced(db, [source.categories.map(term.category)], limit)
}

/** Listings with one term of each group. */
async function bestPlaced(db: Database, groups: string[][], limit = CANDIDATES): Promise<string[]> {
  if (groups.some((group) => group.length === 0)) return []
  const filter = { groups, minPrice: undefined, maxPrice: undefined }
  const { ordinals } = await countMatches(db, filter, FEW)
  const rows = await findPageRows(db, { sort: 'featured', filter, ordinals, after: undefined, offset: 0, limit })
  return rows.map((row) => row.productId)
}
