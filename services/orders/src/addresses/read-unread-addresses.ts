import { readEmailAddress } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { listUnreadAddresses, setCanonical } from './unread-addresses.queries.ts'

const BATCH = 100

/**
 * Adds the canonical form of the address to orders of older versions. The database adds it itself for plain addresses.
 * Safe to run in several replicas.
 */
export async function readUnreadAddresses(db: Database): Promise<void> {
  let after = ''
  for (;;) {
    const unread = await listUnreadAddresses(db, { after, limit: BATCH })
    for (const { id, email } of unread) {
      const address = readEmailAddress(email)
      if (address) await setCanonical(db, { id, email, canonical: address.canonical })
    }
    const last = unread.at(-1)
    if (!last || unread.length < BATCH) return
    after = last.id
  }
}
