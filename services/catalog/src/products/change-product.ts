import type { App } from '@storefront/http'
import { AdminProduct, ProductPatch } from '@storefront/contracts'
import { changeStoredProduct } from './change-stored-product.ts'
import { withImageSizes } from './image-sizes.ts'
import { commitProduct, type ProductContext } from './write-product.ts'
import { IfMatchHeader } from '../merchant/entity-tags.ts'
import { ProductParams } from './product-params.ts'

export function changeProductRoute(app: App, context: ProductContext): void {
  app.patch('/admin/products/:id', {
    config: {
      access: { admin: 'catalog:write' },
      errors: [
        'conflict',
        'currency_mismatch',
        'not_found',
        'read_only_field',
        'sku_taken',
        'slug_taken',
        'variant_exists',
        'variants_missing',
      ],
    },
    schema: {
      summary: 'Change fields of a product',
      description:
        'A given field replaces the stored one; null resets it to its default. A whole record may be sent back: ' +
        'read-only fields in it are accepted and not written. ' +
        'With If-Match the reply is 409 `conflict` if the product was changed in the meantime, and for a change that ' +
        'gives quantities also if something was sold: they would be overwritten. With a tag that has only the ' +
        'version, such as `"7"`, the stock is not compared. ' +
        '`variants` lists every variant that the product is to have; an empty list keeps them as ' +
        'they are. A variant that is left out and has stock or reservations is deleted only with If-Match and the tag of the ' +
        'product; otherwise the change is rejected with 409 `variants_missing`.',
      params: ProductParams,
      headers: IfMatchHeader,
      body: ProductPatch,
      response: { 200: AdminProduct },
    },
    handler: async ({ params, body, actor, headers, sentBack }, reply) => {
      const patch = await withImageSizes(context, body)
      const change = {
        id: params.id,
        sent: patch,
        sentBack,
        wantedOf: () => ({ patch }),
        ifMatch: headers['if-match'],
        actor,
      }
      return commitProduct(context, reply, (tx) => changeStoredProduct(tx, change, context))
    },
  })
}
