import type { Actor, Permission } from '@storefront/contracts'
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

/** For routes whose access is an admin permission: the admin user, or the secret key, with its permissions. */
export function adminOf(actor: Actor): { userId: string; permissions: readonly Permission[] } {
  if (actor.kind !== 'admin') throw accountGone()
  return actor
}

/** For routes whose access is `admin-user`. */
export function adminPersonOf(actor: Actor): { userId: string; sessionId: string; permissions: readonly Permission[] } {
  if (actor.kind !== 'admin' || actor.sessionId === undefined) throw accountGone()
  return { userId: actor.userId, sessionId: actor.sessionId, permissions: actor.permissions }
}
