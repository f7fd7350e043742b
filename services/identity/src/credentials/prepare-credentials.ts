import { transaction, type Log, type Seal } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { openCredential } from './credential.ts'
import { listCredentials, lockCredentials, replaceSealed } from './credentials.queries.ts'

/**
 * Part of the start: encrypts again what was encrypted under the previous SECRETS_KEY. A value that cannot be
 * decrypted is logged and left unchanged, in case the right key comes back: until then it counts as not set, and the
 * shop works without it.
 */
export async function prepareCredentials(db: Database, seal: Seal | undefined, log: Log): Promise<void> {
  await transaction(db, async (tx) => {
    await lockCredentials(tx)
    for (const { key, sealed, previous_sealed } of await listCredentials(tx)) {
      const again = sealed === null ? undefined : sealedAnew(seal, key, sealed)
      if (again === 'lost')
        log.error(
          { credential: key },
          'a credential cannot be decrypted and counts as not set; set it again or restore its SECRETS_KEY',
        )
      const previousAgain = previous_sealed === null ? undefined : sealedAnew(seal, key, previous_sealed)
      const values = {
        ...(again !== undefined && again !== 'lost' && { sealed: again.sealed }),
        ...(previousAgain !== undefined && previousAgain !== 'lost' && { previous_sealed: previousAgain.sealed }),
      }
      if (Object.keys(values).length > 0) await replaceSealed(tx, key, values)
    }
  })
}

/** @returns undefined when it needs no change */
function sealedAnew(seal: Seal | undefined, key: string, sealed: string): { sealed: string } | 'lost' | undefined {
  if (seal?.isCurrent(sealed, key) === true) return undefined
  const secret = openCredential(seal, key, sealed)
  return secret === undefined || !seal ? 'lost' : { sealed: seal.close(secret, key) }
}
