import type { Finding } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { countUnreadAddresses, listUnreadAddresses } from './unread-addresses.queries.ts'

const MAX_FAULTS = 100

/** Orders whose e-mail address cannot be read: no mail about them arrives, and nobody finds them by it. */
export async function findUnusableAddresses(db: Database): Promise<{ faults: Omit<Finding, 'kind'>[]; total: number }> {
  const orders = await listUnreadAddresses(db, { after: '', limit: MAX_FAULTS })
  const message = 'the e-mail address of this order cannot be used: no mail can be sent to it as it is written'
  const total = orders.length < MAX_FAULTS ? orders.length : await countUnreadAddresses(db)
  return { faults: orders.map(({ id }) => ({ subject: id, message })), total }
}
