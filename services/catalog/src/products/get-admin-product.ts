import { snapshot } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { AdminProduct } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { productNotFound } from '../errors.ts'
import { etagOf } from '../merchant/entity-tags.ts'
import { findStockVersion } from '../stock/stock.queries.ts'
import { findAdminProducts } from './admin-product.ts'
import { ProductParams } from './product-params.ts'

export function getAdminProductRoute(app: App, context: CatalogContext): void {
  app.get('/admin/products/:id', {
    config: { access: { admin: 'catalog:read' }, errors: ['not_found'] },
    schema: {
      summary: 'One product, published or not',
      description: 'The ETag covers the product and its stock; send it back as If-Match with a change.',
      params: ProductParams,
      response: { 200: AdminProduct },
    },
    handler: async ({ params }, reply) => {
      const { product, stockVersion } = await snapshot(context.db, async (db) => ({
        product: (await findAdminProducts(db, [params.id], context))[0],
        stockVersion: await findStockVersion(db, params.id),
      }))
      if (!product) throw productNotFound()
      reply.header('etag', etagOf({ version: product.version, stockVersion }))
      return product
    },
  })
}
