import { readEmailAddress } from '@storefront/contracts'
import { isDeletedCustomer } from '../access/closed-orders.queries.ts'
import type { Tx } from '../database.ts'
import type { StoredSession } from '../sessions/session.ts'
import type { MerchantPlacement } from './merchant-placement.ts'

/**
 * The id of the deleted customer, or of the erased guest, whose payment page an order takes its buyer from. As the
 * customer of the order it closes the order, as the deletion closed the others.
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
