import type { Actor, Permission } from '@storefront/contracts'
import { accountGone, onlyForPeople } from '../errors.ts'

/** For routes whose access is `customer`. */
export function customerIdOf(actor: Actor): string {
  if (actor.kind !== 'customer') throw accountGone()
  return actor.customerId
}

/** For routes whose access is an admin permission. */
export function adminUserIdOf(actor: Actor): string {
  return adminOf(actor).userId
}

/** The admin user, or the secret key by itself, and what either may do. */
export function adminOf(actor: Actor): { userId: string; permissions: readonly Permission[] } {
  if (actor.kind !== 'admin') throw accountGone()
  return actor
}

/**
 * For what only a person may do, be it with a password or for herself.
 * @throws Refusal `forbidden` for a secret key, which has no session
 */
export function adminPersonOf(actor: Actor): { userId: string; sessionId: string; permissions: readonly Permission[] } {
  if (actor.kind !== 'admin') throw accountGone()
  const { userId, sessionId, permissions } = actor
  if (sessionId === undefined) throw onlyForPeople()
  return { userId, sessionId, permissions }
}
