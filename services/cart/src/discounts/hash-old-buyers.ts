import { transaction } from '@storefront/postgres'
import { every, MINUTE_MS, type Timer } from '@storefront/service'
import type { CartContext } from '../context.ts'
import { findOldBuyers, replaceDigests } from './redemptions.queries.ts'

const EVERY_MS = 5 * MINUTE_MS
const BATCH = 500

/** During an update, replicas of the previous version keep writing digests. */
export function hashOldBuyers(context: CartContext): Timer {
  return every(EVERY_MS, 'hash the buyers of old redemptions', context.log, () => hashAllOldBuyers(context))
}

/** Replaces digests of addresses, which older versions stored, with keyed hashes. */
export async function hashAllOldBuyers({ db, buyers }: Pick<CartContext, 'db' | 'buyers'>): Promise<void> {
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
