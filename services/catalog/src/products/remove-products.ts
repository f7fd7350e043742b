import { publishAll } from '@storefront/chassis'
import { ProductDeleted, type BoardEntry } from '@storefront/contracts'
import { findBoardEntriesOfProducts } from '../board/board.queries.ts'
import type { Tx } from '../database.ts'
import { key } from '../listings/surrogate-keys.ts'
import { updateListings } from '../listings/update-listings.ts'
import { deleteProducts } from './products.queries.ts'

export interface ProductToRemove {
  id: string
  slug: string
  version: number
}

/**
 * Deletes products, which must be locked, and takes them off all lists.
 * @returns what the price board must say of their variants from now on, withdrawn, and what is out of date
 */
export async function removeProducts(
  tx: Tx,
  products: readonly ProductToRemove[],
  { publicUrl, now, announces = true }: { publicUrl: string; now: Date; announces?: boolean },
): Promise<{ entries: BoardEntry[]; keys: string[] }> {
  if (products.length === 0) return { entries: [], keys: [] }
  const ids = products.map((product) => product.id)
  const entries = await findBoardEntriesOfProducts(tx, ids, publicUrl)
  const keys = await updateListings(tx, ids, [])
  await deleteProducts(tx, ids)
  if (announces) {
    await publishAll(
      tx,
      ProductDeleted,
      products.map(({ id, slug, version }) => ({ productId: id, slug, version: version + 1 })),
      now,
    )
  }
  return {
    entries: entries.map((entry) => ({
      ...entry,
      facts: { ...entry.facts, published: false },
      factsVersion: entry.factsVersion + 1,
    })),
    keys: [...products.map(({ slug }) => key.product(slug)), key.manyProducts, ...keys],
  }
}
