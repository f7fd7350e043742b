import { requireUnchanged, type App } from '@storefront/http'
import { AdminProduct, NewProduct, type Actor } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { currencyOf } from '../settings/settings-in-force.ts'
import { holdSettings } from '../settings/settings.queries.ts'
import { changedProduct, emptyProduct } from './changed-product.ts'
import { assertSkusFree, chooseSlug } from './choose-names.ts'
import { withImageSizes } from './image-sizes.ts'
import {
  assertSlugFree,
  assertSound,
  commitProduct,
  holdReferences,
  writeProduct,
  type ProductContext,
  type WrittenProduct,
} from './write-product.ts'

/** Derived fields of a new product. */
const NOTHING_YET = { rating: { average: 0, count: 0 }, social: null, sizeChart: null }

export function createProductRoute(app: App, context: ProductContext): void {
  app.post('/admin/products', {
    config: {
      access: { admin: 'catalog:write' },
      errors: ['currency_mismatch', 'read_only_field', 'sku_taken', 'slug_taken'],
    },
    schema: {
      summary: 'Create a product; a title and a price are enough',
      description:
        'Without a slug, one is made from the title, and a product without variants gets one with an ' +
        'inventory of 0. Send the ETag of the reply as If-Match with a later change.',
      body: NewProduct,
      response: { 200: AdminProduct },
    },
    handler: async ({ body, actor, sentBack }, reply) => {
      // A copy of another product contains the id of that one.
      requireUnchanged(sentBack, { ...NOTHING_YET, id: sentBack.find(({ path }) => path === 'id')?.value })
      const sized = await withImageSizes(context, body)
      return commitProduct(context, reply, (tx) => createProduct(tx, sized, actor, context))
    },
  })
}

async function createProduct(tx: Tx, body: NewProduct, actor: Actor, context: ProductContext): Promise<WrittenProduct> {
  const currency = currencyOf(await holdSettings(tx))
  const input = changedProduct(emptyProduct(body.title), body, { shown: [], publicUrl: context.publicUrl })
  const held = await holdReferences(tx, body)
  assertSound(input, { currency, knownSizeChart: undefined, patch: body, held })
  if (body.slug !== undefined) await assertSlugFree(tx, body.slug, undefined)
  const slug = body.slug ?? (await chooseSlug(tx, body.title))
  await assertSkusFree(tx, input)
  return writeProduct(
    tx,
    { input, slug, before: undefined, rawBefore: undefined, currency, actor, mayDropStock: false },
    context,
  )
}
