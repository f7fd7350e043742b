import { transaction } from '@storefront/postgres'
import type { CartContext } from '../context.ts'
import { findOldBuyers, replaceDigests } from './redemptions.queries.ts'

const BATCH = 500

/**
 * Replaces digests of addresses, which older versions stored, with keyed hashes. It runs repeatedly, because replicas
 * of the previous version keep writing digests during an update.
 */
export async function hashOldBuyers({ db, buyers }: Pick<CartContext, 'db' | 'buyers'>): Promise<void> {
  let replaced: number
  do {
    replaced = await transaction(db, async (tx) => {
      const old = await findOldBuyers(tx, BATCH)
      const hashed = old.map(({ id, emailDigest }) => ({ id, buyerHash: buyers.ofDigest(emailDigest) }))
      await replaceDigests(tx, hashed)
      return old.length
    })
  } while (replaced === BATCH)
}
