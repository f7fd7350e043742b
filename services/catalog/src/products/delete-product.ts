import { recordChange } from '@storefront/audit'
import type { App } from '@storefront/http'
import { Ok, type Actor } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { productChanged, productNotFound } from '../errors.ts'
import { IfMatchHeader, matchesEtag } from '../merchant/entity-tags.ts'
import { commitWrite, type Invalidation } from '../merchant/invalidate-caches.ts'
import { findProductsToSave } from './products.queries.ts'
import { findRawProducts } from './raw-products.queries.ts'
import { removeProducts } from './remove-products.ts'
import { auditedFields, type ProductContext } from './write-product.ts'
import { ProductParams } from './product-params.ts'

/** Deletes a product and releases its slug and SKUs. The ledger of its stock stays. */
export function deleteProductRoute(app: App, context: ProductContext): void {
  app.delete('/admin/products/:id', {
    config: { access: { admin: 'catalog:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Delete a product',
      description:
        'With If-Match the reply is 409 `conflict` if the product was changed in the meantime, apart from its stock.',
      params: ProductParams,
      headers: IfMatchHeader,
      response: { 200: Ok },
    },
    handler: async ({ params, actor, headers }, reply) => {
      await commitWrite(context, reply, (tx) => deleteProduct(tx, params.id, headers['if-match'], actor, context))
      return { ok: true as const }
    },
  })
}

async function deleteProduct(
  tx: Tx,
  id: string,
  ifMatch: string | undefined,
  actor: Actor,
  { clock }: ProductContext,
): Promise<Invalidation> {
  const now = clock.now()
  const [product] = await findProductsToSave(tx, [id], [])
  const [stored] = await findRawProducts(tx, [id])
  if (!product || !stored) throw productNotFound()
  if (!matchesEtag(ifMatch, { version: product.version })) throw productChanged(product.version)
  await recordChange(tx, {
    actor,
    subject: { kind: 'product', id },
    before: auditedFields(stored.raw),
    at: now,
  })
  return removeProducts(tx, [product], { now })
}
