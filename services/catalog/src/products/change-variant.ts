import type { App } from '@storefront/http'
import { AdminVariant, VariantPatch } from '@storefront/contracts'
import { bodyRejected, variantNotFound } from '../errors.ts'
import { changeStoredProduct, type WantedChange } from './change-stored-product.ts'
import type { RawProduct } from './raw-product.ts'
import { assertNewVariant } from './same-variant.ts'
import { commitProduct, type ProductContext } from './write-product.ts'
import { IfMatchHeader } from '../merchant/entity-tags.ts'
import { ProductVariantParams } from './product-params.ts'

export function changeVariantRoute(app: App, context: ProductContext): void {
  app.patch('/admin/products/:id/variants/:variantId', {
    config: {
      access: { admin: 'catalog:write' },
      errors: ['conflict', 'currency_mismatch', 'not_found', 'sku_taken', 'variant_exists', 'variant_not_found'],
    },
    schema: {
      summary: 'Change fields of a variant',
      description:
        'Fields that are left out keep their values. `price: null` removes its own price, `imageId: null` its own image. If-Match and ' +
        'the ETag of the reply are those of the product.',
      params: ProductVariantParams,
      headers: IfMatchHeader,
      body: VariantPatch,
      response: { 200: AdminVariant },
    },
    handler: async ({ params: { id, variantId }, body, actor, headers }, reply) => {
      const change = {
        id,
        sent: { variants: [body] },
        wantedOf: (stored: RawProduct) => withChangedVariant(stored, variantId, body),
        ifMatch: headers['if-match'],
        actor,
      }
      const product = await commitProduct(context, reply, (tx) => changeStoredProduct(tx, change, context))
      const changed = product.variants.find((variant) => variant.id === variantId)
      if (!changed) throw new Error(`a changed variant no longer exists: ${variantId}`)
      return changed
    },
  })
}

function withChangedVariant({ variants }: RawProduct, variantId: string, change: VariantPatch): WantedChange {
  const place = variants.findIndex(({ id }) => id === variantId)
  if (place < 0) throw variantNotFound()
  if (change.id !== undefined && change.id !== variantId) {
    throw bodyRejected([{ path: 'id', message: 'must be the id in the address' }])
  }
  assertNewVariant(
    change,
    variants.filter(({ id }) => id !== variantId),
  )
  const patch = { variants: variants.map(({ id }) => (id === variantId ? { ...change, id } : { id })) }
  return { patch, bodyIndex: place }
}
