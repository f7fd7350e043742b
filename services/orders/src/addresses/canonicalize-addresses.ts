import { every, MINUTE_MS, type Timer } from '@storefront/service'
import { readEmailAddress } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import type { Database } from '../database.ts'
import { listAddressesToCanonicalize, setCanonical } from './addresses-to-canonicalize.queries.ts'

const EVERY_MS = 5 * MINUTE_MS
const BATCH = 100

/** During an update, replicas of the previous version keep writing addresses without their canonical form. */
export function canonicalizeAddresses({ db, log }: OrdersContext): Timer {
  return every(EVERY_MS, 'read email addresses', log, () => canonicalizeAllAddresses(db))
}

/**
 * Adds the canonical form of the address to orders of older versions. The database adds it itself for plain addresses.
 * Safe to run in several replicas.
 */
export async function canonicalizeAllAddresses(db: Database): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await listAddressesToCanonicalize(db, { after, limit: BATCH })
    for (const { id, email } of rows) {
      const address = readEmailAddress(email)
      if (address) await setCanonical(db, { id, email, canonical: address.canonical })
    }
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = last.id
  }
}
