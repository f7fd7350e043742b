import { storeSecret, type Encryption } from '@storefront/service'
import type { Tx } from '../database.ts'
import { generateSigningKey, HEAD_START_MS, KEPT_AFTER_RETIREMENT_MS } from './signing-key.ts'
import {
  deleteSigningKeys,
  findWaitingKey,
  deleteRetiredKeys,
  insertSigningKey,
  lockSigningKeys,
  retireSigningKeys,
} from './signing-keys.queries.ts'

interface Successor {
  kid: string
  signsFrom: Date
}

/**
 * Publishes a new key at once and lets it sign two minutes later, when every verifier has it. Tokens of the old key
 * stay valid to their end, so no user is signed out.
 * @returns the new key, or a recent one that does not sign yet
 */
export async function rotateSigningKey(tx: Tx, encryption: Encryption | undefined, now: Date): Promise<Successor> {
  await lockSigningKeys(tx)
  const waiting = await findWaitingKey(tx, now)
  if (waiting) return waiting
  const signsFrom = new Date(now.getTime() + HEAD_START_MS)
  await retireSigningKeys(tx, signsFrom)
  await deleteRetiredKeys(tx, now, new Date(now.getTime() - KEPT_AFTER_RETIREMENT_MS))
  return makeSigningKey(tx, encryption, { createdAt: now, signsFrom })
}

/** For a key that leaked: a new key signs at once and all others become invalid, which signs all users out. */
export async function replaceSigningKeys(tx: Tx, encryption: Encryption | undefined, now: Date): Promise<Successor> {
  await lockSigningKeys(tx)
  await deleteSigningKeys(tx)
  return makeSigningKey(tx, encryption, { createdAt: now, signsFrom: now })
}

/** Requires the lock on the signing keys. */
export async function makeSigningKey(
  tx: Tx,
  encryption: Encryption | undefined,
  times: { createdAt: Date; signsFrom: Date },
): Promise<Successor> {
  const key = await generateSigningKey()
  const { kid } = key.publicJwk
  await insertSigningKey(tx, key, storeSecret(encryption, key.privateKey, kid), times)
  return { kid, signsFrom: times.signsFrom }
}
