import { transaction, type App } from '@storefront/chassis'
import { AdminProduct, NewProduct, type Actor } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { settleWrite } from '../merchant/settle-write.ts'
import { currencyOf } from '../settings/board-settings.ts'
import { holdSettings } from '../settings/settings.queries.ts'
import { changedProduct, emptyProduct } from './change-product.ts'
import { assertSkusFree, chooseSlug } from './choose-names.ts'
import {
  assertSlugFree,
  assertSound,
  writeNamed,
  writeProduct,
  type ProductContext,
  type WrittenProduct,
} from './write-product.ts'

/** Makes a product out of a title and a price, and whatever else is given. */
export function createProductRoute(app: App, context: ProductContext): void {
  app.post(
    '/admin/products',
    {
      config: { access: { admin: 'catalog:write' }, errors: ['currency_mismatch', 'sku_taken', 'slug_taken'] },
      schema: {
        tags: ['Admin: catalogue'],
        summary: 'Make a product; a title and a price are enough',
        body: NewProduct,
        response: { 200: AdminProduct },
      },
    },
    async ({ body, actor }, reply) => {
      const { product, etag, aftermath } = await writeNamed(() =>
        transaction(context.db, (tx) => createProduct(tx, body, actor, context)),
      )
      await settleWrite(context, aftermath, reply)
      reply.header('etag', etag)
      return product
    },
  )
}

async function createProduct(tx: Tx, body: NewProduct, actor: Actor, context: ProductContext): Promise<WrittenProduct> {
  const currency = currencyOf(await holdSettings(tx))
  const input = changedProduct(emptyProduct(body.title), body, { shown: [], publicUrl: context.publicUrl })
  await assertSound(tx, input, { currency, knownSizeChart: undefined })
  const formerKeys = body.slug === undefined ? [] : await assertSlugFree(tx, body.slug, undefined)
  const slug = body.slug ?? (await chooseSlug(tx, body.title))
  await assertSkusFree(tx, input)
  const written = await writeProduct(
    tx,
    { input, slug, before: undefined, rawBefore: undefined, currency, actor },
    context,
  )
  return { ...written, aftermath: { ...written.aftermath, keys: [...written.aftermath.keys, ...formerKeys] } }
}
