import { sendPublicJson, type App } from '@storefront/http'
import { Product } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { productNotFound } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { findPage } from './responses.queries.ts'
import { ProductSlugParams } from './product-params.ts'

/** One product, under its current slug or a former one. */
export function getProductRoute(app: App, { publicReads }: Pick<CatalogContext, 'publicReads'>): void {
  app.get('/products/:slug', {
    config: { access: 'public', errors: ['not_found'] },
    schema: {
      summary: 'One product',
      description:
        'A former slug of the product works too: the reply has the current one. A product that is not ' +
        'published is 404 `not_found`.',
      params: ProductSlugParams,
      response: { 200: Product },
    },
    handler: async ({ params }, reply) => {
      const found = await publicReads.readPage(
        [key.product(params.slug)],
        (db) => findPage(db, params.slug),
        ({ slug }) => [key.product(slug)],
      )
      if (!found) throw productNotFound()
      return sendPublicJson(reply, found.page, [key.product(found.slug)])
    },
  })
}
