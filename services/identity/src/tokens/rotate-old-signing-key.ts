import { every, type Timer, HOUR_MS, DAY_MS } from '@storefront/service'
import { sendSignal } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { SigningKeysChanged } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import { rotateSigningKey } from './rotate-signing-key.ts'
import { KEPT_AFTER_RETIREMENT_MS } from './signing-key.ts'
import { deleteRetiredKeys, hasSigningKeySince, lockSigningKeys } from './signing-keys.queries.ts'

/** Rotates a key that has reached its maximum age, and deletes the private halves of retired keys. */
export function rotateOldSigningKey({
  db,
  encryptions,
  messaging,
  signingKeyDays,
  clock,
  log,
}: Pick<IdentityContext, 'db' | 'encryptions' | 'messaging' | 'signingKeyDays' | 'clock' | 'log'>): Timer {
  const timer = every(HOUR_MS, 'rotation of the signing key', log, async () => {
    const now = clock.now()
    await transaction(db, (tx) => deleteRetiredKeys(tx, now, new Date(now.getTime() - KEPT_AFTER_RETIREMENT_MS)))
    if (signingKeyDays === 0) return
    const oldest = new Date(now.getTime() - signingKeyDays * DAY_MS)
    if (await hasSigningKeySince(db, oldest)) return
    const rotated = await transaction(db, async (tx) => {
      await lockSigningKeys(tx)
      // Another replica may have rotated it already.
      return (await hasSigningKeySince(tx, oldest)) ? undefined : rotateSigningKey(tx, encryptions.signingKeys, now)
    })
    if (!rotated) return
    log.info(rotated, 'the signing key was rotated')
    sendSignal(messaging, SigningKeysChanged, {})
  })
  // Also soon after the start, for a service that restarts every few minutes.
  timer.wake()
  return timer
}
