import { transaction } from '@storefront/postgres'
import type { Log, Encryption } from '@storefront/service'
import type { Database } from '../database.ts'
import { decryptCredential } from './credential.ts'
import { listCredentials, lockCredentials, replaceEncrypted } from './credentials.queries.ts'

/**
 * Part of the start: encrypts again what was encrypted under the previous SECRETS_KEY. A value that cannot be
 * decrypted is logged, counts as not set, and stays stored in case the right key is restored.
 */
export async function prepareCredentials(db: Database, encryption: Encryption | undefined, log: Log): Promise<void> {
  await transaction(db, async (tx) => {
    await lockCredentials(tx)
    for (const { key, sealed: encrypted, previous_sealed: previous } of await listCredentials(tx)) {
      const again = reencrypted(encryption, key, encrypted)
      if (again === 'lost')
        log.error(
          { credential: key },
          'a credential cannot be decrypted and counts as not set; set it again or restore its SECRETS_KEY',
        )
      const previousAgain = reencrypted(encryption, key, previous)
      const values = {
        ...(again !== undefined && again !== 'lost' && { sealed: again.sealed }),
        ...(previousAgain !== undefined && previousAgain !== 'lost' && { previous_sealed: previousAgain.sealed }),
      }
      if (Object.keys(values).length > 0) await replaceEncrypted(tx, key, values)
    }
  })
}

/** @returns undefined when there is no value, or it needs no change */
function reencrypted(
  encryption: Encryption | undefined,
  key: string,
  encrypted: string | null,
): { sealed: string } | 'lost' | undefined {
  if (encrypted === null || encryption?.isCurrent(encrypted, key) === true) return undefined
  const secret = decryptCredential(encryption, key, encrypted)
  return secret === undefined || !encryption ? 'lost' : { sealed: encryption.encrypt(secret, key) }
}
