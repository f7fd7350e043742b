import { needsReencryption, decryptSecret, storeSecret, type Clock, type Encryption } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import type { Database } from '../database.ts'
import { makeSigningKey } from './rotate-signing-key.ts'
import { decryptPrivateKey } from './signing-key.ts'
import { findSigningKey, listPrivateKeys, lockSigningKeys, updatePrivateKey } from './signing-keys.queries.ts'

/**
 * Part of the start: creates the first signing key, and encrypts again what was stored without a SECRETS_KEY or under
 * the previous one.
 * @throws Error when the key that should sign cannot be decrypted
 */
export async function prepareSigningKeys(
  db: Database,
  encryption: Encryption | undefined,
  clock: Clock,
): Promise<void> {
  await transaction(db, async (tx) => {
    // Replicas that start at the same moment wait here and find the key of the first.
    await lockSigningKeys(tx)
    const now = clock.now()
    const current = await findSigningKey(tx, now)
    if (!current) {
      await makeSigningKey(tx, encryption, { createdAt: now, signsFrom: now })
      return
    }
    // Called only because it throws: without this key the service could not sign tokens.
    decryptPrivateKey(encryption, current)
    for (const stored of await listPrivateKeys(tx)) {
      const { kid } = stored
      if (!needsReencryption(encryption, stored, kid)) continue
      const secret = decryptSecret(encryption, stored, kid)
      await updatePrivateKey(tx, kid, storeSecret(encryption, secret, kid))
    }
  })
}
