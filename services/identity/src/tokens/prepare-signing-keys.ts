import { transaction, type Clock } from '@storefront/chassis'
import type { Database } from '../database.ts'
import type { Seal } from './seal.ts'
import { closePrivateKey, generateSigningKey, openPrivateKey } from './signing-key.ts'
import {
  findSigningKey,
  insertSigningKey,
  listUnsealedKeys,
  lockSigningKeys,
  updatePrivateKey,
} from './signing-keys.queries.ts'

/**
 * Part of the start: makes the first signing key, and seals keys from before there was a SECRETS_KEY.
 * @throws Error when the key that should sign cannot be opened
 */
export async function prepareSigningKeys(db: Database, seal: Seal | undefined, clock: Clock): Promise<void> {
  await transaction(db, async (tx) => {
    // Copies of the service that start at the same moment wait here and find the key of the first.
    await lockSigningKeys(tx)
    const now = clock.now()
    const current = await findSigningKey(tx, now)
    if (!current) {
      const key = await generateSigningKey()
      const stored = closePrivateKey(seal, key.publicJwk.kid, key.privateKey)
      await insertSigningKey(tx, key, stored, { createdAt: now, signsFrom: now })
      return
    }
    openPrivateKey(seal, current)
    if (!seal) return
    for (const { kid, private_key: privateKey } of await listUnsealedKeys(tx)) {
      await updatePrivateKey(tx, kid, closePrivateKey(seal, kid, privateKey))
    }
  })
}
