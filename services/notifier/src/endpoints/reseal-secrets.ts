import { transaction, type Log, type Seal } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { resealedEndpointSecret } from './endpoint-secret.ts'
import { lockEndpointSecrets, updateEndpointSecrets } from './endpoints.queries.ts'

/**
 * Part of the start: encrypts again what was stored without a SECRETS_KEY or under the previous one. A value that
 * cannot be decrypted is logged and stays, and the deliveries of its endpoint wait.
 */
export async function resealEndpointSecrets(db: Database, seal: Seal | undefined, log: Log): Promise<void> {
  await transaction(db, async (tx) => {
    for (const { id, secret, previous_secret: previous } of await lockEndpointSecrets(tx)) {
      const reseal = (stored: string | null): string | null => {
        if (stored === null) return null
        try {
          return resealedEndpointSecret(seal, stored, id) ?? stored
        } catch (error) {
          log.error(
            { err: error, endpoint: id },
            'a secret of a webhook endpoint cannot be decrypted; rotate it or restore its SECRETS_KEY',
          )
          return stored
        }
      }
      const resealed = { secret: reseal(secret), previous_secret: reseal(previous) }
      if (resealed.secret !== secret || resealed.previous_secret !== previous) {
        await updateEndpointSecrets(tx, id, resealed)
      }
    }
  })
}
