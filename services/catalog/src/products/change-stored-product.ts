import { requireUnchanged, type SentBackField } from '@storefront/http'
import type { Actor, ProductPatch } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { productChanged, productNotFound, stockChanged } from '../errors.ts'
import { matchesEtag, namesVersion } from '../merchant/entity-tags.ts'
import { currencyOf } from '../settings/settings-in-force.ts'
import { findSettings, holdSettings } from '../settings/settings.queries.ts'
import { findStockVersion, lockStock, type LockedStock } from '../stock/stock.queries.ts'
import { adminProductOf } from './admin-product.ts'
import { changedProduct } from './changed-product.ts'
import { assertSkusFree } from './choose-names.ts'
import { findProductsToSave } from './products.queries.ts'
import { rawOf, type RawProduct, type StoredProduct } from './raw-product.ts'
import { readProducts } from './refresh-products.ts'
import {
  assertSlugFree,
  assertSound,
  holdReferences,
  writeProduct,
  type ProductContext,
  type WrittenProduct,
} from './write-product.ts'

export interface WantedChange {
  patch: ProductPatch
  /** Index of the variant in the patch that is the whole body of the request: the paths of its issues begin there. */
  bodyIndex?: number
}

interface StoredProductChange {
  id: string
  /** The fields that the merchant sent and that are checked before the product is locked. */
  sent: Pick<ProductPatch, 'price' | 'compareAtPrice' | 'variants' | 'categories' | 'sizeChartId'>
  /** Read-only fields of a whole product that was sent back. */
  sentBack?: readonly SentBackField[]
  /** Computes the changes of the stored product. Throws an HttpError when they are not possible. */
  wantedOf: (stored: RawProduct) => WantedChange
  ifMatch: string | undefined
  actor: Actor
}

/** Changes an existing product, with its variants, ledger, audit, responses and lists. */
export async function changeStoredProduct(
  tx: Tx,
  { id, sent, sentBack = [], wantedOf, ifMatch, actor }: StoredProductChange,
  context: ProductContext,
): Promise<WrittenProduct> {
  const shopCurrency = givesPrices(sent) ? currencyOf(await holdSettings(tx)) : undefined
  const held = await holdReferences(tx, sent)
  // Locked before it is read, so that concurrent changes of different fields are all kept.
  const [before] = await findProductsToSave(tx, [id], [])
  const now = context.clock.now()
  const [row] = await readProducts(tx, [id], now)
  if (!before || !row) throw productNotFound()
  const { version } = row
  if (!matchesEtag(ifMatch, { version })) throw productChanged(version)
  const shown = adminProductOf(row, { now, publicUrl: context.publicUrl })
  requireUnchanged(sentBack, { ...shown })
  const raw = rawOf(row)
  const { patch, bodyIndex } = wantedOf(raw)
  const input = changedProduct(raw, patch, { shown: shown.badges, publicUrl: context.publicUrl })
  // Prices that are not changed keep their currency, even if the shop now has another.
  const currency = shopCurrency ?? raw.price?.currency ?? currencyOf(await findSettings(tx))
  assertSound(input, { currency, knownSizeChart: raw.sizeChartId, patch, held, bodyIndex })
  const slug = patch.slug ?? raw.slug
  if (slug !== raw.slug) await assertSlugFree(tx, slug, id)
  await assertSkusFree(tx, input, raw)
  await assertStockMatches(
    tx,
    { version, raw },
    {
      ifMatch,
      setsQuantities: patch.variants?.some(({ inventory }) => inventory !== undefined) ?? false,
      kept: new Set(input.variants.map((variant) => variant.id)),
    },
  )
  return writeProduct(
    tx,
    { input, slug, before, rawBefore: raw, currency, actor, mayDropStock: namesVersion(ifMatch) },
    context,
  )
}

/**
 * Writing quantities that were read before a sale would undo the sale, and a merchant may remove only stock that they
 * have seen. The later save checks again, under the locks that are taken here or, without a version, under its own.
 */
async function assertStockMatches(
  tx: Tx,
  { version, raw }: StoredProduct,
  {
    ifMatch,
    setsQuantities,
    kept,
  }: { ifMatch: string | undefined; setsQuantities: boolean; kept: ReadonlySet<unknown> },
): Promise<void> {
  if (!namesVersion(ifMatch)) return
  const isDropped = (id: string) => !kept.has(id)
  if (!setsQuantities && !raw.variants.some(({ id }) => isDropped(id))) return
  const locked = await lockStock(
    tx,
    raw.variants.map(({ id }) => id),
  )
  if (!setsQuantities && !locked.some((row) => isDropped(row.variantId) && isStocked(row))) return
  const stockVersion = await findStockVersion(tx, raw.id)
  if (!matchesEtag(ifMatch, { version, stockVersion })) throw stockChanged(version)
}

function isStocked({ onHand, reserved }: LockedStock): boolean {
  return onHand > 0 || reserved > 0
}

function givesPrices({ price, compareAtPrice, variants = [] }: StoredProductChange['sent']): boolean {
  return [price, compareAtPrice, ...variants.flatMap((each) => [each.price, each.compareAtPrice])].some(
    (money) => money !== undefined && money !== null,
  )
}
