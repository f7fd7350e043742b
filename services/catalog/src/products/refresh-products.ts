import { setImmediate } from 'node:timers/promises'
import { publishAll } from '@storefront/messaging'
import { DAY_MS } from '@storefront/service'
import { InventoryUpdated } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Database, Tx } from '../database.ts'
import { key } from '../listings/surrogate-keys.ts'
import { queueDueAlerts } from '../alerts/due-alerts.queries.ts'
import { updateListings } from '../listings/update-listings.ts'
import { listInventory, mustBeListed } from '../stock/low-stock.queries.ts'
import {
  deleteResponses,
  dropFromRefreshQueue,
  findForRefresh,
  markAnnounced,
  saveResponses,
  type RefreshRow,
} from './responses.queries.ts'
import type { InventoryUpdate } from './bulk-events.ts'
import { NEW_FOR_DAYS } from './product.ts'
import { lockProducts } from './products.queries.ts'
import { refreshedProduct, type Refreshed, type RefreshFacts } from './refreshed-product.ts'

/** Products whose responses are in memory at once. */
const CHUNK = 500
/** Products whose responses are made without a pause, which takes a few milliseconds. */
const MADE_AT_ONCE = 50

export type RefreshContext = Pick<CatalogContext, 'db' | 'clock' | 'log' | 'projection' | 'publicUrl' | 'purge'>

interface RefreshOptions extends Pick<RefreshContext, 'clock' | 'publicUrl' | 'log'> {
  /**
   * Receives the products and the changed quantities, for a caller that publishes them itself. Without it, one event is
   * published for each of these quantities.
   */
  onRefreshed?: (products: readonly RefreshRow[], updates: readonly InventoryUpdate[]) => void
  /** Products that are already locked, or not visible to others yet: locking them would write to each row. */
  locked?: readonly string[]
  /** The rows of all these products from `readForRefresh`, if the caller has locked and read them. */
  rows?: readonly RefreshRow[]
  /** Whether the products themselves did not change, so that only responses that differ are out of date. */
  isUnchanged?: boolean
  /** Quantities that the caller will set, by variant. */
  quantities?: ReadonlyMap<string, number>
}

/** All data that the responses of these products are made of. */
export async function readProducts(db: Database | Tx, ids: readonly string[], now: Date): Promise<RefreshRow[]> {
  return findForRefresh(db, ids, new Date(now.getTime() - NEW_FOR_DAYS * DAY_MS))
}

/** Reads locked products for their refresh. Later changes are queued for the next refresh. */
export async function readForRefresh(tx: Tx, ids: readonly string[], now: Date): Promise<RefreshRow[]> {
  await dropFromRefreshQueue(tx, ids)
  return readProducts(tx, ids, now)
}

/**
 * Renews the stored responses, the listings and the listed quantities of products, and publishes every quantity that
 * changed since it was last published. Locks the products, so that newer responses cannot be overwritten with older
 * ones. Call this last in a transaction, because it blocks other changes of the listings until the end.
 * @returns surrogate keys of what is out of date
 */
export async function refreshProducts(
  tx: Tx,
  productIds: readonly string[],
  context: RefreshOptions,
): Promise<string[]> {
  const ids = [...new Set(productIds)].toSorted()
  if (ids.length === 0) return []
  if (!context.rows) {
    const locked = new Set(context.locked)
    const unlocked = ids.filter((id) => !locked.has(id))
    if (unlocked.length > 0) await lockProducts(tx, unlocked)
    await dropFromRefreshQueue(tx, ids)
  }
  const now = context.clock.now()
  const facts = { now, publicUrl: context.publicUrl }
  const read = async (start: number) => {
    const found = start < ids.length ? await readProducts(tx, ids.slice(start, start + CHUNK), now) : []
    return found.map((row) => withQuantities(row, context.quantities))
  }
  const keys = new Set<string>()
  let rows = context.rows ?? (await read(0))
  for (let start = 0; start < ids.length; start += CHUNK) {
    // PostgreSQL reads the next products while the responses of these are made.
    const [next, refreshed] = await Promise.all([read(start + CHUNK), refreshAll(rows, facts)])
    for (const each of await saveRefreshed(tx, ids.slice(start, start + CHUNK), refreshed, now, context)) keys.add(each)
    rows = next
  }
  return [...keys]
}

/** The product after these quantities are set, each of which is a change of its stock. */
function withQuantities(row: RefreshRow, quantities: ReadonlyMap<string, number> = new Map()): RefreshRow {
  const variants = row.variants.map((variant) => {
    const inventory = quantities.get(variant.id)
    return inventory === undefined ? variant : { ...variant, inventory, stockVersion: variant.stockVersion + 1 }
  })
  return { ...row, variants }
}

/** Makes the responses of many products, with pauses for other work. */
async function refreshAll(rows: readonly RefreshRow[], facts: RefreshFacts): Promise<Refreshed[]> {
  const refreshed: Refreshed[] = []
  for (const [index, row] of rows.entries()) {
    if (index % MADE_AT_ONCE === 0) await setImmediate()
    refreshed.push(refreshedProduct(row, facts))
  }
  return refreshed
}

async function saveRefreshed(
  tx: Tx,
  ids: readonly string[],
  refreshed: readonly Refreshed[],
  now: Date,
  { log, onRefreshed, isUnchanged = false }: Pick<RefreshOptions, 'log' | 'onRefreshed' | 'isUnchanged'>,
): Promise<string[]> {
  const rows = refreshed.map(({ row }) => row)
  const sound = refreshed.filter(({ fault }) => fault === undefined)
  const faulty = refreshed.filter(({ fault }) => fault !== undefined)
  for (const { row, fault } of faulty) {
    log.error({ productId: row.id, fault }, 'the response for a product is not valid, so the product is not shown')
  }
  const changed = await saveResponses(
    tx,
    sound.map(({ row, item, page }) => ({
      id: row.id,
      slug: row.slug,
      item: JSON.stringify(item),
      page: JSON.stringify(page),
    })),
    { isAwaited: isUnchanged },
  )
  await deleteResponses(
    tx,
    faulty.map(({ row }) => row.id),
  )
  await listInventory(
    tx,
    rows.flatMap(({ variants }) => variants.filter(mustBeListed)),
  )
  const updates = await inventoryUpdates(tx, rows)
  if (onRefreshed) onRefreshed(rows, updates)
  else await publishAll(tx, InventoryUpdated, updates, now)
  const published = sound.filter(({ row }) => row.published)
  await queueDueAlerts(
    tx,
    published.map(({ row: { id, priceMinor, currency, variants } }) => {
      const variantIds = variants.filter(({ inventory }) => inventory > 0).map((variant) => variant.id)
      return { id, priceMinor, currency, variantIds }
    }),
  )
  const keys = await updateListings(
    tx,
    ids,
    published.map(({ listing }) => listing),
  )
  const stale = refreshed.filter(({ row, fault }) => !isUnchanged || fault !== undefined || changed.has(row.id))
  return [...stale.map(({ row }) => key.product(row.slug)), ...(stale.length > 0 ? [key.manyProducts] : []), ...keys]
}

/** The quantities that changed since they were last published, and marks them as published. */
async function inventoryUpdates(tx: Tx, rows: readonly RefreshRow[]): Promise<InventoryUpdate[]> {
  const changed = rows.flatMap(({ slug, published, variants }) =>
    variants
      .filter((variant) => variant.inventory !== variant.announced)
      .map((variant) => ({ ...variant, slug, published })),
  )
  if (changed.length === 0) return []
  await markAnnounced(tx, changed)
  return (
    changed
      // No event for a new variant, which its product's event covers, or for a draft.
      .filter((variant) => variant.announced !== null && variant.published)
      .map(({ slug, id, inventory, stockVersion }) => ({
        slug,
        variantId: id,
        inventory,
        available: inventory > 0,
        version: stockVersion,
      }))
  )
}
