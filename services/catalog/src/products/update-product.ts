import { transaction, type App } from '@storefront/chassis'
import { AdminProduct, ProductPatch } from '@storefront/contracts'
import { settleWrite } from '../merchant/settle-write.ts'
import { changeStoredProduct } from './change-stored-product.ts'
import { withImageSizes } from './image-sizes.ts'
import { writeNamed, type ProductContext } from './write-product.ts'
import { IfMatchHeader } from '../merchant/entity-tags.ts'
import { ProductParams } from './product-params.ts'

/** Changes what is given of a product. */
export function updateProductRoute(app: App, context: ProductContext): void {
  app.patch(
    '/admin/products/:id',
    {
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
        tags: ['Admin: catalogue'],
        summary: 'Change what is given of a product',
        description:
          'A field that is given replaces the stored one, null gives it back its default. A whole record may be sent back: ' +
          'what the shop works out by itself is accepted in it, and not written. ' +
          'With If-Match a change is refused with 409 `conflict` when the product was changed meanwhile, and one that ' +
          'gives quantities also when something was sold: they would be set. A tag of the version alone, `"7"`, leaves ' +
          'the stock out of it. `variants` lists every variant that the product is to have; an empty list leaves them as ' +
          'they are. One that is left out and has stock or reservations is removed only with If-Match and the tag of the ' +
          'product; otherwise the change is rejected with 409 `variants_missing`.',
        params: ProductParams,
        headers: IfMatchHeader,
        body: ProductPatch,
        response: { 200: AdminProduct },
      },
    },
    async ({ params, body, actor, headers, sentBack }, reply) => {
      const patch = await withImageSizes(context, body)
      const change = {
        id: params.id,
        sent: patch,
        sentBack,
        wantedOf: () => ({ patch }),
        ifMatch: headers['if-match'],
        actor,
      }
      const { product, etag, aftermath } = await writeNamed(() =>
        transaction(context.db, (tx) => changeStoredProduct(tx, change, context)),
      )
      await settleWrite(context, aftermath, reply)
      reply.header('etag', etag)
      return product
    },
  )
}
