import { randomBytes } from 'node:crypto'
import { needsReencryption, decryptSecret, storeSecret, type Clock, type Encryption } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import type { Database } from '../database.ts'
import { findLinkKey, insertLinkKey, lockLinkKey, updateLinkKey } from './link-key.queries.ts'

const KEY_BYTES = 32
const LABEL = 'key of all links'

/**
 * Part of the start: creates or decrypts the key of the links in mails, and encrypts it again when it was stored
 * without a SECRETS_KEY or under the previous one.
 * @throws Error when it cannot be decrypted
 */
export async function prepareLinkKey(db: Database, encryption: Encryption | undefined, clock: Clock): Promise<Buffer> {
  return transaction(db, async (tx) => {
    // Replicas that start at the same moment wait here and find the key of the first.
    await lockLinkKey(tx)
    const stored = await findLinkKey(tx)
    if (!stored) {
      const key = randomBytes(KEY_BYTES)
      await insertLinkKey(tx, storeSecret(encryption, key.toString('base64url'), LABEL), clock.now())
      return key
    }
    const secret = decryptSecret(encryption, stored, LABEL)
    if (needsReencryption(encryption, stored, LABEL)) await updateLinkKey(tx, storeSecret(encryption, secret, LABEL))
    return Buffer.from(secret, 'base64url')
  })
}
