import type { Finding } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { countAddressesToCanonicalize, listAddressesToCanonicalize } from './addresses-to-canonicalize.queries.ts'

const MAX_FAULTS = 100

/** Orders whose email address cannot be parsed: no mail about them arrives, and they cannot be found by it. */
export async function findUnusableAddresses(db: Database): Promise<{ faults: Omit<Finding, 'kind'>[]; total: number }> {
  const orders = await listAddressesToCanonicalize(db, { after: '', limit: MAX_FAULTS })
  const message = 'the email address of this order is invalid: no mail can be sent to it'
  const total = orders.length < MAX_FAULTS ? orders.length : await countAddressesToCanonicalize(db)
  return { faults: orders.map(({ id }) => ({ subject: id, message })), total }
}
