import { readEmailAddress } from '@storefront/contracts'
import { isDeletedCustomer } from '../access/closed-orders.queries.ts'
import type { Tx } from '../database.ts'
import type { StoredSession } from '../sessions/session.ts'
import type { MerchantPlacement } from './merchant-placement.ts'

/**
 * The deleted customer of the payment page that an order takes its buyer from. An erased guest is one too: as the
 * customer of the order it closes the order, as the erasure did with the others.
 * @param session locked, because the guest may have been erased since it was read
 */
export async function findErasedBuyer(
  tx: Tx,
  session: StoredSession | undefined,
  { body, email }: { body: MerchantPlacement; email: string },
): Promise<string | undefined> {
  if (!session || session.customerId === null) return undefined
  const isOfOther = body.shipping_address !== undefined && canonicalOf(email) !== canonicalOf(session.email)
  return !isOfOther && (await isDeletedCustomer(tx, session.customerId)) ? session.customerId : undefined
}

function canonicalOf(email: string): string | undefined {
  return readEmailAddress(email)?.canonical
}
