import type { Seal } from '@storefront/chassis'
import type { Tx } from '../database.ts'
import { generateSigningKey, HEAD_START_MS, KEPT_AFTER_RETIREMENT_MS, storePrivateKey } from './signing-key.ts'
import { forgetRetiredKeys, insertSigningKey, lockSigningKeys, retireSigningKeys } from './signing-keys.queries.ts'

/**
 * Publishes a new key at once and lets it sign two minutes later, when every verifier knows it. Tokens of the old key
 * stay valid to their end: nobody is signed out.
 * @returns the new key's id
 */
export async function rotateSigningKey(tx: Tx, seal: Seal | undefined, now: Date): Promise<{ kid: string }> {
  await lockSigningKeys(tx)
  const takesOverAt = new Date(now.getTime() + HEAD_START_MS)
  await retireSigningKeys(tx, takesOverAt)
  await forgetRetiredKeys(tx, now, new Date(now.getTime() - KEPT_AFTER_RETIREMENT_MS))
  const key = await generateSigningKey()
  const { kid } = key.publicJwk
  const stored = storePrivateKey(seal, kid, key.privateKey)
  await insertSigningKey(tx, key, stored, { createdAt: now, signsFrom: takesOverAt })
  return { kid }
}
