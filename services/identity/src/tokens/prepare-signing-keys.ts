import { isSealedAsItShould, openSecret, storeSecret, transaction, type Clock, type Seal } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { makeSigningKey } from './rotate-signing-key.ts'
import { openPrivateKey } from './signing-key.ts'
import { findSigningKey, listPrivateKeys, lockSigningKeys, updatePrivateKey } from './signing-keys.queries.ts'

/**
 * Part of the start: makes the first signing key, and seals anew what was sealed under no SECRETS_KEY or the one before.
 * @throws Error when the key that should sign cannot be opened
 */
export async function prepareSigningKeys(db: Database, seal: Seal | undefined, clock: Clock): Promise<void> {
  await transaction(db, async (tx) => {
    // Copies of the service that start at the same moment wait here and find the key of the first.
    await lockSigningKeys(tx)
    const now = clock.now()
    const current = await findSigningKey(tx, now)
    if (!current) {
      await makeSigningKey(tx, seal, { createdAt: now, signsFrom: now })
      return
    }
    openPrivateKey(seal, current)
    for (const stored of await listPrivateKeys(tx)) {
      if (isSealedAsItShould(seal, stored, stored.kid)) continue
      await updatePrivateKey(tx, stored.kid, storeSecret(seal, openSecret(seal, stored, stored.kid), stored.kid))
    }
  })
}
