import { publishAll, transaction, type Clock } from '@storefront/chassis'
import { InventoryUpdated, SizeChart } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { answersOf } from './product-answer.ts'
import { NEW_FOR_DAYS } from './product.ts'
import {
  findForRefresh,
  lockProducts,
  markAnnounced,
  saveAnswers,
  takeFromRefreshQueue,
  type RefreshRow,
} from './products.queries.ts'

const QUEUE_ROWS = 2000
const DAY_MS = 24 * 3600 * 1000

export interface RefreshContext {
  db: Database
  clock: Clock
  publicUrl: string
  purge: (keys: readonly string[]) => void
}

/**
 * Makes the stored answers of products anew and announces every quantity that changed since it was last announced.
 * Products are locked, so that two refreshes cannot overwrite newer answers with older ones.
 * @returns surrogate keys of what is out of date
 */
export async function refreshProducts(
  tx: Tx,
  productIds: readonly string[],
  context: Pick<RefreshContext, 'clock' | 'publicUrl'>,
): Promise<string[]> {
  if (productIds.length === 0) return []
  const now = context.clock.now()
  await lockProducts(tx, productIds)
  const rows = await findForRefresh(tx, productIds, new Date(now.getTime() - NEW_FOR_DAYS * DAY_MS))
  await saveAnswers(
    tx,
    rows.map((row) => refreshed(row, now, context.publicUrl)),
  )
  await announceInventory(tx, rows, now)
  const flipped = rows.some((row) => row.inStock !== isInStock(row))
  return [...rows.map((row) => `product:${row.slug}`), ...(flipped ? ['listing-stock'] : [])]
}

async function announceInventory(tx: Tx, rows: readonly RefreshRow[], now: Date): Promise<void> {
  const changed = rows.flatMap(({ slug, published, variants }) =>
    variants
      .filter((variant) => variant.inventory !== variant.announced)
      .map((variant) => ({ ...variant, slug, published })),
  )
  if (changed.length === 0) return
  await markAnnounced(tx, changed)
  await publishAll(
    tx,
    InventoryUpdated,
    changed
      // A variant is first announced by its product; a draft is nobody's business.
      .filter((variant) => variant.announced !== null && variant.published)
      .map(({ slug, id, inventory, stockVersion }) => ({
        slug,
        variantId: id,
        inventory,
        available: inventory > 0,
        version: stockVersion,
      })),
    now,
  )
}

function isInStock(row: RefreshRow): boolean {
  return row.variants.some((variant) => variant.inventory > 0)
}

function refreshed(row: RefreshRow, now: Date, publicUrl: string) {
  const average = row.ratingCount === 0 ? 0 : Math.round((row.ratingSum * 100) / row.ratingCount) / 100
  const { item, page } = answersOf({
    product: row,
    variants: row.variants,
    categories: row.categories,
    rating: { average, count: row.ratingCount },
    fitAnswers: { small: row.fitSmall, true: row.fitTrue, large: row.fitLarge },
    boughtLast30Days: row.unitsSold,
    sizeChart: row.sizeChart === null ? undefined : SizeChart.parse(row.sizeChart),
    now,
    publicUrl,
  })
  return {
    id: row.id,
    item: JSON.stringify(item),
    page: JSON.stringify(page),
    ratingAverage: average,
    ratingCount: row.ratingCount,
    unitsSold: row.unitsSold,
    inStock: isInStock(row),
  }
}

/**
 * Works off the queue of products whose stock changed: what is in it now. What comes meanwhile waits for the next turn, so
 * that a product that sells all the time is not made anew all the time.
 */
export async function refreshQueued(context: RefreshContext): Promise<void> {
  const keys = await transaction(context.db, async (tx) =>
    refreshProducts(tx, await takeFromRefreshQueue(tx, QUEUE_ROWS), context),
  )
  if (keys.length > 0) context.purge(keys)
}
