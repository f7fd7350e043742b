import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import { lastVariant, variantNotFound } from '../errors.ts'
import { changeStoredProduct, type WantedChange } from './change-stored-product.ts'
import type { RawProduct } from './raw-product.ts'
import { commitProduct, type ProductContext } from './write-product.ts'
import { IfMatchHeader } from '../merchant/entity-tags.ts'
import { ProductVariantParams } from './product-params.ts'

/** Deletes one variant of a product. Its ledger and its reservations stay. */
export function removeVariantRoute(app: App, context: ProductContext): void {
  app.delete('/admin/products/:id/variants/:variantId', {
    config: {
      access: { admin: 'catalog:write' },
      errors: ['conflict', 'not_found', 'variant_not_found', 'variants_missing'],
    },
    schema: {
      summary: 'Delete a variant',
      description:
        'A variant that has stock or reservations is deleted only with If-Match and the tag of the product; otherwise the ' +
        'reply is 409 `variants_missing`. The only variant of a product cannot be deleted (409 `conflict`). The ETag of the reply is that of ' +
        'the product.',
      params: ProductVariantParams,
      headers: IfMatchHeader,
      response: { 200: Ok },
    },
    handler: async ({ params: { id, variantId }, actor, headers }, reply) => {
      const change = {
        id,
        sent: {},
        wantedOf: (stored: RawProduct) => withoutVariant(stored, variantId),
        ifMatch: headers['if-match'],
        actor,
      }
      await commitProduct(context, reply, (tx) => changeStoredProduct(tx, change, context))
      return { ok: true as const }
    },
  })
}

function withoutVariant({ variants }: RawProduct, variantId: string): WantedChange {
  const others = variants.filter(({ id }) => id !== variantId)
  if (others.length === variants.length) throw variantNotFound()
  if (others.length === 0) throw lastVariant()
  return { patch: { variants: others.map(({ id }) => ({ id })) } }
}
