import { recordChange } from '@storefront/audit'
import { publish } from '@storefront/messaging'
import type { App } from '@storefront/http'
import { CategoryUpdated, Ok } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { collectionNotFound } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { IfMatchHeader } from '../merchant/entity-tags.ts'
import { commitTaxonomy, type Invalidation, type TaxonomyWriter } from '../merchant/invalidate-caches.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import {
  deleteCollection,
  findProductsInCollection,
  findStoredCollection,
  lockProductsToPlace,
} from './collections.queries.ts'
import { CollectionParams } from './admin-collection.ts'
import { assertUnchanged } from './save-collection.ts'

export function deleteCollectionRoute(app: App, context: CatalogContext): void {
  app.delete('/admin/collections/:slug', {
    config: { access: { admin: 'catalog:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Delete a collection; its products stay',
      description:
        'Home sections that show the collection are empty from then on. With If-Match the reply is 409 `conflict` if the ' +
        'collection or its list of products was changed in the meantime.',
      headers: IfMatchHeader,
      params: CollectionParams,
      response: { 200: Ok },
    },
    handler: async (request, reply) => {
      const { slug } = request.params
      await commitTaxonomy(context, request, reply, (tx, writer) => removeCollection(tx, slug, writer, context))
      return { ok: true as const }
    },
  })
}

async function removeCollection(
  tx: Tx,
  slug: string,
  { actor, ifMatch, now }: TaxonomyWriter,
  context: CatalogContext,
): Promise<Invalidation> {
  const before = await findStoredCollection(tx, slug)
  if (!before) throw collectionNotFound()
  await assertUnchanged(tx, ifMatch, before)
  await lockProductsToPlace(tx, slug, [])
  const products = await findProductsInCollection(tx, slug)
  await deleteCollection(tx, slug)
  await publish(tx, CategoryUpdated, { slug }, now)
  const subject = { kind: 'collection' as const, id: slug }
  const slugs = products.map((product) => product.slug)
  await recordChange(tx, { actor, subject, before: { ...before, products: slugs }, at: now })
  const ids = products.map((product) => product.id)
  return { keys: [key.collections, ...(await refreshProducts(tx, ids, { ...context, locked: ids }))] }
}
