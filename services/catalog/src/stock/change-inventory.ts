import { z } from 'zod'
import { actorIdOf, recordChange } from '@storefront/audit'
import { OpaqueId, type Actor, type Variant } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { variantNotFound } from '../errors.ts'
import { merchantRepliesOf } from '../products/product-response.ts'
import { readForRefresh, readProducts, refreshProducts } from '../products/refresh-products.ts'
import { sourceOf } from '../products/refreshed-product.ts'
import {
  findProductOfVariant,
  lockProductOfVariant,
  lockStock,
  moveStock,
  wasApplied,
  type LockedStock,
  type StockLevel,
} from './stock.queries.ts'

/** The same maximum as in an import, and half of the range of the column. */
export const MAX_ON_HAND = 1_000_000_000

export const VariantParams = z.object({ id: OpaqueId.describe('Id of a variant; not its SKU.') })

/** A merchant's change of a variant's stock. */
export interface WantedChange {
  variantId: string
  kind: 'set' | 'adjusted'
  reason?: string | undefined
  operationId?: string | undefined
  actor: Actor
  /** The change of the quantity on hand. @throws HttpError */
  decide: (stock: StockLevel) => number
}

interface InventoryChange {
  variant: Variant
  /** The units that this call added to the units on hand. */
  delta: number
  /** Whether the operation was applied before, so that this call changed nothing. */
  replayed: boolean
  productIds: string[]
  keys: string[]
}

/** Changes the stock of a variant for a merchant: the ledger, the audit, and the data that shoppers see. */
export async function changeInventory(tx: Tx, wanted: WantedChange, context: CatalogContext): Promise<InventoryChange> {
  const { productId, stock } = await lockVariant(tx, wanted.variantId)
  const replayed = wanted.operationId !== undefined && (await wasApplied(tx, wanted.variantId, wanted.operationId))
  const delta = replayed ? 0 : wanted.decide(stock)
  const { clock, publicUrl } = context
  const now = clock.now()
  if (delta !== 0) await move(tx, wanted, stock, delta, now)
  const rows = delta === 0 ? await readProducts(tx, [productId], now) : await readForRefresh(tx, [productId], now)
  const variant = rows
    .flatMap((row) => merchantRepliesOf(sourceOf(row, { now, publicUrl })).item.variants)
    .find(({ id }) => id === wanted.variantId)
  if (!variant) throw new Error(`a locked variant no longer exists: ${wanted.variantId}`)
  const productIds = delta === 0 ? [] : [productId]
  const keys = await refreshProducts(tx, productIds, { ...context, rows })
  return { variant, delta, replayed, productIds, keys }
}

/** Locks a variant's product, whose save could delete the variant, and its stock. */
async function lockVariant(tx: Tx, variantId: string): Promise<{ productId: string; stock: LockedStock }> {
  const productId = await lockProductOfVariant(tx, variantId)
  if (productId === undefined) throw variantNotFound()
  if ((await findProductOfVariant(tx, variantId)) !== productId) throw variantNotFound()
  const [stock] = await lockStock(tx, [variantId])
  if (!stock) throw new Error(`a variant has no stock: ${variantId}`)
  return { productId, stock }
}

async function move(tx: Tx, wanted: WantedChange, stock: StockLevel, delta: number, now: Date): Promise<void> {
  const { variantId, kind, reason: reference = null, operationId = null, actor } = wanted
  const by = { kind, reference, operationId, actor: actorIdOf(actor) }
  await moveStock(tx, [{ variantId, onHandDelta: delta, reservedDelta: 0, ...by }], now, { isRefreshed: true })
  const inventory = stock.onHand - stock.reserved
  await recordChange(tx, {
    actor,
    subject: { kind: 'variant', id: variantId },
    before: { inventory },
    after: { inventory: inventory + delta },
    at: now,
  })
}
