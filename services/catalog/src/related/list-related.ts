import { z } from 'zod'
import { sendPublicJson, type App } from '@storefront/http'
import { clampedInteger, listOf, Product } from '@storefront/contracts'
import { productNotFound } from '../errors.ts'
import type { LiveIndex, Moment } from '../listings/live-index.ts'
import { key, keysOfProducts } from '../listings/surrogate-keys.ts'
import { withItems } from '../products/item-cache.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { filled, settingsInForce } from '../settings/settings-in-force.ts'
import { bestPlaced, bestSelling, mostAlike } from './rank-related.ts'
import { findListedBySlug, findRelatedSource, type RelatedSource } from './related.queries.ts'
import { ProductSlugParams } from '../products/product-params.ts'

const DEFAULT_LIMIT = 4
const MAX_LIMIT = 48

type Select = (moment: Moment, source: RelatedSource, limit: number) => Promise<string[]> | string[]

const automatic: Select = (moment, source, limit) => mostAlike(moment.index().listings, source, limit)

/** How each strategy chooses. Remaining places are filled with best-sellers. */
const STRATEGIES: Record<string, Select> = {
  automatic,
  api: automatic,
  'same-category': (moment, source, limit) => bestPlaced(moment.index().listings, source.categories, limit),
  'best-sellers': () => [],
  manual: (moment, source, limit) => findListedBySlug(moment.db, source.relatedSlugs, limit),
}
const OFF = 'off'
const FALLBACK = 'automatic'

export function listRelatedRoute(app: App, { lists }: { lists: LiveIndex }): void {
  app.get('/products/:slug/related', {
    config: { access: 'public', errors: ['not_found'] },
    schema: {
      summary: 'Products related to one',
      description:
        'The strategies `automatic` and `api` choose by shared categories, tags and price, `manual` takes the ' +
        '`relatedSlugs` of the product, and `off` lists nothing. Places that a strategy leaves free are filled with ' +
        'best-sellers; the product itself and unpublished ones are never listed.',
      params: ProductSlugParams,
      querystring: z.object({
        limit: clampedInteger({ default: 0, min: 1, max: MAX_LIMIT }).describe(
          `Maximum number of products, ${MAX_LIMIT} at most; left out, \`recommendations.limit\` or ${DEFAULT_LIMIT}.`,
        ),
        strategy: z
          .string()
          .max(100)
          .optional()
          .describe('Left out or empty, `recommendations.strategy`. An unknown one counts as `automatic`.'),
      }),
      response: {
        200: listOf(Product).extend({ strategy: z.string().describe('The strategy that chose the products.') }),
      },
    },
    handler: async ({ params, query }, reply) => {
      const { source, items, strategy } = await lists.readOptimistically(async (moment) => {
        const source = await findRelatedSource(moment.db, params.slug)
        if (!source) throw productNotFound()
        const { document } = await findSettings(moment.db)
        const { relatedLimit = DEFAULT_LIMIT, relatedStrategy } = settingsInForce(document)
        // The schema turns a limit that was left out into 0.
        const limit = query.limit || Math.min(Math.max(relatedLimit, 1), MAX_LIMIT)
        const strategy = knownStrategy(filled(query.strategy) ?? relatedStrategy)
        const ids = strategy === OFF ? [] : await select(moment, source, strategy, limit)
        const { version, items } = await moment.items.find(moment.db, ids)
        return { version, result: { source, items, strategy } }
      })
      const body = withItems('{"items":[', items, `],"total":${items.length},"strategy":${JSON.stringify(strategy)}}`)
      return sendPublicJson(reply, body, [
        key.settings,
        // A new product in any list may be related by a tag, or become a best-seller.
        key.listing,
        ...source.categories.map(key.category),
        ...keysOfProducts([source.slug, ...items.map(({ slug }) => slug)]),
      ])
    },
  })
}

function knownStrategy(strategy: string | undefined): string {
  return strategy !== undefined && (strategy === OFF || Object.hasOwn(STRATEGIES, strategy)) ? strategy : FALLBACK
}

async function select(moment: Moment, source: RelatedSource, strategy: string, limit: number): Promise<string[]> {
  const choose = STRATEGIES[strategy] ?? automatic
  // One more, because the product itself may be among them.
  const chosen = (await choose(moment, source, limit + 1)).filter((id) => id !== source.id).slice(0, limit)
  const sellers = bestSelling(moment.index().listings, limit + chosen.length + 1)
  const others = sellers.filter((id) => id !== source.id && !chosen.includes(id))
  return [...chosen, ...others.slice(0, limit - chosen.length)]
}
