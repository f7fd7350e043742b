import type { Actor } from '@storefront/contracts'
import { accountGone } from '../errors.ts'

/** For routes whose access is `customer`. */
export function customerIdOf(actor: Actor): string {
  if (actor.kind !== 'customer') throw accountGone()
  return actor.customerId
}

/** For routes whose access is `customer`. */
export function sessionIdOf(actor: Actor): string {
  if (actor.kind !== 'customer') throw accountGone()
  return actor.sessionId
}

/** For routes whose access is an admin permission. */
export function adminUserIdOf(actor: Actor): string {
  if (actor.kind !== 'admin') throw accountGone()
  return actor.userId
}
