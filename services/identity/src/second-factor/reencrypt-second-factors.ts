import { needsReencryption, decryptSecret, storeSecret, type Log, type Encryption } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import type { Database } from '../database.ts'
import { listSecondFactors, updateSecret } from './second-factor.queries.ts'

/**
 * Part of the start: encrypts again what was stored without a SECRETS_KEY or under the previous one. A value that
 * cannot be decrypted is logged and stays: its user can sign in only with a recovery code, until an owner switches the
 * second factor off.
 */
export async function reencryptSecondFactors(
  db: Database,
  encryption: Encryption | undefined,
  log: Log,
): Promise<void> {
  await transaction(db, async (tx) => {
    for (const factor of await listSecondFactors(tx)) {
      const id = factor.admin_user_id
      let secret: string
      try {
        secret = decryptSecret(encryption, factor, id)
      } catch (error) {
        log.error(
          { err: error, adminUserId: id },
          'a second factor cannot be decrypted: only recovery codes work; switch it off or restore its SECRETS_KEY',
        )
        continue
      }
      if (needsReencryption(encryption, factor, id)) await updateSecret(tx, id, storeSecret(encryption, secret, id))
    }
  })
}
