import { publish, publishAll } from '@storefront/messaging'
import { CategoryUpdated, InventoryUpdated, ProductDeleted, ProductUpdated } from '@storefront/contracts'
import type { z } from 'zod'
import type { Tx } from '../database.ts'
import { nextBulkVersion } from './bulk-events.queries.ts'

/** Up to this many events are published one by one; more are replaced by one event about all products. */
export const MAX_SINGLE_EVENTS = 100

export type InventoryUpdate = z.output<typeof InventoryUpdated.data>

/** A product that changed, with its current slug and its new version. */
export interface ChangedProduct {
  productId: string
  slug: string
  version: number
}

/** A former slug of a product, whose cached page shows the product before the change. */
export interface FormerSlug {
  productId: string
  slug: string
}

/** Publishes one event about many products, whose pages, stock or existence changed. */
export async function publishMany(tx: Tx, now: Date): Promise<void> {
  await publish(tx, ProductUpdated, { productId: '*', slug: '*', version: await nextBulkVersion(tx, now) }, now)
}

/** Publishes an event for each saved or deleted category or collection, or one for all if there are many. */
export async function publishCategories(tx: Tx, slugs: Iterable<string>, now: Date): Promise<void> {
  const distinct = [...new Set(slugs)]
  const announced = distinct.length > MAX_SINGLE_EVENTS ? ['*'] : distinct
  await publishAll(
    tx,
    CategoryUpdated,
    announced.map((slug) => ({ slug })),
    now,
  )
}

interface ProductChanges {
  /** Products that an import wrote in any way. */
  touchedIds: readonly string[]
  /** Those of them that changed in more than quantities; if more than MAX_SINGLE_EVENTS, perhaps not all. */
  changed: readonly ChangedProduct[]
  formerSlugs: readonly FormerSlug[]
  deleted: readonly { id: string; slug: string; version: number }[]
  inventories: readonly InventoryUpdate[]
}

/**
 * Publishes an event for each changed or deleted product of an import and for each changed quantity, or one for all if
 * there are many: a hundred thousand webhooks for one import would be useless. Deletions that are few are published in
 * any case, because the one event for all does not say which product is gone.
 */
export async function publishProducts(
  tx: Tx,
  { touchedIds, changed, formerSlugs, deleted, inventories }: ProductChanges,
  now: Date,
): Promise<void> {
  if (deleted.length <= MAX_SINGLE_EVENTS) {
    await publishAll(
      tx,
      ProductDeleted,
      deleted.map(({ id, slug, version }) => ({ productId: id, slug, version: version + 1 })),
      now,
    )
  }
  if (touchedIds.length + deleted.length > MAX_SINGLE_EVENTS || inventories.length > MAX_SINGLE_EVENTS) {
    await publishMany(tx, now)
    return
  }
  await publishChanged(tx, changed, formerSlugs, now)
  await publishAll(tx, InventoryUpdated, inventories, now)
}

/** Publishes an event for each changed product, and for the page under its former slug. */
export async function publishChanged(
  tx: Tx,
  changed: readonly ChangedProduct[],
  formerSlugs: readonly FormerSlug[],
  now: Date,
): Promise<void> {
  const versions = new Map(changed.map(({ productId, version }) => [productId, version]))
  // A former slug that another changed product has now is covered by the event of that product.
  const inUse = new Set(changed.map(({ slug }) => slug))
  const former = formerSlugs
    .filter(({ slug }) => !inUse.has(slug))
    .map((each) => ({ ...each, version: versions.get(each.productId) ?? 1, former: true as const }))
  await publishAll(tx, ProductUpdated, [...changed, ...former], now)
}
