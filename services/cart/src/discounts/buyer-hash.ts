import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { mailboxOf, readEmailAddress } from '@storefront/contracts'

const PURPOSE = 'buyers of discount redemptions'

/** Every form in which a redemption by this mailbox may be stored; the limit per customer counts all of them. */
export interface BuyerKeys {
  /** A redemption is stored with the first; the others were made with earlier keys. */
  hashes: readonly [Buffer, ...Buffer[]]
  /** The digest that earlier versions stored, until `hashAllOldBuyers` has replaced it. */
  digest: Buffer
}

/**
 * Hashes a buyer's mailbox for storage. Without the key the mailbox of a redemption cannot be found by trying
 * addresses, so the hash may outlive the account (docs/decisions/0063).
 */
export interface BuyerHasher {
  /** @returns null for an order without an address, which is not limited */
  keysOf(email: string): BuyerKeys | null
  /** @returns what replaces a digest that an earlier version stored */
  ofDigest(digest: Buffer): Buffer
}

/**
 * @param key of the hashes that are stored from now on
 * @param previous the previous key, whose hashes are still found
 */
export function createBuyerHasher(key: string, previous?: string): BuyerHasher {
  const hasherOf = (secret: string) => {
    const derived = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 32))
    return (digest: Buffer) => createHmac('sha256', derived).update(digest).digest()
  }
  const ofDigest = hasherOf(key)
  const earlier = previous === undefined ? [] : [hasherOf(previous)]
  return {
    keysOf(email) {
      const address = readEmailAddress(email)
      const mailbox = address ? mailboxOf(address.canonical) : email.trim()
      if (mailbox === '') return null
      // The digest is hashed, and not the address, because redemptions of earlier versions have only the digest.
      const digest = createHash('sha256').update(mailbox).digest()
      return { hashes: [ofDigest(digest), ...earlier.map((hash) => hash(digest))], digest }
    },
    ofDigest,
  }
}
