import { transaction } from '@storefront/postgres'
import type { Log, Encryption } from '@storefront/service'
import type { Database } from '../database.ts'
import { reencryptedEndpointSecret } from './endpoint-secret.ts'
import { lockEndpointSecrets, updateEndpointSecrets } from './endpoints.queries.ts'

/**
 * Part of the start: encrypts again what was stored without a SECRETS_KEY or under the previous one. A value that
 * cannot be decrypted is logged and stays, and the deliveries of its endpoint wait.
 */
export async function reencryptEndpointSecrets(
  db: Database,
  encryption: Encryption | undefined,
  log: Log,
): Promise<void> {
  await transaction(db, async (tx) => {
    for (const { id, secret, previous_secret: previous } of await lockEndpointSecrets(tx)) {
      const reencrypt = (stored: string | null): string | null => {
        if (stored === null) return null
        try {
          return reencryptedEndpointSecret(encryption, stored, id) ?? stored
        } catch (error) {
          log.error(
            { err: error, endpoint: id },
            'a secret of a webhook endpoint cannot be decrypted; rotate it or restore its SECRETS_KEY',
          )
          return stored
        }
      }
      const reencrypted = { secret: reencrypt(secret), previous_secret: reencrypt(previous) }
      if (reencrypted.secret !== secret || reencrypted.previous_secret !== previous) {
        await updateEndpointSecrets(tx, id, reencrypted)
      }
    }
  })
}
