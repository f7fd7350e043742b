import { publish, publishAll } from '@storefront/chassis'
import { ProductDeleted, ProductUpdated } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { findVersions } from './products.queries.ts'

/** What others are told of one by one; of more they are told at once (decisions, section 8). */
export const TOLD_ONE_BY_ONE = 100

/** Says once of many products that they changed. */
export async function tellOfMany(tx: Tx, now: Date): Promise<void> {
  // Rises with every write of many, so that none is taken for an older one.
  await publish(tx, ProductUpdated, { productId: '*', slug: '*', version: now.getTime() }, now)
}

/**
 * Says of each product of an import that it changed or went, or of all of them at once when they are many: nobody wants a
 * hundred thousand webhooks for one import.
 */
export async function tellOfProducts(
  tx: Tx,
  {
    changedIds,
    deleted,
  }: { changedIds: readonly string[]; deleted: readonly { id: string; slug: string; version: number }[] },
  now: Date,
): Promise<void> {
  if (changedIds.length + deleted.length > TOLD_ONE_BY_ONE) {
    await tellOfMany(tx, now)
    return
  }
  const changed = await findVersions(tx, changedIds)
  await publishAll(
    tx,
    ProductUpdated,
    changed.map(({ id, slug, version }) => ({ productId: id, slug, version })),
    now,
  )
  await publishAll(
    tx,
    ProductDeleted,
    deleted.map(({ id, slug, version }) => ({ productId: id, slug, version: version + 1 })),
    now,
  )
}
