import { every, MINUTE_MS, type Timer } from '@storefront/service'
import { publish } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { CustomerUnverified, readEmailAddress } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import type { Tx } from '../database.ts'
import {
  HOLDERS,
  listUnreadAddresses,
  lockUnreadAddresses,
  setCanonical,
  unverify,
  type Holder,
  type UnreadAddress,
} from './unread-addresses.queries.ts'

const EVERY_MS = 5 * MINUTE_MS
const BATCH = 100

type Context = Pick<IdentityContext, 'db' | 'clock'>

/** During an update, replicas of the previous version keep writing addresses without their canonical form. */
export function readUnreadAddresses({ db, clock, log }: Context & Pick<IdentityContext, 'log'>): Timer {
  return every(EVERY_MS, 'canonical forms of email addresses', log, () => readAddresses({ db, clock }))
}

/**
 * Adds the canonical form of the address to rows of older versions. The database does so for plain addresses; for all
 * others it is unknown where mails went, so an account has to verify its address again. Of two rows with the same
 * address the first gets it, and the other is reported (`CheckEmailAddresses`).
 */
export async function readAddresses({ db, clock }: Context): Promise<void> {
  for (const holder of HOLDERS) {
    let after: UnreadAddress | undefined
    do {
      const last = after
      after = await transaction(db, async (tx) => {
        await lockUnreadAddresses(tx)
        const unread = await listUnreadAddresses(tx, holder, { after: last, limit: BATCH })
        for (const row of unread) await readOne(tx, holder, row, clock.now())
        return unread.length === BATCH ? unread.at(-1) : undefined
      })
    } while (after)
  }
}

async function readOne(tx: Tx, holder: Holder, { id, email }: UnreadAddress, now: Date): Promise<void> {
  if (holder === 'customer' && (await unverify(tx, id, email))) {
    await publish(tx, CustomerUnverified, { customerId: id }, now)
  }
  const address = readEmailAddress(email)
  if (address) await setCanonical(tx, holder, { id, email, canonical: address.canonical })
}
