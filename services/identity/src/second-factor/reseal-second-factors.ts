import { isSealedAsItShould, openSecret, storeSecret, transaction, type Log, type Seal } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { listSecondFactors, updateSecret } from './second-factor.queries.ts'

/**
 * Part of the start: seals anew what was sealed under no SECRETS_KEY or the one before. What does not open is logged and
 * stays: its user gets in with a recovery code alone, until an owner switches the second factor off.
 */
export async function resealSecondFactors(db: Database, seal: Seal | undefined, log: Log): Promise<void> {
  await transaction(db, async (tx) => {
    for (const factor of await listSecondFactors(tx)) {
      const id = factor.admin_user_id
      let secret: string
      try {
        secret = openSecret(seal, factor, id)
      } catch (error) {
        log.error({ err: error, adminUserId: id }, 'a second factor does not open: only recovery codes are right')
        continue
      }
      if (!isSealedAsItShould(seal, factor, id)) await updateSecret(tx, id, storeSecret(seal, secret, id))
    }
  })
}
