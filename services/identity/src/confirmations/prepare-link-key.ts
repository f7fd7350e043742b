import { randomBytes } from 'node:crypto'
import { isSealedAsItShould, openSecret, storeSecret, transaction, type Clock, type Seal } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { findLinkKey, insertLinkKey, lockLinkKey, updateLinkKey } from './link-key.queries.ts'

const KEY_BYTES = 32
const LABEL = 'key of all links'

/**
 * Part of the start: makes the key of the links in mails, or opens it, and seals it anew when it was sealed under no
 * SECRETS_KEY or the one before.
 * @throws Error when it cannot be opened
 */
export async function prepareLinkKey(db: Database, seal: Seal | undefined, clock: Clock): Promise<Buffer> {
  return transaction(db, async (tx) => {
    // Copies of the service that start at the same moment wait here and find the key of the first.
    await lockLinkKey(tx)
    const stored = await findLinkKey(tx)
    if (!stored) {
      const key = randomBytes(KEY_BYTES)
      await insertLinkKey(tx, storeSecret(seal, key.toString('base64url'), LABEL), clock.now())
      return key
    }
    const secret = openSecret(seal, stored, LABEL)
    if (!isSealedAsItShould(seal, stored, LABEL)) await updateLinkKey(tx, storeSecret(seal, secret, LABEL))
    return Buffer.from(secret, 'base64url')
  })
}
