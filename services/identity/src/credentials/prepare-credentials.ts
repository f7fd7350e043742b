import { transaction, type Seal } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { openSecret } from '../secrets/stored-secret.ts'
import { listCredentials, lockCredentials, replaceSealed } from './credentials.queries.ts'

/**
 * Part of the start: seals anew what was sealed under the SECRETS_KEY before.
 * @throws Error when one cannot be opened
 */
export async function prepareCredentials(db: Database, seal: Seal | undefined): Promise<void> {
  await transaction(db, async (tx) => {
    await lockCredentials(tx)
    for (const { key, sealed } of await listCredentials(tx)) {
      if (sealed === null || seal?.isCurrent(sealed) === true) continue
      // Without a SECRETS_KEY the start ends here, rather than serving a shop that forgot what it was given.
      const secret = openSecret(seal, { secret: sealed, sealed_with: 'aes-256-gcm' }, key)
      if (seal) await replaceSealed(tx, key, seal.close(secret, key))
    }
  })
}
