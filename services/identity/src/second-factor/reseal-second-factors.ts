import { transaction, type Seal } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { isSealedAsItShould, openSecret, storeSecret } from '../secrets/stored-secret.ts'
import { listSecondFactors, updateSecret } from './second-factor.queries.ts'

/**
 * Part of the start: seals anew what was sealed under no SECRETS_KEY or the one before.
 * @throws Error when a secret cannot be opened
 */
export async function resealSecondFactors(db: Database, seal: Seal | undefined): Promise<void> {
  await transaction(db, async (tx) => {
    for (const factor of await listSecondFactors(tx)) {
      if (isSealedAsItShould(seal, factor)) continue
      const id = factor.admin_user_id
      await updateSecret(tx, id, storeSecret(seal, openSecret(seal, factor, id), id))
    }
  })
}
