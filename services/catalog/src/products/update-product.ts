import { z } from 'zod'
import { transaction, type App } from '@storefront/chassis'
import { AdminProduct, ProductPatch, type Actor } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { productChanged, productNotFound, stockChanged } from '../errors.ts'
import { matchesEtag } from '../merchant/entity-tags.ts'
import { settleWrite } from '../merchant/settle-write.ts'
import { currencyOf } from '../settings/board-settings.ts'
import { findSettings, holdSettings } from '../settings/settings.queries.ts'
import { findStockVersion, lockStock } from '../stock/stock.queries.ts'
import { findAdminProducts } from './admin-product.ts'
import { changedProduct } from './change-product.ts'
import { assertSkusFree } from './choose-names.ts'
import { findProductsToSave } from './products.queries.ts'
import { findRawProducts, type StoredProduct } from './raw-product.ts'
import {
  assertSlugFree,
  assertSound,
  writeNamed,
  writeProduct,
  type ProductContext,
  type WrittenProduct,
} from './write-product.ts'

/** Changes what is given of a product. */
export function updateProductRoute(app: App, context: ProductContext): void {
  app.patch(
    '/admin/products/:id',
    {
      config: {
        access: { admin: 'catalog:write' },
        errors: ['conflict', 'currency_mismatch', 'not_found', 'sku_taken', 'slug_taken'],
      },
      schema: {
        tags: ['Admin: catalogue'],
        summary: 'Change what is given of a product',
        description:
          'A field that is given replaces the stored one, null gives it back its default, what is derived is ignored. ' +
          'With If-Match a change is refused with 409 `conflict` when the product was changed meanwhile, and one that ' +
          'gives quantities also when something was sold: they would be set. A tag of the version alone, `"7"`, leaves ' +
          'the stock out of it.',
        params: z.object({ id: z.string() }),
        headers: z.looseObject({ 'if-match': z.string().optional() }),
        body: ProductPatch,
        response: { 200: AdminProduct },
      },
    },
    async ({ params, body, actor, headers }, reply) => {
      const { product, etag, aftermath } = await writeNamed(() =>
        transaction(context.db, (tx) => updateProduct(tx, params.id, body, headers['if-match'], actor, context)),
      )
      await settleWrite(context, aftermath, reply)
      reply.header('etag', etag)
      return product
    },
  )
}

async function updateProduct(
  tx: Tx,
  id: string,
  patch: ProductPatch,
  ifMatch: string | undefined,
  actor: Actor,
  context: ProductContext,
): Promise<WrittenProduct> {
  const shopCurrency = speaksOfMoney(patch) ? currencyOf(await holdSettings(tx)) : undefined
  // Locked before anything is read: two changes of different fields both survive.
  const [before] = await findProductsToSave(tx, [id], [])
  const [stored] = await findRawProducts(tx, [id])
  const [shown] = await findAdminProducts(tx, [id], context)
  if (!before || !stored || !shown) throw productNotFound()
  if (!matchesEtag(ifMatch, { version: stored.version })) throw productChanged(stored.version)
  const { raw } = stored
  const input = changedProduct(raw, patch, { shown: shown.badges, publicUrl: context.publicUrl })
  // Prices that nobody touches keep their currency, even when the shop's is another one by now.
  const currency = shopCurrency ?? raw.price?.currency ?? currencyOf(await findSettings(tx))
  await assertSound(tx, input, { currency, knownSizeChart: raw.sizeChartId })
  const slug = patch.slug ?? raw.slug
  const formerKeys = slug === raw.slug ? [] : await assertSlugFree(tx, slug, id)
  await assertSkusFree(tx, input, id)
  if (setsQuantities(patch)) await assertStockMatches(tx, stored, ifMatch)
  const written = await writeProduct(tx, { input, slug, before, rawBefore: raw, currency, actor }, context)
  return { ...written, aftermath: { ...written.aftermath, keys: [...written.aftermath.keys, ...formerKeys] } }
}

function setsQuantities({ variants = [] }: ProductPatch): boolean {
  return variants.some(({ inventory }) => inventory !== undefined)
}

/** Quantities that somebody read before a sale would take the sale back. */
async function assertStockMatches(tx: Tx, { version, raw }: StoredProduct, ifMatch: string | undefined): Promise<void> {
  await lockStock(
    tx,
    raw.variants.flatMap((variant) => variant.id ?? []),
  )
  const stockVersion = await findStockVersion(tx, raw.id)
  if (!matchesEtag(ifMatch, { version, stockVersion })) throw stockChanged(version)
}

function speaksOfMoney({ price, compareAtPrice, variants = [] }: ProductPatch): boolean {
  return [price, compareAtPrice, ...variants.flatMap((each) => [each.price, each.compareAtPrice])].some(
    (money) => money !== undefined && money !== null,
  )
}
