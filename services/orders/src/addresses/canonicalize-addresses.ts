import { readEmailAddress } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { listAddressesToCanonicalize, setCanonical } from './addresses-to-canonicalize.queries.ts'

const BATCH = 100

/**
 * Adds the canonical form of the address to orders of older versions. The database adds it itself for plain addresses.
 * Safe to run in several replicas.
 */
export async function canonicalizeAddresses(db: Database): Promise<void> {
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
