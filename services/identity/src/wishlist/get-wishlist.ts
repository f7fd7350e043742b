import type { App } from '@storefront/http'
import { listOf, Product } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { readProducts } from './read-products.ts'
import { listSavedProductIds } from './wishlist.queries.ts'

/** The saved products, newest first. A product that is not published at the moment stays saved and is not shown. */
export function getWishlistRoute(app: App, { db, messaging }: IdentityContext): void {
  app.get('/me/wishlist', {
    config: { access: 'customer' },
    schema: {
      summary: 'The wishlist, newest first',
      description:
        'The saved products as the product list shows them. One that is not published at the moment stays saved and ' +
        'is not shown.',
      response: { 200: listOf(Product) },
    },
    handler: async ({ actor }) => {
      const { products: items } = await readProducts(messaging, await listSavedProductIds(db, customerIdOf(actor)))
      return { items, total: items.length }
    },
  })
}
