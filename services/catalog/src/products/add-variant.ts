import type { App } from '@storefront/http'
import { AdminVariant, MAX_VARIANTS, VariantInput } from '@storefront/contracts'
import { bodyRejected } from '../errors.ts'
import { changeStoredProduct, type WantedChange } from './change-stored-product.ts'
import type { RawProduct } from './raw-product.ts'
import { assertNewVariant } from './same-variant.ts'
import { commitProduct, type ProductContext } from './write-product.ts'
import { IfMatchHeader } from '../merchant/entity-tags.ts'
import { ProductParams } from './product-params.ts'

/** Adds a variant to a product, after all others. */
export function addVariantRoute(app: App, context: ProductContext): void {
  app.post('/admin/products/:id/variants', {
    config: {
      access: { admin: 'catalog:write' },
      errors: ['conflict', 'currency_mismatch', 'not_found', 'sku_taken', 'variant_exists'],
    },
    schema: {
      summary: 'Add a variant to a product',
      description:
        'Its options must be among those of the product, and differ from those of its other variants (409 ' +
        '`variant_exists`). A variant that the product had before under the same SKU gets its id and its stock back. If-Match ' +
        'and the ETag of the reply are those of the product.',
      params: ProductParams,
      headers: IfMatchHeader,
      body: VariantInput,
      response: { 200: AdminVariant },
    },
    handler: async ({ params, body, actor, headers }, reply) => {
      const change = {
        id: params.id,
        sent: { variants: [body] },
        wantedOf: (stored: RawProduct) => withVariant(stored, body),
        ifMatch: headers['if-match'],
        actor,
      }
      const product = await commitProduct(context, reply, (tx) => changeStoredProduct(tx, change, context))
      const added = product.variants.at(-1)
      if (!added) throw new Error(`a product has no variants: ${params.id}`)
      return added
    },
  })
}

function withVariant({ variants }: RawProduct, added: VariantInput): WantedChange {
  if (variants.length >= MAX_VARIANTS) {
    throw bodyRejected([{ path: '', message: `the product has ${MAX_VARIANTS} variants, which is the maximum` }])
  }
  assertNewVariant(added, variants)
  // The variant gets a new id, because one that this product does not have may be another product's.
  const patch = { variants: [...variants.map(({ id }) => ({ id })), { ...added, id: undefined }] }
  return { patch, bodyIndex: variants.length }
}
