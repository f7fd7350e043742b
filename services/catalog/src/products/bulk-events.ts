import { publish, publishAll } from '@storefront/chassis'
import { CategoryUpdated, InventoryUpdated, ProductDeleted, ProductUpdated } from '@storefront/contracts'
import type { z } from 'zod'
import type { Tx } from '../database.ts'
import { nextBulkVersion } from './bulk-events.queries.ts'
import { findVersions } from './products.queries.ts'

/** What others are told of one by one; of more they are told at once (decisions, section 8). */
export const TOLD_ONE_BY_ONE = 100

export type InventoryNews = z.output<typeof InventoryUpdated.data>

/** An address that a product had before. Its page shows the product as it was. */
export interface FormerSlug {
  productId: string
  slug: string
}

/** Says once of many products that they changed: their pages, their stock, and which of them there are. */
export async function tellOfMany(tx: Tx, now: Date): Promise<void> {
  await publish(tx, ProductUpdated, { productId: '*', slug: '*', version: await nextBulkVersion(tx, now) }, now)
}

/** Says of each category or collection that it was saved or deleted, or of all of them at once when they are many. */
export async function tellOfCategories(tx: Tx, slugs: Iterable<string>, now: Date): Promise<void> {
  const distinct = [...new Set(slugs)]
  const told = distinct.length > TOLD_ONE_BY_ONE ? ['*'] : distinct
  await publishAll(
    tx,
    CategoryUpdated,
    told.map((slug) => ({ slug })),
    now,
  )
}

export interface ProductNews {
  /** Products that an import wrote in any way. */
  touchedIds: readonly string[]
  /** Those of them about which more than quantities is different. */
  changedIds: readonly string[]
  formerSlugs: readonly FormerSlug[]
  deleted: readonly { id: string; slug: string; version: number }[]
  inventories: readonly InventoryNews[]
}

/**
 * Says of each product of an import that it changed or went, and of each variant how many there are, or of everything at
 * once when one of them are many: nobody wants a hundred thousand webhooks for one import.
 */
export async function tellOfProducts(
  tx: Tx,
  { touchedIds, changedIds, formerSlugs, deleted, inventories }: ProductNews,
  now: Date,
): Promise<void> {
  if (touchedIds.length + deleted.length > TOLD_ONE_BY_ONE || inventories.length > TOLD_ONE_BY_ONE) {
    await tellOfMany(tx, now)
    return
  }
  await publishAll(
    tx,
    ProductDeleted,
    deleted.map(({ id, slug, version }) => ({ productId: id, slug, version: version + 1 })),
    now,
  )
  const changed = (await findVersions(tx, changedIds)).map(({ id, slug, version }) => ({
    productId: id,
    slug,
    version,
  }))
  await tellOfChanged(tx, changed, formerSlugs, now)
  await publishAll(tx, InventoryUpdated, inventories, now)
}

/** Says of each product that it changed, and of the page under the address that it had before. */
export async function tellOfChanged(
  tx: Tx,
  changed: readonly { productId: string; slug: string; version: number }[],
  formerSlugs: readonly FormerSlug[],
  now: Date,
): Promise<void> {
  const versions = new Map(changed.map(({ productId, version }) => [productId, version]))
  // An address that another of them has now is told of with that one.
  const inUse = new Set(changed.map(({ slug }) => slug))
  const former = formerSlugs
    .filter(({ slug }) => !inUse.has(slug))
    .map((each) => ({ ...each, version: versions.get(each.productId) ?? 1, former: true as const }))
  await publishAll(tx, ProductUpdated, [...changed, ...former], now)
}
