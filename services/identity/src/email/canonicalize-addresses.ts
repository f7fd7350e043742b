import { every, MINUTE_MS, type Timer } from '@storefront/service'
import { publish } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { CustomerUnverified, readEmailAddress } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import type { Tx } from '../database.ts'
import {
  HOLDERS,
  listAddressesToCanonicalize,
  lockAddressesToCanonicalize,
  setCanonical,
  unverify,
  type AddressToCanonicalize,
  type Holder,
} from './addresses-to-canonicalize.queries.ts'

const EVERY_MS = 5 * MINUTE_MS
const BATCH = 100

type Context = Pick<IdentityContext, 'db' | 'clock'>

/** During an update, replicas of the previous version keep writing addresses without their canonical form. */
export function canonicalizeAddresses({ db, clock, log }: Context & Pick<IdentityContext, 'log'>): Timer {
  return every(EVERY_MS, 'canonical forms of email addresses', log, () => canonicalizeAllAddresses({ db, clock }))
}

/**
 * Adds the canonical form of the address to rows of older versions. The database does so for plain addresses; for all
 * others it is unknown where mails went, so an account has to verify its address again. Of two rows with the same
 * address the first gets it, and the other is reported (`CheckEmailAddresses`).
 */
export async function canonicalizeAllAddresses({ db, clock }: Context): Promise<void> {
  for (const holder of HOLDERS) {
    let after: AddressToCanonicalize | undefined
    do {
      const last = after
      after = await transaction(db, async (tx) => {
        await lockAddressesToCanonicalize(tx)
        const rows = await listAddressesToCanonicalize(tx, holder, { after: last, limit: BATCH })
        for (const row of rows) await canonicalizeOne(tx, holder, row, clock.now())
        return rows.length === BATCH ? rows.at(-1) : undefined
      })
    } while (after)
  }
}

async function canonicalizeOne(tx: Tx, holder: Holder, { id, email }: AddressToCanonicalize, now: Date): Promise<void> {
  if (holder === 'customer' && (await unverify(tx, id, email))) {
    await publish(tx, CustomerUnverified, { customerId: id }, now)
  }
  const address = readEmailAddress(email)
  if (address) await setCanonical(tx, holder, { id, email, canonical: address.canonical })
}
